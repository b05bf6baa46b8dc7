"""Accounts, sessions and tokens for tests, stored as sign-in and the token page store them."""

from __future__ import annotations

import os

from sqlalchemy import insert

from backend.api.access.actor import SCOPES, Role
from backend.api.access.authentication import CSRF_HEADER, cookie_name, csrf_token
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM, Team
from backend.store.repositories import accounts, callers
from backend.store.secrets import SHOWN, digest, new_secret, new_token
from backend.store.session import session_scope

OTHER_TEAM = "tem_1111111111111111"


def add_team(settings: Settings, team_id: str = OTHER_TEAM, name: str = "Other") -> str:
    """Store another team."""
    with session_scope(settings) as session:
        session.execute(insert(Team).values(id=team_id, name=name))
    return team_id


def add_account(
    settings: Settings,
    role: Role | None = "admin",
    team_id: str = DEFAULT_TEAM,
    name: str = "Ada",
    installation_admin: bool = False,
) -> str:
    """Store an account with a role in a team, or in none."""
    with session_scope(settings) as session:
        account_id = accounts.add(session, name, None, installation_admin)
        if role is not None:
            accounts.join(session, account_id, team_id, role)
    return account_id


def browser_headers(settings: Settings, account_id: str) -> dict[str, str]:
    """The headers of a browser in which this account is signed in, with its CSRF token."""
    cookie = new_secret()
    with session_scope(settings) as session:
        callers.add_session(session, account_id, digest(cookie), "link", "127.0.0.1", "test", 1)
    return {"Cookie": f"{cookie_name(settings)}={cookie}", CSRF_HEADER: csrf_token(cookie)}


def signed_in(settings: Settings) -> dict[str, str]:
    """The headers of a browser in which a new administrator of the default team is signed in."""
    return browser_headers(settings, add_account(settings))


def add_token(
    settings: Settings, account_id: str, team_id: str = DEFAULT_TEAM, scopes: tuple[str, ...] = SCOPES
) -> str:
    """A token of an account."""
    token = new_token()
    with session_scope(settings) as session:
        callers.add_token(session, account_id, team_id, "test", token[:SHOWN], digest(token), scopes, None)
    return token


def token_headers(settings: Settings, role: Role = "admin") -> dict[str, str]:
    """The headers of a script with a token of a new account."""
    return {"Authorization": f"Bearer {add_token(settings, add_account(settings, role))}"}


def authorization() -> dict[str, str]:
    """The header of the token that the fixture `served` made."""
    return {"Authorization": f"Bearer {os.environ['PLIMSOLL_TOKEN']}"}
