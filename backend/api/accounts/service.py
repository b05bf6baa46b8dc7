"""Lists, disables and deletes accounts, and makes sign-in links, for administrators of the installation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.access.guard import NOT_INSTALLATION_ADMIN
from backend.api.accounts.schemas import (
    AccountAccess,
    AccountEntry,
    AccountList,
    AccountQuery,
    NewSignInLink,
    SignInLinkStart,
)
from backend.api.errors import Forbidden
from backend.api.paging import read_rows
from backend.core.errors import Conflict, Invalid, NotFound
from backend.settings import Settings
from backend.store.ids import is_id
from backend.store.repositories import accounts, all_accounts, profiles
from backend.store.repositories.all_accounts import AccountFilter
from backend.store.secrets import digest, new_secret
from backend.store.session import session_scope, transaction


def read_list(settings: Settings, query: AccountQuery) -> AccountList:
    """One page of the accounts."""
    wanted = AccountFilter(query.text, query.team_id, query.disabled)

    def read(session: Session, limit: int, after: str | None) -> list[all_accounts.ListedAccount]:
        return all_accounts.page(session, limit, after, wanted)

    rows, next_cursor = read_rows(settings, query, read)
    return AccountList(data=tuple(map(AccountEntry.model_validate, rows)), next_cursor=next_cursor)


def set_access(settings: Settings, actor: Actor, account_id: str, change: AccountAccess) -> AccountEntry:
    """Change who may sign in, by which address, and who administers.

    Raises NotFound, Conflict, Forbidden, and Invalid for an address that cannot be set.
    """
    takes_away = bool(change.disabled) or change.installation_admin is False
    is_empty = change.disabled is None and change.installation_admin is None

    def work(session: Session) -> AccountEntry:
        _lock(session, actor, _account(account_id), takes_away)
        if not is_empty:
            all_accounts.set_access(session, account_id, change.disabled, change.installation_admin)
        if "email" in change.model_fields_set:
            _set_email(session, account_id, change.email)
        return AccountEntry.model_validate(all_accounts.read(session, account_id))

    return transaction(settings, work)


def _set_email(session: Session, account_id: str, email: str | None) -> None:
    """Replace or remove an address. Raises Invalid for one that is taken, and for none beside a password."""
    if email is None and all_accounts.read(session, account_id).has_password:
        raise Invalid.at("/email", "email_needed", "the account signs in with this address and its password")
    if not profiles.change(session, account_id, {"email": email}):
        raise Invalid.at("/email", "email_taken", "another account has this address")


def delete(settings: Settings, actor: Actor, account_id: str) -> None:
    """Delete a disabled account. Raises NotFound and Conflict."""

    def work(session: Session) -> None:
        _lock(session, actor, _account(account_id), takes_away=True)
        all_accounts.remove(session, account_id)

    transaction(settings, work)


def _lock(session: Session, actor: Actor, account_id: str, takes_away: bool) -> None:
    """Wait for other changes of access. Raises Forbidden if one of them ended the caller's own."""
    if not all_accounts.lock_access(session, actor.account_id):
        raise Forbidden("forbidden", NOT_INSTALLATION_ADMIN)
    if takes_away and account_id == actor.account_id:
        raise Conflict("this is your own account: ask another administrator", "own_account")


def create_link(settings: Settings, actor: Actor, account_id: str, start: SignInLinkStart) -> NewSignInLink:
    """Store a new sign-in link, the only one that works. Raises NotFound and Conflict."""
    secret, lifetime = new_secret(), timedelta(minutes=start.expires_in_minutes)
    with session_scope(settings) as session:
        _lock(session, actor, _account(account_id), takes_away=False)
        if all_accounts.read(session, account_id).disabled:
            raise Conflict("the account is disabled: enable it first", "account_disabled")
        accounts.revoke_sign_in_links(session, account_id)
        link_id = accounts.add_sign_in_link(session, account_id, digest(secret), lifetime, actor.account_id)
    url = f"{settings.base_url}/sign-in#{secret}"
    return NewSignInLink(id=link_id, url=url, expires_at=datetime.now(UTC) + lifetime)


def _account(account_id: str) -> str:
    if not is_id("acc", account_id):
        raise NotFound("there is no such account")
    return account_id
