"""Which account an identity of the provider signs in to."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from backend.api.access.actor import ROLES, Actor
from backend.api.errors import Forbidden
from backend.api.identity import second_factor
from backend.api.identity.provider import Identity, SignInFailed
from backend.api.identity.schemas import LinkedIdentity, LinkedIdentityList
from backend.api.sessions.service import Browser, Opened, open_session
from backend.core.errors import Conflict, NotFound
from backend.identity_settings import read_group_roles
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import accounts, audit, callers, identities
from backend.store.repositories.audit import Audited
from backend.store.secrets import digest
from backend.store.session import session_scope


@dataclass(frozen=True)
class Visit:
    """The request of a sign-in, for the audit log."""

    browser: Browser
    request_id: str


def sign_in(settings: Settings, identity: Identity, visit: Visit) -> Opened:
    """Open a session of the identity's account. Raises SignInFailed."""
    with session_scope(settings) as session:
        account_id = _account(settings, session, identity)
        opened = open_session(session, account_id, "identity_provider", visit.browser)
        subject = opened.subject
        audit.add(
            session, _entry(visit, "signInByProvider", subject.name, subject.account_id, subject.team_id)
        )
    return opened


def link(settings: Settings, identity: Identity, session_cookie: str, session_id: str, visit: Visit) -> None:
    """Let an identity sign in to the account of the session that began the attempt. Raises SignInFailed."""
    with session_scope(settings) as session:
        caller = callers.by_session(session, digest(session_cookie))
        if caller is None or caller.id != session_id:
            raise SignInFailed("attempt_unknown", "another session than the one that began")
        identities.lock(session, identity.issuer, identity.subject)
        known = identities.account_of(session, identity.issuer, identity.subject)
        if known is not None and known.id != caller.account_id:
            raise SignInFailed("already_linked")
        if known is None:
            identities.add(session, identity.issuer, identity.subject, caller.account_id, identity.email)
        audit.add(session, _entry(visit, "linkIdentity", caller.name, caller.account_id, caller.team_id))


def read_list(settings: Settings, actor: Actor) -> LinkedIdentityList:
    """The identities that sign in to the caller's account."""
    with session_scope(settings) as session:
        found = identities.listed(session, actor.account_id)
    return LinkedIdentityList(
        data=tuple(LinkedIdentity(**vars(one), current=one.issuer == settings.oidc_issuer) for one in found)
    )


def check_linking(settings: Settings, actor: Actor) -> None:
    """Raise Forbidden unless the caller may link an identity.

    A new way to sign in needs the second factor where the account has one: sign-in by the provider counts as
    one.
    """
    with session_scope(settings) as session:
        if not actor.proved_second_factor and second_factor.is_required(session, actor.account_id):
            raise Forbidden(
                "second_factor_not_proved", "enter a code of your second factor at /account first"
            )


def unlink(settings: Settings, actor: Actor, identity_id: str) -> None:
    """Remove an identity. Raises NotFound, and Conflict for the only way to sign in."""
    with session_scope(settings) as session:
        has_password = identities.has_password(session, actor.account_id)
        found = identities.listed(session, actor.account_id)
        if identity_id not in {one.id for one in found}:
            raise NotFound("there is no such identity")
        if not has_password and len(found) == 1:
            raise Conflict("this is the only way to sign in to your account: set a password first")
        identities.unlink(session, actor.account_id, identity_id)


def refused(settings: Settings, failure: SignInFailed, visit: Visit) -> None:
    """Write a sign-in that failed to the audit log."""
    with session_scope(settings) as session:
        audit.add(session, _entry(visit, "signInByProvider", "anonymous", None, None, failure.code))


def _account(settings: Settings, session: Session, identity: Identity) -> str:
    """The account; created where an invitation or the settings allow it. Raises SignInFailed.

    Only issuer and subject identify a person. An account that exists is never taken over by its email
    address: whoever controls the address at a provider could be somebody else.
    """
    identities.lock(session, identity.issuer, identity.subject)
    known = identities.account_of(session, identity.issuer, identity.subject)
    if known is not None:
        if known.disabled:
            raise SignInFailed("account_disabled")
        identities.touch(session, identity.issuer, identity.subject, identity.email)
        return known.id
    if identity.email is None:
        if identity.unverified_email:
            raise SignInFailed("email_unverified", "the provider states an address that it has not verified")
        raise SignInFailed("not_invited", "the provider states no email address")
    if identities.has_email(session, identity.email):
        raise SignInFailed("email_taken")
    roles = identities.take_invitations(session, identity.email)
    if not roles and identity.email.rpartition("@")[2].lower() in settings.oidc_domains:
        roles = {DEFAULT_TEAM: _role(settings, identity.groups)}
    if not roles:
        raise SignInFailed("not_invited")
    account_id = accounts.add(session, identity.name, identity.email)
    for team_id, role in roles.items():
        accounts.join(session, account_id, team_id, role)
    identities.add(session, identity.issuer, identity.subject, account_id, identity.email)
    return account_id


def _role(settings: Settings, groups: tuple[str, ...]) -> str:
    """The highest role of the groups, else the default one."""
    by_group = read_group_roles(settings.oidc_group_roles)
    found = [by_group[group] for group in groups if group in by_group]
    return max(found, key=ROLES.index, default=settings.oidc_default_role)


def _entry(
    visit: Visit,
    action: str,
    name: str,
    account_id: str | None,
    team_id: str | None,
    code: str | None = None,
) -> Audited:
    return Audited(
        team_id=team_id,
        account_id=account_id,
        actor=name,
        token_prefix=None,
        action=action,
        object=account_id,
        status=303 if code is None else 401,
        code=code,
        address=visit.browser.address,
        request_id=visit.request_id,
    )
