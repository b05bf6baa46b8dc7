"""Making, opening and revoking share links."""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache

from fastapi.concurrency import run_in_threadpool
from pydantic import TypeAdapter

from backend.api.runs.results import result_of_ended
from backend.api.schema import Timestamp
from backend.api.shares.schemas import Share, ShareEntry, ShareList, ShareStart
from backend.core.chart.model import ChartModel
from backend.core.errors import Conflict, Gone
from backend.settings import Settings
from backend.store.repositories import result_rows, shares
from backend.store.repositories.shares import FoundShare
from backend.store.session import session_scope
from backend.store.states import RUN_ENDED

TOKEN_BYTES = 32
KEPT = 8
TIMESTAMP: TypeAdapter[Timestamp] = TypeAdapter(Timestamp)

PUBLIC_FACTS = frozenset(
    (
        "os",
        "kernel",
        "architecture",
        "cpu",
        "cores",
        "memory",
        "clocksource",
        "cpu governor",
        "cgroup version",
        "interrupt time kept apart",
        "postgres",
        "pgbench",
        "image",
    )
)
PUBLIC_KINDS = ("sysctl ", "server ", "engine ")
"""What a link may show of the environment: nothing that names the host, its addresses or its users."""


def create(settings: Settings, run_id: str, start: ShareStart) -> Share:
    """Make a link to an ended run. Raises NotFound, and Conflict while the run goes on."""
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
    """What a link shows, a SharedResult as JSON. Raises NotFound, and Gone where it was revoked or expired.

    The link itself is asked for every time, so that revoking it works at once; the chart of its ended run
    is computed once.
    """
    found = await run_in_threadpool(_usable, settings, token)
    rendered = await result_of_ended(settings, found.run_id)
    public = await run_in_threadpool(_public, rendered.body)
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
def _public(body: bytes) -> bytes:
    """The part of a result that a link may show."""
    return _reduced(ChartModel.model_validate_json(body)).model_dump_json().encode()


def _reduced(model: ChartModel) -> ChartModel:
    kept = {
        key: value
        for key, value in model.environment.items()
        if key in PUBLIC_FACTS or key.startswith(PUBLIC_KINDS)
    }
    return model.model_copy(update={"environment": kept})


def _gone(code: str, detail: str) -> Gone:
    error = Gone(detail)
    error.code = code
    return error


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
