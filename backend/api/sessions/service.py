"""Signs browsers in and out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.access.authentication import csrf_token, in_team
from backend.api.sessions.schemas import Session as SessionDocument
from backend.api.sessions.schemas import SessionAccount, SessionEntry, SessionList, SessionTeam, SessionToken
from backend.core.errors import Gone, NotFound
from backend.settings import Settings
from backend.store.repositories import accounts, browser_sessions, callers, tokens
from backend.store.repositories.accounts import Subject
from backend.store.repositories.passwords import KNOWN_FOR
from backend.store.secrets import digest, new_secret
from backend.store.session import session_scope

LIFETIME_DAYS: Final = 30
DEVICE_DAYS: Final = KNOWN_FOR.days
MAX_CLIENT: Final = 200

Method = Literal["link", "password", "invitation", "identity_provider"]
"""How an account proved who it is."""


@dataclass(frozen=True)
class Browser:
    """Where a session is used, for the list of sessions.

    `session_sha256` is of the session that the browser had before: it ends when another one is opened.
    `device` is the secret by which the browser is known when it signs in again.
    """

    address: str
    client: str
    session_sha256: str | None = None
    device: str = field(default_factory=new_secret)


@dataclass(frozen=True)
class Opened:
    """A new session: the values of its cookies, and its account with a team for the audit log."""

    cookie: str
    subject: Subject
    device: str


def open_session(
    session: Session, account_id: str, method: Method, browser: Browser, proved_second_factor: bool = False
) -> Opened:
    """Open a session of an account that has proved who it is; every way to sign in ends here.

    `proved_second_factor`: a code of the account's second factor was accepted, too.
    Raises Gone for a disabled account.
    """
    subject = accounts.subject(session, account_id)
    if subject is None:
        raise Gone("this account is disabled or does not exist; ask an administrator")
    if browser.session_sha256 is not None:
        browser_sessions.end_by_digest(session, browser.session_sha256)
    cookie = new_secret()
    client = browser.client[:MAX_CLIENT]
    callers.add_session(
        session,
        account_id,
        digest(cookie),
        method,
        browser.address,
        client,
        LIFETIME_DAYS,
        proved_second_factor,
        digest(browser.device),
    )
    browser_sessions.end_beyond_most(session, account_id)
    return Opened(cookie, subject, browser.device)


def describe(settings: Settings, actor: Actor, cookie: str | None) -> SessionDocument:
    """The session document of a caller."""
    with session_scope(settings) as session:
        roles = actor.roles | actor.withheld
        known = accounts.teams(session, tuple(roles))
        token = tokens.find(session, actor.id) if actor.kind == "token" else None
    teams = tuple(
        SessionTeam(
            id=team.id,
            name=team.name,
            role=roles[team.id],
            needs_second_factor=team.id in actor.withheld,
        )
        for team in known
    )
    return SessionDocument(
        kind=actor.kind,
        account=SessionAccount(
            id=actor.account_id,
            name=actor.label,
            email=actor.email,
            installation_admin=actor.installation_admin,
        ),
        team=next((team for team in teams if team.id == actor.team_id), None),
        teams=teams,
        permissions=actor.permissions(),
        csrf_token=None if cookie is None or actor.kind == "token" else csrf_token(cookie),
        scopes=None if actor.scopes is None else tuple(sorted(actor.scopes)),
        token=token and SessionToken.model_validate(token),
    )


def change_team(settings: Settings, actor: Actor, team_id: str) -> Actor:
    """Work in another team. Raises NotFound unless the account is its member."""
    if team_id not in actor.roles | actor.withheld:
        raise NotFound("there is no such team")
    with session_scope(settings) as session:
        callers.set_team(session, actor.id, team_id)
    return in_team(actor, team_id)


def read_list(settings: Settings, actor: Actor) -> SessionList:
    """The signed-in browsers of the caller's account."""
    with session_scope(settings) as session:
        found = browser_sessions.listed(session, actor.account_id)
    return SessionList(data=tuple(SessionEntry(**vars(row), current=row.id == actor.id) for row in found))


def end(settings: Settings, actor: Actor, session_id: str) -> None:
    """End one session of the caller's account. Raises NotFound."""
    with session_scope(settings) as session:
        if not callers.end_session(session, actor.account_id, session_id):
            raise NotFound("there is no such session")


def sign_out(settings: Settings, actor: Actor) -> None:
    """End the caller's session."""
    with session_scope(settings) as session:
        callers.end_session(session, actor.account_id, actor.id)
