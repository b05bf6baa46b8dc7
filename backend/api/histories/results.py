"""The history of an experiment on one host, with a strong ETag, computed once per version of its runs.

It is also stored, with the changes that it shows: neither a restart nor a new reader has it computed again. A
further run, an excluded trial or a new program makes it another version.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import time
from datetime import datetime
from functools import lru_cache
from typing import Final

from fastapi import Response
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import Headers

from backend.api.etag import etag_of
from backend.api.histories.points import read_history
from backend.api.runs.result_cache import Key, Rendered, ResultCache, Version
from backend.api.runs.results import RETRY_S, sent, window_budget
from backend.core.chart.history.build_history import build_history
from backend.core.chart.history.history_model import History, HistoryChange, HistoryDifference
from backend.core.errors import NotFound, PlimsollError
from backend.program_revision import program_revision
from backend.settings import Settings
from backend.store.repositories import histories, history_changes, runs
from backend.store.repositories.histories import HistoryRuns
from backend.store.repositories.history_changes import FoundChange
from backend.store.session import session_scope

logger = logging.getLogger(__name__)

KEPT_BYTES: Final = 16_000_000
TRIALS_OF_RUN: Final = 100
"""A run of a history costs about as much CPU as so many trials."""


async def response(
    settings: Settings, experiment_id: str, host: str | None, request_headers: Headers
) -> Response:
    """The history, or 304. Raises NotFound where no run has ended."""
    found = await run_in_threadpool(_runs, settings, experiment_id, host)
    rendered = await _rendered(settings, found)
    return sent(rendered, _version(found), request_headers)


async def keep_history_at_end(settings: Settings, run_id: str) -> None:
    """Compute the history that an ended run belongs to, with its changes; never raises."""
    try:
        found = await run_in_threadpool(_of_run, settings, run_id)
        rendered = await _rendered(settings, found)
        while rendered.version != _version(found):  # it is stale: the newer one is delayed
            await asyncio.sleep(RETRY_S)
            rendered = await _rendered(settings, found)
    except NotFound:
        return
    except PlimsollError as error:
        logger.info("the history of run %s was not computed: %s", run_id, error)
    except Exception:
        # A history that cannot be shown must not hold up the messages about later runs.
        logger.exception("the history of run %s was not computed", run_id)


def _of_run(settings: Settings, run_id: str) -> HistoryRuns:
    with session_scope(settings) as session:
        run = runs.view(session, run_id)
        return histories.find_runs(session, run.experiment_id, run.host)


def _runs(settings: Settings, experiment_id: str, host: str | None) -> HistoryRuns:
    with session_scope(settings) as session:
        return histories.find_runs(session, experiment_id, host)


def _version(found: HistoryRuns) -> Version:
    return Version(0, True, TRIALS_OF_RUN * len(found.runs), digest=found.digest)


async def _rendered(settings: Settings, found: HistoryRuns) -> Rendered:
    key, version = (found.experiment_id, found.host.name), _version(found)

    def build() -> tuple[Version, bytes]:
        now = _runs(settings, *key)
        history = build_history(read_history(settings, now))
        return _version(now), history.model_dump_json().encode()

    kept = _cache(settings).kept(key, version)
    if kept is None:
        kept = await run_in_threadpool(_stored, settings, key, found)
    if kept is not None:
        return kept
    computed = await run_in_threadpool(_cache(settings).find, key, version, build)
    return computed if isinstance(computed, Rendered) else await asyncio.wrap_future(computed)


def _stored(settings: Settings, key: Key, found: HistoryRuns) -> Rendered | None:
    with session_scope(settings) as session:
        gzipped = histories.find(session, found, program_revision())
    if gzipped is None:
        return None
    body = gzip.decompress(gzipped)
    rendered = Rendered(body, gzipped, etag_of(body), _version(found), time.monotonic(), 0.0)
    _cache(settings).put(key, rendered)
    return rendered


def _store(settings: Settings, key: Key, rendered: Rendered) -> None:
    """Store a history with the changes that it shows; never raises."""
    try:
        with session_scope(settings) as session:
            found = histories.find_runs(session, *key)
            if found.digest != rendered.version.digest:
                return  # a further run ended meanwhile: its history is computed next
            histories.keep(session, found, program_revision(), rendered.gzipped)
            changes = _changes(History.model_validate_json(rendered.body))
            history_changes.replace(session, found.experiment_id, found.host.id, changes)
    except PlimsollError as error:
        logger.info("the history of %s was not stored: %s", key[0], error)


def _changes(history: History) -> list[FoundChange]:
    labels = {cell.id: cell.label for cell in history.cells}
    shown: list[HistoryChange | HistoryDifference] = [*history.changes, *history.differences]
    return [
        FoundChange(
            cell_id=one.cell_id,
            label=labels[one.cell_id],
            metric=one.metric,
            basis=one.basis,
            direction=one.direction,
            ratio=one.ratio if isinstance(one, HistoryChange) else None,
            difference=None if isinstance(one, HistoryChange) else one.difference.model_dump(mode="json"),
            p_adjusted=one.p_adjusted,
            after_time=datetime.fromisoformat(one.after_time),
            until_time=datetime.fromisoformat(one.until_time),
            run_id=history.runs[one.at].run_id,
        )
        for one in shown
    ]


@lru_cache(maxsize=4)
def _cache(settings: Settings) -> ResultCache:
    return ResultCache(
        window_budget(settings),
        settings.result_every_s,
        lambda key, found: _store(settings, key, found),
        KEPT_BYTES,
    )
