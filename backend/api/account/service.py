"""Reads and changes the caller's own account."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.access.guard import require_recent
from backend.api.account.schemas import Account, AccountChange, PasswordChange
from backend.api.errors import Paused
from backend.api.passwords import hashing
from backend.api.passwords.rules import normalised, require_strong
from backend.core.errors import Conflict, Invalid
from backend.settings import Settings
from backend.store.repositories import browser_sessions, identities, passwords, profiles
from backend.store.repositories.callers import RECENT
from backend.store.repositories.passwords import StoredPassword
from backend.store.session import session_scope

RESET: Final = ("link",)
"""How a browser signed in that sets a new password without the old one."""
NOT_VERIFIED: Final = (
    "an address comes from an invitation to it, from your identity provider, or from an administrator of the "
    "installation, who knows you: on the page Administration, or with plimsoll admin email on the server"
)
Needs = Literal["nothing", "current_password", "recent_sign_in"]


def read(settings: Settings, actor: Actor) -> Account:
    """The caller's account."""
    with session_scope(settings) as session:
        return _document(session, actor)


def change(settings: Settings, actor: Actor, given: AccountChange) -> Account:
    """Change name or email address.

    Raises Invalid for an address that nothing proves to be the caller's, whether or not another account has
    it, and for none where a password needs one.
    """
    fields: dict[str, str | None] = {} if given.name is None else {"name": given.name}
    if "email" in given.model_fields_set:
        fields["email"] = given.email
    with session_scope(settings) as session:
        stored = _locked(session, actor)
        if "email" in fields and given.email is None and stored.hash is not None:
            raise Invalid.at("/email", "email_needed", "you sign in with this address and your password")
        if given.email is not None and not _may_have(session, actor, given.email):
            raise Invalid.at("/email", "email_not_verified", NOT_VERIFIED)
        if not profiles.change(session, actor.account_id, fields):
            raise Invalid.at("/email", "email_taken", "another account has this address")
        return _document(session, actor)


def _may_have(session: Session, actor: Actor, email: str) -> bool:
    """Whether an account may have this address: its own, or one that the provider verified for it.

    An administrator of the installation, who sees all accounts, may have any.
    """
    own = profiles.read(session, actor.account_id).email
    is_own = own is not None and own.lower() == email.lower()
    return actor.installation_admin or is_own or identities.has_verified(session, actor.account_id, email)


def set_password(settings: Settings, actor: Actor, given: PasswordChange) -> None:
    """Give the account a new password and end its other sessions.

    Raises Invalid for a wrong or weak password, Forbidden, Conflict, and Paused after several wrong ones. No
    transaction is open while a hash is computed.
    """
    with session_scope(settings) as session:
        account = _known(passwords.read(session, actor.account_id))
        needs = _needs(session, actor, account)
        if needs == "recent_sign_in":
            require_recent(actor)
    if account.email is None:
        raise Conflict("give your account an email address first: you sign in with it and the password")
    new = normalised(given.new_password)
    require_strong("/new_password", new, account.name, account.email)
    if needs == "current_password":
        _require_current(settings, account, given.current_password)
    new_hash = hashing.hashed(new)
    with session_scope(settings) as session:
        if _locked(session, actor).hash != account.hash:
            raise Conflict("the password was changed in another browser meanwhile")
        passwords.store(session, actor.account_id, new_hash)
        passwords.end_attempts(session, account.email)
        browser_sessions.end_all(session, actor.account_id, but=actor.id)


def _require_current(settings: Settings, account: StoredPassword, current: str | None) -> None:
    """Raise Invalid unless it is the current password, and Paused after several wrong ones."""
    if current is None:
        raise Invalid.at("/current_password", "missing", "your current password")
    own = f"account {account.account_id}"
    with session_scope(settings) as session:
        pause_s = passwords.begin_attempt(session, own)
    if pause_s:
        raise Paused("wrong passwords", pause_s)
    if not hashing.matches(account.hash, normalised(current)):
        raise Invalid.at("/current_password", "password_wrong", "this is not your current password")
    with session_scope(settings) as session:
        passwords.end_attempts(session, own)


def _document(session: Session, actor: Actor) -> Account:
    profile = profiles.read(session, actor.account_id)
    account = _known(passwords.read(session, actor.account_id))
    return Account(
        id=profile.id,
        name=profile.name,
        email=profile.email,
        created_at=profile.created_at,
        has_password=account.hash is not None,
        password_change_needs=_needs(session, actor, account),
    )


def _needs(session: Session, actor: Actor, account: StoredPassword) -> Needs:
    if account.hash is None:
        return "nothing" if actor.signed_in_recently else "recent_sign_in"
    is_reset = browser_sessions.is_recent(session, actor.id, RESET, RECENT)
    return "nothing" if is_reset else "current_password"


def _locked(session: Session, actor: Actor) -> StoredPassword:
    return _known(passwords.lock(session, actor.account_id))


def _known(found: StoredPassword | None) -> StoredPassword:
    assert found is not None, "the caller of a request has an account"
    return found
