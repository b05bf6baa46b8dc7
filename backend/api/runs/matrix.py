"""The matrix of a run with an ETag: rendered once per version of the run for all clients.

It reads no record and costs a few milliseconds. Inside a measured window a matrix that is in memory is sent
even if it is older than the last event: clients read the events after its `last_event_id` anyway.
"""

from __future__ import annotations

import gzip
import threading
import time
from collections import OrderedDict
from functools import lru_cache
from typing import Final

from fastapi import Response
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import Headers

from backend.api.etag import etag_of
from backend.api.runs import results
from backend.api.runs.matrix_schemas import Matrix, MatrixCell
from backend.api.runs.result_cache import GZIP_LEVEL, Rendered, Version
from backend.api.runs.schemas import TrialEvent
from backend.core.definition.metrics import RATES
from backend.core.definition.text import printable
from backend.core.plan.matrix import MatrixRow, rows_of
from backend.core.plan.model import Cell
from backend.settings import Settings
from backend.store.repositories import matrix_rows
from backend.store.repositories.matrix_rows import StoredMatrix
from backend.store.session import session_scope

KEPT: Final = 50
"""Matrices in memory; one of 500 cells and 10 rounds has some 80 kB."""
OLDEST_S: Final = 15.0
"""Maximum age of an older matrix that is sent inside a measured window."""
_NO_TRIALS: Final = MatrixRow("", ())


async def response(settings: Settings, run_id: str, request_headers: Headers) -> Response:
    """The matrix of a run in any state, or 304. Raises NotFound."""
    version = await results.shared_version(settings, run_id)
    found = await run_in_threadpool(_rendered, settings, run_id, version)
    return results.sent(found, version, request_headers)


class MatrixCache:
    """The newest matrices, the one used longest ago first. Thread-safe."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Rendered] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, run_id: str) -> Rendered | None:
        """The newest matrix of a run that was rendered."""
        with self._lock:
            found = self._kept.get(run_id)
            if found is not None:
                self._kept.move_to_end(run_id)
            return found

    def put(self, run_id: str, rendered: Rendered) -> None:
        """Keep a matrix, and forget others where there are too many."""
        with self._lock:
            self._kept[run_id] = rendered
            self._kept.move_to_end(run_id)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def matrix_of(run_id: str, stored: StoredMatrix) -> Matrix:
    """A stored matrix as the API's response."""
    rounds, rows = rows_of(stored.trials)
    return Matrix(
        run_id=run_id,
        state=stored.state,
        origin=stored.origin,
        last_event_id=stored.last_event_id,
        rounds=rounds,
        cells=tuple(_cell(cell, rows.get(cell.id, _NO_TRIALS)) for cell in stored.plan.cells),
        newest=tuple(map(TrialEvent.model_validate, stored.newest)),
    )


def _cell(cell: Cell, row: MatrixRow) -> MatrixCell:
    return MatrixCell(
        id=cell.id,
        label=cell.label,
        path=str(cell.levels["path"]),
        metric=RATES.get(str(cell.levels.get("tool")), "tps"),
        is_baseline=cell.is_baseline,
        infeasible=None if cell.infeasible is None else printable(cell.infeasible),
        states=row.states,
        rates=row.rates,
    )


def _rendered(settings: Settings, run_id: str, version: Version) -> Rendered:
    kept = _cache(settings).get(run_id)
    if kept is not None and (kept.version == version or _may_be_older(settings, kept, version)):
        return kept
    began, at = time.thread_time(), time.monotonic()
    with session_scope(settings) as session:
        stored = matrix_rows.read(session, run_id)
    body = matrix_of(run_id, stored).model_dump_json().encode()
    gzipped = gzip.compress(body, GZIP_LEVEL, mtime=0)
    found = Rendered(body, gzipped, etag_of(body), version, at, time.thread_time() - began)
    _cache(settings).put(run_id, found)
    return found


def _may_be_older(settings: Settings, kept: Rendered, version: Version) -> bool:
    """Whether a matrix that is older than the last event is sent; never that of an ended run."""
    if version.ended or kept.age_s > OLDEST_S:
        return False
    return results.window_budget(settings).begins_within(0.0)


@lru_cache(maxsize=4)
def _cache(_settings: Settings) -> MatrixCache:
    return MatrixCache()
