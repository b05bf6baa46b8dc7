"""The public result behind a link: stored when a frozen link is made, cached by version for a live one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from fastapi.concurrency import run_in_threadpool

from backend.api.capacity import ConcurrencyLimit
from backend.api.runs import results
from backend.api.runs.cell_series import read_series
from backend.api.runs.result_cache import Rendered
from backend.api.schema import rfc3339
from backend.api.shares.public import public, public_panels, public_series
from backend.api.shares.tokens import token_hash
from backend.core.chart.cell_series.as_of import as_of
from backend.core.chart.cell_series.series_models import CellSeries
from backend.core.chart.model.chart_model import ChartModel
from backend.core.errors import Gone
from backend.settings import Settings
from backend.store.repositories import result_rows, shares
from backend.store.repositories.result_rows import HostTexts
from backend.store.repositories.shares import FoundShare, Mode
from backend.store.session import session_scope

GZIP_LEVEL: Final = 6
KEPT: Final = 16
"""Public results of live links that are kept in memory."""


@dataclass(frozen=True)
class About:
    """What a SharedResult says of its link."""

    expires_at: datetime
    title: str | None
    mode: Mode


async def open_token(settings: Settings, slots: ConcurrencyLimit, token: str, again: bool) -> bytes:
    """A SharedResult as JSON, compressed with gzip. Raises NotFound, and Gone for a revoked or expired link.

    The link is read from the database every time, so that a revocation has effect at once. `again`: it is not
    counted.
    """
    found = await run_in_threadpool(_open, settings, token, 0 if again else 1)
    return await shared_result(settings, slots, found)


def _open(settings: Settings, token: str, opens: int) -> FoundShare:
    with session_scope(settings) as session:
        found = shares.find(session, token_hash(token))
        if found.revoked:
            raise _gone("share_revoked", "this link was revoked")
        if found.expired:
            raise _gone("share_expired", "this link has expired")
        shares.use(session, found.id, opens)
    return found


async def shared_result(settings: Settings, slots: ConcurrencyLimit, found: FoundShare) -> bytes:
    """The SharedResult of a usable link as JSON, compressed with gzip.

    That of a frozen link was stored when it was made, or, in a link of an earlier release, when it was first
    opened. Raises NotFound, and Overloaded if a live one must be computed and no slot becomes free.
    """
    if found.snapshot is not None:
        return found.snapshot
    about = About(found.expires_at, found.title, found.mode)
    if found.mode == "live":
        return await _current(settings, slots, found.run_id, about)
    snapshot = await frozen(settings, slots, found.run_id, about)
    await run_in_threadpool(_freeze, settings, found.id, snapshot)
    return snapshot


async def open_series(
    settings: Settings, slots: ConcurrencyLimit, token: str, cell_id: str, opened: Callable[[], None]
) -> CellSeries:
    """The time series of one cell of a link's result, without ids; `opened` is called with a right token.

    A frozen link has the trials and exclusions of when it was made. Raises NotFound and Gone as `open_token`.
    """
    found = await run_in_threadpool(_open, settings, token, 0)
    opened()
    rendered = await results.result_of_any(settings, found.run_id)
    private = await run_in_threadpool(_private, settings, found.run_id)
    shown = await shared_result(settings, slots, found) if found.mode == "snapshot" else None
    async with slots.slot():
        return await run_in_threadpool(_series, settings, found.run_id, cell_id, rendered, private, shown)


def _series(
    settings: Settings,
    run_id: str,
    cell_id: str,
    rendered: Rendered,
    private: HostTexts,
    frozen: bytes | None,
) -> CellSeries:
    with session_scope(settings) as session:
        series = public_series(read_series(session, run_id, cell_id), rendered.body, private)
    if frozen is None:
        return series
    return as_of(series, ChartModel.model_validate(json.loads(gzip.decompress(frozen))["chart"]))


async def frozen(settings: Settings, slots: ConcurrencyLimit, run_id: str, about: About) -> bytes:
    """The result of an ended run as it is now: a SharedResult as JSON, compressed with gzip."""
    rendered = await results.result_of_ended(settings, run_id)
    panels = await results.result_of_ended(settings, run_id, results.PANELS)
    private = await run_in_threadpool(_private, settings, run_id)
    async with slots.slot():
        return await run_in_threadpool(_compressed, rendered, panels, private, about)


async def _current(settings: Settings, slots: ConcurrencyLimit, run_id: str, about: About) -> bytes:
    rendered = await results.result_of_any(settings, run_id)
    panels = await results.result_of_any(settings, run_id, results.PANELS)
    private = await run_in_threadpool(_private, settings, run_id)
    async with slots.slot():
        return await run_in_threadpool(_live, rendered, panels, private, about)


@lru_cache(maxsize=KEPT)
def _live(rendered: Rendered, panels: Rendered, private: HostTexts, about: About) -> bytes:
    return _compressed(rendered, panels, private, about)


def _compressed(rendered: Rendered, panels: Rendered, private: HostTexts, about: About) -> bytes:
    as_of = datetime.now(UTC) - timedelta(seconds=rendered.age_s)
    more = {"expires_at": rfc3339(about.expires_at), "title": about.title, "mode": about.mode}
    more["as_of"] = rfc3339(as_of)
    chart, beside = public(rendered.body, private), public_panels(panels.body, rendered.body, private)
    body = b'{"chart":%b,"panels":%b,%b' % (chart, beside, json.dumps(more).encode()[1:])
    return gzip.compress(body, GZIP_LEVEL, mtime=0)


def _private(settings: Settings, run_id: str) -> HostTexts:
    with session_scope(settings) as session:
        return result_rows.host_texts(session, run_id)


def _freeze(settings: Settings, share_id: str, snapshot: bytes) -> None:
    with session_scope(settings) as session:
        shares.freeze(session, share_id, snapshot)


def _gone(code: str, detail: str) -> Gone:
    error = Gone(detail)
    error.code = code
    return error
