"""Lets a host join with an enrolment, and leave."""

from __future__ import annotations

from backend.api.worker.redis_address import redis_address
from backend.api.worker.schemas import Enrolled, Enrolling
from backend.settings import Settings
from backend.store.repositories import enrolments, host_tokens
from backend.store.repositories.enrolments import Joining
from backend.store.repositories.host_tokens import EnrolledHost
from backend.store.secrets import HOST, SHOWN, digest, new_token
from backend.store.session import session_scope
from backend.worker_protocol import release


def join(settings: Settings, given: Enrolling, address: str) -> Enrolled:
    """Let a host join: it gets a token. Raises Gone and Conflict."""
    token = new_token(HOST)
    joining = Joining(given.name, digest(given.nonce), given.release, given.protocol)
    with session_scope(settings) as session:
        joined = enrolments.use(session, digest(given.secret), joining)
        token_id = host_tokens.add(
            session, joined.host_id, joined.enrolment_id, token[:SHOWN], digest(token), address
        )
    return Enrolled(
        host_id=joined.host_id,
        host_name=given.name,
        token=token,
        redis=redis_address(settings, token_id),
        release=release(),
    )


def leave(settings: Settings, host: EnrolledHost) -> None:
    """Revoke the tokens of the calling host."""
    with session_scope(settings) as session:
        host_tokens.revoke_all(session, host.host_id)
