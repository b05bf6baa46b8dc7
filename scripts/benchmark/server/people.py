"""Accounts with a signed-in browser and a token each, made anew for a measurement."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from backend.api.access.actor import Role
from backend.api.access.authentication import CSRF_HEADER, cookie_name, csrf_token
from backend.api.passwords.hashing import hashed
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import accounts, callers, passwords
from backend.store.secrets import SHOWN, digest, new_secret, new_token
from backend.store.session import session_scope
from scripts.benchmark.server.documents import TEAMS

SCOPES: Final = ("run:read", "run:write", "run:host-network", "share:write", "admin")
IN_DEFAULT_TEAM: Final = 10
IN_OTHER_TEAMS: Final = 2
DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Person:
    """An account with its password, and the headers of its browser and of its script."""

    account_id: str
    email: str
    password: str
    team_id: str
    by_cookie: dict[str, str]
    by_token: dict[str, str]


def people(settings: Settings) -> list[Person]:
    """Ten members of the default team, the first an administrator, and two of each other team."""
    return [
        person(settings, team_id, "admin" if number == 0 else "runner")
        for team_id in TEAMS
        for number in range(IN_DEFAULT_TEAM if team_id == DEFAULT_TEAM else IN_OTHER_TEAMS)
    ]


def person(settings: Settings, team_id: str, role: Role) -> Person:
    """One account of a team, with a signed-in browser and a token."""
    cookie, token, password = new_secret(), new_token(), new_secret()
    email = f"{secrets.token_hex(8)}@bench.example"
    with session_scope(settings) as session:
        account_id = accounts.add(session, "Somebody", email)
        passwords.store(session, account_id, hashed(password))
        accounts.join(session, account_id, team_id, role)
        callers.add_session(session, account_id, digest(cookie), "link", "127.0.0.1", "bench", 1)
        callers.add_token(session, account_id, team_id, "bench", token[:SHOWN], digest(token), SCOPES, DAY)
    return Person(
        account_id,
        email,
        password,
        team_id,
        {"Cookie": f"{cookie_name(settings)}={cookie}", CSRF_HEADER: csrf_token(cookie)},
        {"Authorization": f"Bearer {token}"},
    )
