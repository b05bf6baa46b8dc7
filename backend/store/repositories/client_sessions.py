"""Client sessions: another host runs the client of a trial, phase by phase.

Every call names the trial and its fence, may be repeated, and counts as a sign of life of its side. Times are
`clock_timestamp()` of the database; no host's clock is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Row, bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.core.plan.client_session import ENDED, SILENT_S, ClientRequest, ClientSession, Phase, Side, moves
from backend.store.ids import is_id
from backend.store.repositories import admission, trial_sql

GONE: Final = "the attempt no longer holds its trial"
NOT_NOW: Final = "it starts no trial now: it is drained, or outside the hours of its policy"

_LIVE: Final = f"clock_timestamp() - make_interval(secs => {SILENT_S})"

REQUEST = text("""
    INSERT INTO client_session (trial_id, fence, server_host_id, client_host_id, document)
    SELECT t.id, t.fence, t.host_id, r.client_host_id, :document
      FROM trial t JOIN run r ON r.id = t.run_id
     WHERE t.id = :id AND t.fence = :fence AND t.state = 'running' AND t.host_id = :host
       AND r.client_host_id IS NOT NULL
    ON CONFLICT (trial_id) DO UPDATE
       SET fence = excluded.fence, server_host_id = excluded.server_host_id,
           client_host_id = excluded.client_host_id, document = excluded.document, phase = 'requested',
           reason = '', client_seen_at = NULL, server_seen_at = clock_timestamp(),
           created_at = clock_timestamp()
     WHERE client_session.fence < excluded.fence OR client_session.phase = 'ended'
""").bindparams(bindparam("document", type_=JSONB))

NEXT = text(f"""
    SELECT s.trial_id, s.fence, s.document, h.name AS host
      FROM client_session s JOIN trial t ON t.id = s.trial_id JOIN host h ON h.id = s.server_host_id
     WHERE s.client_host_id = :host AND s.phase = 'requested' AND s.server_seen_at > {_LIVE}
       AND t.state = 'running' AND t.fence = s.fence
     ORDER BY s.server_host_id, s.created_at LIMIT 1
""")

# The host with the lesser id goes first, so that in a cycle of hosts that wait for each other one gives way.
YIELD = text(f"""
    SELECT EXISTS (SELECT FROM client_session s JOIN trial t ON t.id = s.trial_id
                    WHERE s.client_host_id = :host AND s.phase = 'requested' AND s.server_host_id < :host
                      AND s.server_seen_at > {_LIVE} AND t.state = 'running' AND t.fence = s.fence)
""")

LOCK = text(f"""
    SELECT s.fence, s.phase, s.document, s.reason, s.server_host_id, s.client_host_id,
           t.state = 'running' AND t.fence = :fence AS held,
           s.server_seen_at < {_LIVE} AS server_silent, s.client_seen_at < {_LIVE} AS client_silent
      FROM client_session s JOIN trial t ON t.id = s.trial_id
     WHERE s.trial_id = :id FOR UPDATE OF s
""")

MOVE = text("""
    UPDATE client_session SET phase = :phase, document = :document, reason = :reason WHERE trial_id = :id
""").bindparams(bindparam("document", type_=JSONB))

SEEN: Final = {
    "server": text("UPDATE client_session SET server_seen_at = clock_timestamp() WHERE trial_id = :id"),
    "client": text("UPDATE client_session SET client_seen_at = clock_timestamp() WHERE trial_id = :id"),
}


def request(
    session: Session, host_id: str, trial_id: str, fence: int, document: Mapping[str, Any]
) -> ClientSession:
    """Ask the client host of the trial's run for a session; repeated, the session as it is.

    Raises NotFound where this host does not hold the trial, or its run names no client host.
    """
    if is_id("trl", trial_id):
        session.execute(
            REQUEST,
            {"id": trial_id, "fence": fence, "host": host_id, "document": trial_sql.storable(dict(document))},
        )
    return move(session, host_id, trial_id, fence)


def next_request(session: Session, host_id: str) -> ClientRequest | None:
    """The session that this host should accept next, or None; also None while it takes no trials."""
    if not admission.takes_trials(session, host_id):
        return None
    row = session.execute(NEXT, {"host": host_id}).one_or_none()
    return None if row is None else ClientRequest(row.trial_id, row.fence, row.document, row.host)


def side(session: Session, host_id: str, trial_id: str) -> Side | None:
    """Which side of a trial's session a host is, None of none."""
    found = text("SELECT server_host_id, client_host_id FROM client_session WHERE trial_id = :id")
    row = session.execute(found, {"id": trial_id}).one_or_none()
    return None if row is None else _side(row, host_id)


def move(
    session: Session,
    host_id: str,
    trial_id: str,
    fence: int,
    phase: Phase | None = None,
    document: Mapping[str, Any] | None = None,
    reason: str = "",
) -> ClientSession:
    """Enter a phase, or only report a sign of life; returns the session afterwards.

    A session that its client host has not accepted ends when that host no longer takes trials. Raises
    NotFound where neither side is this host, Conflict for a phase that is not its next one.
    """
    row = session.execute(LOCK, {"id": trial_id, "fence": fence}).one_or_none()
    side = None if row is None else _side(row, host_id)
    if row is None or side is None:
        raise NotFound("there is no such client session")
    if row.fence != fence:
        return ClientSession(ENDED, reason=GONE)
    session.execute(SEEN[side], {"id": trial_id})
    if row.phase != ENDED and (why := _lost(row, side)):
        return _moved(session, trial_id, ENDED, {}, why)
    if phase is not None and moves(row.phase, phase, side):
        return _moved(session, trial_id, phase, dict(document or {}), reason)
    waits = side == "server" and row.phase == "requested"
    if waits and not admission.takes_trials(session, row.client_host_id):
        return _moved(session, trial_id, ENDED, {}, NOT_NOW)
    must_yield = waits and bool(session.execute(YIELD, {"host": host_id}).scalar_one())
    return ClientSession(row.phase, row.document, row.reason, must_yield)


def _side(row: Row[Any], host_id: str) -> Side | None:
    if row.server_host_id == host_id:
        return "server"
    return "client" if row.client_host_id == host_id else None


def _lost(row: Row[Any], side: Side) -> str:
    """Why the session cannot go on, or an empty text."""
    if not row.held:
        return GONE
    if side == "server" and row.client_silent:
        return f"the client host has not been heard of for {SILENT_S} s"
    if side == "client" and row.server_silent:
        return f"the server's host has not been heard of for {SILENT_S} s"
    return ""


def _moved(
    session: Session, trial_id: str, phase: Phase, document: dict[str, Any], reason: str
) -> ClientSession:
    values = {"document": trial_sql.storable(document), "reason": str(trial_sql.storable(reason))[:1000]}
    session.execute(MOVE, {"id": trial_id, "phase": phase, **values})
    return ClientSession(phase, document, reason)
