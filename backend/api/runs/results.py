"""The result of a run or of one cell, with a strong ETag, computed once per version of the run.

That of an ended run is also stored, so that neither a restart nor many other runs have it computed again.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import time
from functools import lru_cache
from typing import Final

from fastapi import Response, status
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import Headers

from backend.api.compared_runs import keep_figures
from backend.api.etag import etag_matches, etag_of
from backend.api.runs.cell_series import read_series
from backend.api.runs.result_cache import Key, Rendered, ResultCache, Version, Versions
from backend.api.runs.window_budget import WindowBudget
from backend.core.chart.build import build_chart, chart_cell
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.model_base import Part
from backend.core.chart.panels.build_panels import build_panels
from backend.core.errors import PlimsollError
from backend.measured_window import read_window
from backend.program_revision import program_revision
from backend.queue import connect
from backend.settings import Settings
from backend.store.repositories import derived, result_rows
from backend.store.repositories.chart_inputs import read_chart_input
from backend.store.repositories.derived import Made
from backend.store.session import session_scope

logger = logging.getLogger(__name__)

RETRY_S = 0.25
SHARED_S = 0.5
"""Pages request the result at the same time, after the same event: the version is read once for all."""
PANELS: Final = "/panels"
"""In a key, the panels in place of a cell; no id in an address contains a slash."""
SERIES: Final = "/series/"
"""In a key, what precedes a cell where its time series are meant."""
STALE = "X-Result-Stale"
"""Header of a result that is older than the last event; a newer one is being computed."""


async def response(settings: Settings, run_id: str, request_headers: Headers) -> Response:
    """The result of a run in any state, or 304. Raises NotFound."""
    version = await shared_version(settings, run_id)
    return sent(await _rendered(settings, run_id, None, version), version, request_headers)


async def cell(settings: Settings, run_id: str, cell_id: str, request_headers: Headers) -> Response:
    """One cell of a result with every value, or 304. Raises NotFound."""
    version = await shared_version(settings, run_id)
    return sent(await _rendered(settings, run_id, cell_id, version), version, request_headers)


async def panels(settings: Settings, run_id: str, request_headers: Headers) -> Response:
    """The panels of a result, or 304. Raises NotFound."""
    version = await shared_version(settings, run_id)
    return sent(await _rendered(settings, run_id, PANELS, version), version, request_headers)


async def cell_series(settings: Settings, run_id: str, cell_id: str, request_headers: Headers) -> Response:
    """The time series of one cell, or 304. Raises NotFound."""
    version = await shared_version(settings, run_id)
    return sent(await _rendered(settings, run_id, SERIES + cell_id, version), version, request_headers)


async def result_of_any(settings: Settings, run_id: str, part: str | None = None) -> Rendered:
    """The rendered result of a run in any state, or its PANELS, possibly older ones. Raises NotFound."""
    return await _rendered(settings, run_id, part, await shared_version(settings, run_id))


async def result_of_ended(settings: Settings, run_id: str, part: str | None = None) -> Rendered:
    """The rendered result of an ended run, or its PANELS. Raises NotFound."""
    version = await shared_version(settings, run_id)
    found = await _rendered(settings, run_id, part, version)
    while found.version != version:  # it is stale: the newer one is delayed
        await asyncio.sleep(RETRY_S)
        found = await _rendered(settings, run_id, part, version)
    return found


def sent(found: Rendered, version: Version, request_headers: Headers) -> Response:
    """A result as JSON, or 304; `version` is the newest one that is known."""
    headers = {"ETag": found.etag, "Cache-Control": "private, no-cache", "Vary": "Accept-Encoding"}
    if not version.ended:
        headers["Age"] = str(int(found.age_s))
    if found.version != version:
        headers[STALE] = "1"
    if etag_matches(request_headers.get("if-none-match"), found.etag):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    if "gzip" not in request_headers.get("accept-encoding", ""):
        return Response(found.body, media_type="application/json", headers=headers)
    headers["Content-Encoding"] = "gzip"  # compressed once for all clients
    return Response(found.gzipped, media_type="application/json", headers=headers)


async def shared_version(settings: Settings, run_id: str) -> Version:
    """The version of a run, read once for all requests of SHARED_S seconds. Raises NotFound."""
    versions = _versions(settings)
    known = versions.known(run_id)
    return known if known is not None else await run_in_threadpool(versions.read, run_id)


async def _rendered(settings: Settings, run_id: str, cell_id: str | None, version: Version) -> Rendered:
    def build() -> tuple[Version, bytes]:
        return _build(settings, run_id, cell_id)

    kept = _cache(settings).kept((run_id, cell_id), version)
    if kept is None and cell_id is None and version.ended:
        kept = await run_in_threadpool(_stored, settings, run_id, version)
    if kept is not None:
        return kept
    found = await run_in_threadpool(_cache(settings).find, (run_id, cell_id), version, build)
    return found if isinstance(found, Rendered) else await asyncio.wrap_future(found)


def _build(settings: Settings, run_id: str, cell_id: str | None) -> tuple[Version, bytes]:
    version = _version(settings, run_id)
    with session_scope(settings) as session:
        if cell_id is not None and cell_id.startswith(SERIES):
            series = read_series(session, run_id, cell_id.removeprefix(SERIES))
            return version, series.model_dump_json().encode()
        data = read_chart_input(session, run_id)
    model = _model(data, cell_id)
    if cell_id is None and version.ended:
        _keep_figures(settings, version, data)
    return version, model.model_dump_json().encode()


def _model(data: ChartInput, cell_id: str | None) -> Part:
    if cell_id == PANELS:
        return build_panels(data)
    return build_chart(data) if cell_id is None else chart_cell(data, cell_id)


def _stored(settings: Settings, run_id: str, version: Version) -> Rendered | None:
    """The result of an ended run that this program computed before, from the database."""
    with session_scope(settings) as session:
        gzipped = derived.find(session, run_id, "result", _made(version))
    if gzipped is None:
        return None
    body = gzip.decompress(gzipped)
    found = Rendered(body, gzipped, etag_of(body), version, time.monotonic(), 0.0)
    _cache(settings).put((run_id, None), found)
    return found


def _store(settings: Settings, key: Key, found: Rendered) -> None:
    """Store the result of an ended run; never raises."""
    run_id, cell_id = key
    if cell_id is not None or not found.version.ended:
        return
    try:
        with session_scope(settings) as session:
            derived.keep(session, run_id, "result", _made(found.version), found.gzipped)
    except PlimsollError as error:
        logger.info("the result of %s was not stored: %s", run_id, error)


def _keep_figures(settings: Settings, version: Version, data: ChartInput) -> None:
    """Keep what comparisons need of an ended run while its records are at hand; never raises."""
    try:
        with session_scope(settings) as session:
            keep_figures(session, _made(version), data)
    except PlimsollError as error:
        logger.info("the figures of %s were not kept: %s", data.run_id, error)


def _made(version: Version) -> Made:
    return Made(version.event_id, version.exclusion, program_revision())


def _version(settings: Settings, run_id: str) -> Version:
    with session_scope(settings) as session:
        return Version(*result_rows.version(session, run_id))


@lru_cache(maxsize=4)
def _versions(settings: Settings) -> Versions:
    return Versions(lambda run_id: _version(settings, run_id), min(SHARED_S, settings.result_every_s))


@lru_cache(maxsize=4)
def _cache(settings: Settings) -> ResultCache:
    return ResultCache(
        window_budget(settings),
        settings.result_every_s,
        lambda key, found: _store(settings, key, found),
    )


@lru_cache(maxsize=4)
def window_budget(settings: Settings) -> WindowBudget:
    """When work of the API may start on this host."""
    client = connect(settings)
    return WindowBudget(lambda: read_window(client, settings.host_name))


def forget(settings: Settings, run_id: str) -> None:
    """Remove a run's results from the caches."""
    _versions(settings).forget(run_id)
    _cache(settings).forget(run_id)
    final_chart.cache_clear()


@lru_cache(maxsize=8)
def final_chart(settings: Settings, run_id: str) -> ChartModel:
    """The ChartModel of an ended run, cached."""
    return chart(settings, run_id)


def chart(settings: Settings, run_id: str) -> ChartModel:
    """The ChartModel of a run in any state. Raises NotFound."""
    with session_scope(settings) as session:
        data = read_chart_input(session, run_id)
    return build_chart(data)
