"""Makes, lists and revokes enrolments, and revokes the tokens of hosts."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from backend.api.access.actor import Actor
from backend.api.enrolments.command import join_commands
from backend.api.enrolments.schemas import EnrolmentEntry, EnrolmentList, EnrolmentStart, NewEnrolment
from backend.core.errors import NotFound
from backend.settings import Settings
from backend.store.repositories import enrolments, host_tokens
from backend.store.secrets import ENROLMENT, SHOWN, digest, new_token
from backend.store.session import session_scope

_JOIN: Final = "/join#"
"""The secret is a fragment, which no client sends to a server by itself."""


def create(settings: Settings, actor: Actor, start: EnrolmentStart) -> NewEnrolment:
    """Store a new enrolment."""
    secret = new_token(ENROLMENT)
    with session_scope(settings) as session:
        made = enrolments.add(
            session,
            digest(secret),
            secret[:SHOWN],
            start.note,
            start.host_name,
            actor.account_id,
            timedelta(hours=start.expires_in_hours),
        )
    url = f"{settings.base_url}{_JOIN}{secret}"
    commands = join_commands(url, start.host_name, settings.tls_cert or settings.proxy_cert)
    return NewEnrolment(
        id=made.id,
        secret=secret,
        url=url,
        command=commands.clone,
        container_command=commands.container,
        expires_at=made.expires_at,
    )


def read_list(settings: Settings) -> EnrolmentList:
    """The newest enrolments."""
    with session_scope(settings) as session:
        found = enrolments.listed(session)
    return EnrolmentList(data=tuple(EnrolmentEntry.model_validate(entry) for entry in found))


def revoke(settings: Settings, enrolment_id: str) -> None:
    """Revoke an enrolment that nobody used. Raises NotFound."""
    with session_scope(settings) as session:
        if not enrolments.revoke(session, enrolment_id):
            raise NotFound("there is no such unused enrolment")


def revoke_host(settings: Settings, name: str) -> None:
    """Revoke the tokens of a host. Raises NotFound, and Conflict for one that did not join."""
    with session_scope(settings) as session:
        host_tokens.revoke_named(session, name)
