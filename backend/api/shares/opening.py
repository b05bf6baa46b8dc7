"""The public result behind a link: stored when a frozen link is made, cached by version for a live one."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from fastapi.concurrency import run_in_threadpool

from backend.api.capacity import ConcurrencyLimit
from backend.api.runs import results
from backend.api.runs.result_cache import Rendered
from backend.api.schema import rfc3339
from backend.api.shares.public import public
from backend.api.shares.tokens import token_hash
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


async def frozen(settings: Settings, slots: ConcurrencyLimit, run_id: str, about: About) -> bytes:
    """The result of an ended run as it is now: a SharedResult as JSON, compressed with gzip."""
    rendered = await results.result_of_ended(settings, run_id)
    private = await run_in_threadpool(_private, settings, run_id)
    async with slots.slot():
        return await run_in_threadpool(_compressed, rendered, private, about)


async def _current(settings: Settings, slots: ConcurrencyLimit, run_id: str, about: About) -> bytes:
    rendered = await results.result_of_any(settings, run_id)
    private = await run_in_threadpool(_private, settings, run_id)
    async with slots.slot():
        return await run_in_threadpool(_live, rendered, private, about)


@lru_cache(maxsize=KEPT)
def _live(rendered: Rendered, private: HostTexts, about: About) -> bytes:
    return _compressed(rendered, private, about)


def _compressed(rendered: Rendered, private: HostTexts, about: About) -> bytes:
    as_of = datetime.now(UTC) - timedelta(seconds=rendered.age_s)
    more = {"expires_at": rfc3339(about.expires_at), "title": about.title, "mode": about.mode}
    more["as_of"] = rfc3339(as_of)
    body = b'{"chart":%b,%b' % (public(rendered.body, private), json.dumps(more).encode()[1:])
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
