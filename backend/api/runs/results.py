"""A run's result, whole or one cell of it; with a strong ETag once it is final."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from fastapi import Response, status

from backend.api.etag import etag_of, has_it
from backend.core.chart.build import build_chart, chart_cell
from backend.core.chart.model import ChartCell, ChartModel
from backend.settings import Settings
from backend.store.repositories import result_rows
from backend.store.repositories.chart_rows import read_chart_input
from backend.store.session import session_scope
from backend.store.states import RUN_ENDED


@dataclass(frozen=True)
class Rendered:
    """A result as it is sent."""

    body: bytes
    etag: str


def answer(settings: Settings, run_id: str, if_none_match: str | None) -> Response:
    """The result of a run; with a strong ETag, and 304 for it, once the run has ended."""
    with session_scope(settings) as session:
        state = result_rows.state(session, run_id)
    if state not in RUN_ENDED:
        body = chart(settings, run_id).model_dump_json().encode()
        return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})
    rendered = _final(settings, run_id)
    headers = {"ETag": rendered.etag, "Cache-Control": "private, no-cache"}
    if has_it(if_none_match, rendered.etag):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(rendered.body, media_type="application/json", headers=headers)


@lru_cache(maxsize=32)
def final_chart(settings: Settings, run_id: str) -> ChartModel:
    """The ChartModel of an ended run: nothing can change it any more."""
    return chart(settings, run_id)


@lru_cache(maxsize=32)
def _final(settings: Settings, run_id: str) -> Rendered:
    """The result of an ended run as it is sent."""
    body = chart(settings, run_id).model_dump_json().encode()
    return Rendered(body, etag_of(body))


def chart(settings: Settings, run_id: str) -> ChartModel:
    """The ChartModel of a run in any state. Raises NotFound."""
    with session_scope(settings) as session:
        data = read_chart_input(session, run_id)
    return build_chart(data)


def cell(settings: Settings, run_id: str, cell_id: str) -> ChartCell:
    """One cell of the result of a run in any state, whole. Raises NotFound."""
    with session_scope(settings) as session:
        data = read_chart_input(session, run_id)
    return chart_cell(data, cell_id)
