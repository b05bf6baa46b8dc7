"""Reads and changes the caller's own account."""

from __future__ import annotations

from backend.api.access.actor import Actor
from backend.api.account.schemas import Account, AccountChange
from backend.core.errors import Invalid
from backend.settings import Settings
from backend.store.repositories import profiles
from backend.store.session import session_scope


def read(settings: Settings, actor: Actor) -> Account:
    """The caller's account."""
    with session_scope(settings) as session:
        return Account.model_validate(profiles.read(session, actor.account_id))


def change(settings: Settings, actor: Actor, given: AccountChange) -> Account:
    """Change name or email address. Raises Invalid for the address of another account."""
    fields: dict[str, str | None] = {} if given.name is None else {"name": given.name}
    if "email" in given.model_fields_set:
        fields["email"] = given.email
    with session_scope(settings) as session:
        if not profiles.change(session, actor.account_id, fields):
            raise Invalid.at("/email", "email_taken", "another account has this address")
        return Account.model_validate(profiles.read(session, actor.account_id))
