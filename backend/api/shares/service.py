"""Creates, opens and revokes share links."""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache

from fastapi.concurrency import run_in_threadpool
from pydantic import TypeAdapter

from backend.api.runs.results import result_of_ended
from backend.api.schema import Timestamp
from backend.api.shares.public import public
from backend.api.shares.schemas import Share, ShareEntry, ShareList, ShareStart
from backend.core.errors import Conflict, Gone
from backend.core.plan.states import RUN_ENDED
from backend.settings import Settings
from backend.store.repositories import result_rows, shares
from backend.store.repositories.shares import FoundShare
from backend.store.session import session_scope

TOKEN_BYTES = 32
KEPT = 8
TIMESTAMP: TypeAdapter[Timestamp] = TypeAdapter(Timestamp)


def create(settings: Settings, run_id: str, start: ShareStart) -> Share:
    """Make a link to an ended run. Raises NotFound, and Conflict if the run has not ended."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with session_scope(settings) as session:
        if result_rows.state(session, run_id) not in RUN_ENDED:
            raise Conflict("only a run that has ended can be shared: wait for it or cancel it")
        share_id, expires_at = shares.create(session, run_id, _hash(token), start.expires_in_days)
    return Share(id=share_id, token=token, url=f"/shared#{token}", expires_at=expires_at)


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


async def open_token(settings: Settings, token: str) -> bytes:
    """A SharedResult as JSON. Raises NotFound, and Gone for a revoked or expired link.

    The link is read from the database every time, so that a revocation has effect at once; the public result
    is cached.
    """
    found = await run_in_threadpool(_usable, settings, token)
    rendered = await result_of_ended(settings, found.run_id)
    public = await run_in_threadpool(_public, settings, found.run_id, rendered.body)
    return b'{"chart":%b,"expires_at":%b}' % (public, TIMESTAMP.dump_json(found.expires_at))


def _usable(settings: Settings, token: str) -> FoundShare:
    with session_scope(settings) as session:
        found = shares.find(session, _hash(token))
    if found.revoked:
        raise _gone("share_revoked", "this link was revoked")
    if found.expired:
        raise _gone("share_expired", "this link has expired")
    return found


@lru_cache(maxsize=KEPT)
def _public(settings: Settings, run_id: str, body: bytes) -> bytes:
    with session_scope(settings) as session:
        details = result_rows.failure_details(session, run_id)
    return public(body, details)


def _gone(code: str, detail: str) -> Gone:
    error = Gone(detail)
    error.code = code
    return error


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
