"""Creates, lists, revokes and accepts invitations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from backend.api.access.actor import Actor
from backend.api.errors import Paused, Unauthenticated
from backend.api.invitations.schemas import (
    Acceptance,
    InvitationEntry,
    InvitationList,
    InvitationStart,
    NewInvitation,
)
from backend.api.passwords import hashing
from backend.api.passwords.rules import normalised, require_strong
from backend.api.sessions.service import Browser, Opened, open_session
from backend.core.errors import Conflict, Invalid, NotFound
from backend.settings import Settings
from backend.store.ids import is_id
from backend.store.repositories import accounts, callers, invitations, passwords
from backend.store.secrets import digest, new_secret
from backend.store.session import session_scope


def create(settings: Settings, actor: Actor, start: InvitationStart) -> NewInvitation:
    """Store a new invitation into the caller's team."""
    secret, lifetime = new_secret(), timedelta(days=start.expires_in_days)
    with session_scope(settings) as session:
        invitation_id = invitations.add(
            session, actor.team, actor.account_id, start.role, start.email, digest(secret), lifetime
        )
    url = f"{settings.base_url}/invitation#{secret}"
    return NewInvitation(id=invitation_id, url=url, expires_at=datetime.now(UTC) + lifetime)


def read_list(settings: Settings, actor: Actor) -> InvitationList:
    """The open invitations of the caller's team."""
    with session_scope(settings) as session:
        found = invitations.listed(session, actor.team)
    fields = InvitationEntry.model_fields
    return InvitationList(
        data=tuple(InvitationEntry(**{name: getattr(row, name) for name in fields}) for row in found)
    )


def revoke(settings: Settings, actor: Actor, invitation_id: str) -> None:
    """Revoke an open invitation. Raises NotFound."""
    with session_scope(settings) as session:
        if not is_id("lnk", invitation_id) or not invitations.revoke(session, actor.team, invitation_id):
            raise NotFound("there is no such open invitation")


def accept(settings: Settings, actor: Actor | None, given: Acceptance, browser: Browser) -> Opened | None:
    """Join the team: a new account, which is signed in, or the account of the caller (None).

    An invitation that cannot be accepted is not used up. Raises Gone, Conflict, Unauthenticated and
    Paused, and Invalid only for a right link.
    """
    password_hash = None if given.password is None else _password_hash(settings, given, given.password)
    if given.name is not None:
        _count_attempt(settings, given)
    with session_scope(settings) as session:
        invitation = invitations.use(session, digest(given.link))
        if given.name is None:
            if actor is None:
                raise Unauthenticated("give a name for a new account, or sign in first")
            if not accounts.join(session, actor.account_id, invitation.team_id, invitation.role):
                raise Conflict("you are a member of this team already")
            callers.set_team(session, actor.id, invitation.team_id)
            return None
        email = given.email or invitation.email
        if invitation.email is not None and email is not None and email.lower() != invitation.email.lower():
            raise Invalid.at("/email", "other_email", "the invitation is for another address")
        if email is not None and invitations.has_email(session, email):
            raise Conflict("an account has this address: sign in with it, then open the invitation again")
        account_id = accounts.add(session, given.name, email)
        if password_hash is not None:
            passwords.store(session, account_id, password_hash)
        accounts.join(session, account_id, invitation.team_id, invitation.role)
        return open_session(session, account_id, "invitation", browser)


def _count_attempt(settings: Settings, given: Acceptance) -> None:
    """Count an attempt to make an account with an address, as a wrong password is counted.

    Raises Gone and Paused. Otherwise an open invitation would say of any number of addresses whether they
    have an account. It is paused whatever address is given: a pause for those alone that are taken would say
    it, too.
    """
    with session_scope(settings) as session:
        invitation = invitations.find(session, digest(given.link))
        if given.email is None and invitation.email is None:
            return
        pause_s = passwords.begin_attempt(session, f"invitation {invitation.id}")
    if pause_s:
        raise Paused("attempts with this invitation", pause_s)


def _password_hash(settings: Settings, given: Acceptance, password: str) -> str:
    """The hash of a new account's password; computed only for an open invitation. Raises Gone and Invalid."""
    with session_scope(settings) as session:
        invitation = invitations.find(session, digest(given.link))
    if given.name is None:
        raise Invalid.at("/password", "two_kinds", "your account stays as it is when it joins a team")
    email = given.email or invitation.email
    if email is None:
        raise Invalid.at("/email", "email_needed", "you sign in with an email address and the password")
    password = normalised(password)
    require_strong("/password", password, given.name, email)
    return hashing.hashed(password)
