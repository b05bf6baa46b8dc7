"""`plimsoll admin`: commands on the server itself, which read the database directly."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import typer
from pydantic import ValidationError
from sqlalchemy.orm import Session

from backend.cli import local_access
from backend.cli.failure import USAGE, Failure
from backend.cli.output import Json, print_result
from backend.core.definition.text import is_email
from backend.core.errors import Conflict, Unavailable
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import accounts, all_accounts, audit, callers, profiles, second_factors
from backend.store.repositories.all_accounts import ListedAccount
from backend.store.repositories.audit import Audited
from backend.store.secrets import SHOWN, digest, new_secret, new_token
from backend.store.session import session_scope

LINK_LIFETIME: Final = timedelta(hours=24)
LOCAL: Final = "this host"
LOCAL_SCOPES: Final = ("run:read", "run:write", "run:host-network", "share:write", "admin")

T = TypeVar("T")

admin = typer.Typer(help="Administer this server, on the server itself.", no_args_is_help=True)


@admin.command("link")
def link(
    account: Annotated[
        str, typer.Argument(help="email address or id; by default the first administrator")
    ] = "",
) -> None:
    """Print a link that signs an account in; it works once, within 24 hours."""
    secret = new_secret()
    settings = _in_database(lambda session: _add_link(session, secret, account))
    print(_sign_in_link(settings, secret))


@admin.command("accounts")
def list_accounts(
    text: Annotated[str, typer.Argument(help="part of a name or an email address")] = "",
    as_json: Json = False,
) -> None:
    """List the accounts with their teams, and by what they sign in."""
    found: list[ListedAccount] = []
    _in_database(lambda session: found.extend(all_accounts.everybody(session, text or None)))
    value = {"data": [_in_json(account) for account in found]}
    print_result(value, as_json, "\n".join(map(_account_line, found)) or "no account matches")


@admin.command("disable")
def disable_account(account: Annotated[str, typer.Argument(help="email address or id")]) -> None:
    """Disable an account: its sessions end, and its tokens are refused until it is enabled."""
    _in_database(lambda session: _set_disabled(session, account, disabled=True))
    print(f"{account} is disabled")


@admin.command("enable")
def enable_account(account: Annotated[str, typer.Argument(help="email address or id")]) -> None:
    """Enable a disabled account."""
    _in_database(lambda session: _set_disabled(session, account, disabled=False))
    print(f"{account} is enabled")


@admin.command("email")
def set_email(
    account: Annotated[str, typer.Argument(help="email address or id")],
    email: Annotated[str, typer.Argument(help="the address that the account gets")],
) -> None:
    """Give an account an email address; make sure first that it belongs to the person."""
    _in_database(lambda session: _set_email(session, account, email))
    print(f"{account} has the address {email}")


@admin.command("second-factor-reset")
def reset_second_factor(
    account: Annotated[str, typer.Argument(help="email address or id")],
) -> None:
    """Remove an account's second factor, for somebody who lost the app and the recovery codes."""
    _in_database(lambda session: _remove_factor(session, account))
    print(f"{account} has no second factor now; plimsoll admin link {account} prints a sign-in link")


@admin.command("local-access")
def store_local_access(
    file: Annotated[Path, typer.Argument(help="a file below a directory that only this user can read")],
) -> None:
    """Store a token for the command line on this host, and a sign-in link, in a file.

    The token of an earlier call is revoked.
    """
    secret, token = new_secret(), new_token()

    def work(session: Session) -> None:
        account_id = _add_link(session, secret)
        callers.revoke_named(session, account_id, LOCAL)
        callers.add_token(
            session, account_id, DEFAULT_TEAM, LOCAL, token[:SHOWN], digest(token), LOCAL_SCOPES, None
        )

    settings = _in_database(work)
    environment = {name: value for name, value in os.environ.items() if name.startswith("PLIMSOLL_")}
    link_ = _sign_in_link(settings, secret)
    local_access.write(file, local_access.LocalAccess(settings.base_url, token, link_, environment))


def _add_link(session: Session, secret: str, account: str = "") -> str:
    account_id = _found(session, account) if account else accounts.first_admin(session, DEFAULT_TEAM)
    link_id = accounts.add_sign_in_link(session, account_id, digest(secret), LINK_LIFETIME)
    _audit(session, "createSignInLink", link_id)
    return account_id


def _in_json(account: ListedAccount) -> dict[str, Any]:
    times = {name: value.isoformat() for name, value in vars(account).items() if isinstance(value, datetime)}
    return asdict(account) | times


def _account_line(account: ListedAccount) -> str:
    ways = [
        *(["password"] if account.has_password else []),
        *(["identity provider"] if account.has_provider else []),
        *(["second factor"] if account.has_second_factor else []),
    ]
    marks = [
        *(["administrator of the installation"] if account.installation_admin else []),
        *(["disabled"] if account.disabled else []),
        *(f"{team.role} in {team.name}" for team in account.teams),
        f"signs in by {', '.join(ways) or 'links'}",
    ]
    return f"{account.id}  {account.name} <{account.email or 'no address'}>: {'; '.join(marks)}"


def _set_disabled(session: Session, account: str, disabled: bool) -> None:
    account_id = _found(session, account)
    all_accounts.lock_access(session, None)
    try:
        all_accounts.set_access(session, account_id, disabled, None)
    except Conflict as error:
        raise Failure(str(error), USAGE) from error
    _audit(session, "setAccountAccess", account_id)


def _set_email(session: Session, account: str, email: str) -> None:
    account_id = _found(session, account)
    if not is_email(email):
        raise Failure(f"{email!r} is not an email address", USAGE)
    if not profiles.change(session, account_id, {"email": email}):
        raise Failure(f"another account has the address {email}", USAGE)
    _audit(session, "updateAccount", account_id)


def _remove_factor(session: Session, account: str) -> None:
    account_id = _found(session, account)
    if not second_factors.remove(session, account_id):
        raise Failure(f"{account} has no second factor", USAGE)
    _audit(session, "resetSecondFactor", account_id)


def _found(session: Session, account: str) -> str:
    account_id = accounts.find(session, account)
    if account_id is None:
        raise Failure(f"there is no account {account}: give its email address or its id", USAGE)
    return account_id


def _sign_in_link(settings: Settings, secret: str) -> str:
    """The link; its secret is in the fragment, which browsers do not send and servers do not log."""
    return f"{settings.base_url}/sign-in#{secret}"


def _in_database(work: Callable[[Session], T]) -> Settings:
    try:
        settings = local_access.server_settings()
        with session_scope(settings) as session:
            work(session)
    except ValidationError as error:
        raise Failure(f"invalid setting: {error.errors()[0]['msg']}", USAGE) from error
    except Unavailable as error:
        raise Failure(f"{error}; PLIMSOLL_DATABASE_URL has its address") from error
    return settings


def _audit(session: Session, action: str, object_id: str) -> None:
    entry = Audited(
        team_id=DEFAULT_TEAM,
        account_id=None,
        actor="command on the server",
        token_prefix=None,
        action=action,
        object=object_id,
        status=0,
        code=None,
        address="",
        request_id="",
    )
    audit.add(session, entry)


COMMANDS: Final = {"admin": admin}
