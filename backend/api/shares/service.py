"""Creates, opens and revokes share links."""

from __future__ import annotations

import gzip
import hashlib
import secrets
from datetime import datetime
from typing import Final

from fastapi.concurrency import run_in_threadpool
from pydantic import TypeAdapter

from backend.api.capacity import ConcurrencyLimit
from backend.api.runs.results import result_of_ended
from backend.api.schema import Timestamp
from backend.api.shares.public import public
from backend.api.shares.schemas import Share, ShareEntry, ShareList, ShareStart
from backend.core.errors import Conflict, Gone
from backend.core.plan.states import RUN_ENDED
from backend.settings import Settings
from backend.store.repositories import result_rows, shares
from backend.store.repositories.result_rows import HostTexts
from backend.store.repositories.shares import FoundShare
from backend.store.session import session_scope

TOKEN_BYTES: Final = 32
GZIP_LEVEL: Final = 6
TIMESTAMP: TypeAdapter[Timestamp] = TypeAdapter(Timestamp)


async def create(settings: Settings, slots: ConcurrencyLimit, run_id: str, start: ShareStart) -> Share:
    """Make a link to an ended run, with its result as it is now. Raises NotFound and Conflict."""
    await run_in_threadpool(_check_ended, settings, run_id)
    chart = await _public(settings, slots, run_id)
    return await run_in_threadpool(_store, settings, run_id, start, chart)


def _check_ended(settings: Settings, run_id: str) -> None:
    with session_scope(settings) as session:
        if result_rows.state(session, run_id) not in RUN_ENDED:
            raise Conflict("only a run that has ended can be shared: wait for it or cancel it")


def _store(settings: Settings, run_id: str, start: ShareStart, chart: bytes) -> Share:
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with session_scope(settings) as session:
        expires_at = shares.expiry(session, start.expires_in_days)
        snapshot = _compressed(chart, expires_at)
        share_id = shares.create(session, run_id, _hash(token), expires_at, snapshot)
    return Share(id=share_id, token=token, url=f"/shared#{token}", expires_at=expires_at)


def _compressed(chart: bytes, expires_at: datetime) -> bytes:
    """A SharedResult as JSON, compressed."""
    body = b'{"chart":%b,"expires_at":%b}' % (chart, TIMESTAMP.dump_json(expires_at))
    return gzip.compress(body, GZIP_LEVEL, mtime=0)


def of_run(settings: Settings, run_id: str) -> ShareList:
    """The links of a run, newest first. Raises NotFound."""
    with session_scope(settings) as session:
        result_rows.state(session, run_id)
        listed = shares.of_run(session, run_id)
    return ShareList(data=tuple(_entry(share) for share in listed))


def _entry(share: shares.ListedShare) -> ShareEntry:
    return ShareEntry(
        id=share.id,
        created_at=share.created_at,
        expires_at=share.expires_at,
        state="revoked" if share.revoked else "expired" if share.expired else "open",
    )


def revoke(settings: Settings, share_id: str) -> None:
    """Revoke a link. Raises NotFound."""
    with session_scope(settings) as session:
        shares.revoke(session, share_id)


async def open_token(settings: Settings, slots: ConcurrencyLimit, token: str) -> bytes:
    """A SharedResult as JSON, compressed with gzip. Raises NotFound, and Gone for a revoked or expired link.

    The link is read from the database every time, so that a revocation has effect at once. Its result was
    stored when it was made; that of a link of an earlier release is stored when it is first opened.
    """
    found = await run_in_threadpool(_usable, settings, token)
    if found.snapshot is not None:
        return found.snapshot
    chart = await _public(settings, slots, found.run_id)
    snapshot = await run_in_threadpool(_compressed, chart, found.expires_at)
    await run_in_threadpool(_freeze, settings, found.id, snapshot)
    return snapshot


def _freeze(settings: Settings, share_id: str, snapshot: bytes) -> None:
    with session_scope(settings) as session:
        shares.freeze(session, share_id, snapshot)


def _usable(settings: Settings, token: str) -> FoundShare:
    with session_scope(settings) as session:
        found = shares.find(session, _hash(token))
    if found.revoked:
        raise _gone("share_revoked", "this link was revoked")
    if found.expired:
        raise _gone("share_expired", "this link has expired")
    return found


async def _public(settings: Settings, slots: ConcurrencyLimit, run_id: str) -> bytes:
    """The public chart of an ended run, computed in a slot for CPU-bound work."""
    rendered = await result_of_ended(settings, run_id)
    private = await run_in_threadpool(_private, settings, run_id)
    async with slots.slot():
        return await run_in_threadpool(public, rendered.body, private)


def _private(settings: Settings, run_id: str) -> HostTexts:
    with session_scope(settings) as session:
        return result_rows.host_texts(session, run_id)


def _gone(code: str, detail: str) -> Gone:
    error = Gone(detail)
    error.code = code
    return error


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
