"""Every secret that the server gives out or is given: in no dump of its stores and in no line of its log."""

from __future__ import annotations

import io
import logging
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyotp
import pytest
from sqlalchemy import make_url, text

from backend.api.access.authentication import cookie_name, csrf_token
from backend.api.identity import second_factor
from backend.logs.configuration import formatter
from backend.store.repositories import accounts
from backend.store.secrets import digest, new_secret
from backend.store.session import session_scope
from tests.accounts import add_account, browser_headers
from tests.api.attacks.arena import Arena
from tests.services import PostgresServer


@contextmanager
def logging_to(stream: io.StringIO) -> Iterator[io.StringIO]:
    """Everything that this process logs meanwhile, in the form in which the product writes it."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(as_text=False))
    handler.addFilter(lambda record: not record.name.startswith("http"))  # the test's own client
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield stream
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """The log of the test."""
    with logging_to(io.StringIO()) as stream:
        yield stream


def post(arena: Arena, path: str, body: Any, headers: dict[str, str]) -> dict[str, Any]:
    answer = arena.api.post(f"/api/v1/{path}", json=body, headers=headers)
    assert answer.status_code in (200, 201), answer.text
    found: dict[str, Any] = answer.json()
    return found


def issue(arena: Arena) -> dict[str, str]:
    """At least one secret of every kind of which only a hash is kept, by what it is."""
    settings, admin, link = arena.settings, arena.callers["admin"], new_secret()
    with session_scope(settings) as session:
        lifetime = session.scalar(text("SELECT interval '1 hour'"))
        accounts.add_sign_in_link(session, add_account(settings), digest(link), lifetime)
    signed_in = arena.api.post("/api/v1/sessions", json={"link": link})
    assert signed_in.status_code == 204
    cookie = signed_in.cookies[cookie_name(settings)]
    arena.api.cookies.clear()
    found = {"sign-in link": link, "session": cookie, "CSRF token": csrf_token(cookie)}
    new_token = {"name": "one", "scopes": ["run:read"], "expires_in_days": 1}
    found["token"] = post(arena, "tokens", new_token, admin)["token"]
    run = arena.own["run_id"]
    for kind in ("private", "unfurl"):
        found[f"{kind} link"] = post(arena, f"runs/{run}/shares", {"kind": kind}, admin)["token"]
    for number in range(2):
        made = post(arena, "invitations", {"role": "viewer"}, admin)
        found[f"invitation {number}"] = made["url"].partition("#")[2]
    return found | with_password(arena, found["invitation 1"]) | of_a_device(arena)


def with_password(arena: Arena, invitation: str) -> dict[str, str]:
    """An account with a password, which signs in by it, mistypes it and changes it."""
    first, second, wrong = (f"{word} {new_secret()[:16]}" for word in ("first", "second", "wrong"))
    who = {"email": "pia@example.org"}
    body = {"link": invitation, "name": "Pia", "password": first}
    accepted = arena.api.post("/api/v1/invitations:accept", json=who | body)
    assert accepted.status_code < 300, accepted.text
    arena.api.cookies.clear()
    mistyped = arena.api.post("/api/v1/sessions", json=who | {"password": wrong})
    assert mistyped.status_code == 401, mistyped.text
    signed_in = arena.api.post("/api/v1/sessions", json=who | {"password": first})
    assert signed_in.status_code == 204, signed_in.text
    cookie = signed_in.cookies[cookie_name(arena.settings)]
    arena.api.cookies.clear()
    headers = {"Cookie": f"{cookie_name(arena.settings)}={cookie}", "X-CSRF-Token": csrf_token(cookie)}
    change = {"current_password": first, "new_password": second}
    changed = arena.api.put("/api/v1/account/password", json=change, headers=headers)
    assert changed.status_code == 204, changed.text
    arena.api.cookies.clear()
    return {"password": first, "new password": second, "wrong password": wrong, "its session": cookie}


def of_a_device(arena: Arena) -> dict[str, str]:
    """The codes of an authorization of a command line, and its token."""
    admin, scopes = arena.callers["admin"], ["run:read"]
    begun = post(arena, "device-authorizations", {"client_name": "laptop", "scopes": scopes}, {})
    team = arena.api.get("/api/v1/session", headers=admin).json()["team"]["id"]
    approval = {"user_code": begun["user_code"], "team_id": team, "scopes": scopes, "expires_in_days": 1}
    approved = arena.api.post("/api/v1/device-authorizations:approve", json=approval, headers=admin)
    assert approved.status_code == 204, approved.text
    given = post(arena, "device-authorizations:token", {"device_code": begun["device_code"]}, {})
    return {"device code": begun["device_code"], "token of the device": given["access_token"]}


def factor(arena: Arena) -> tuple[str, list[str], str]:
    """The secret of a second factor, its recovery codes, and one of its codes."""
    account = add_account(arena.settings)
    with session_scope(arena.settings) as session:
        enrolment = second_factor.begin(session, account, "ada@example.org")
        assert enrolment is not None
    app = pyotp.TOTP(enrolment.secret)
    with session_scope(arena.settings) as session:
        codes = second_factor.confirm(session, account, app.at(1_800_000_000), lambda: 1_800_000_000.0)
    assert codes
    return enrolment.secret, list(codes), app.at(1_800_000_000)


def use_everywhere(arena: Arena, secret: str) -> None:
    """Present a secret where it belongs and where it does not."""
    used = {"Authorization": f"Bearer {secret}", "Cookie": f"s={secret}", "Referer": f"http://a/x/{secret}"}
    for headers in (used, {"Authorization": f"Bearer {secret}"}, {"Cookie": used["Cookie"]}):
        for url in (
            f"/x/{secret}",
            f"/api/v1/{secret}?token={secret}&access_token={secret}",
            f"/api/v1/runs/{secret}",
            f"/api/v1/runs?cursor={secret}",
            f"/shared?{secret}",
            f"/api/v1/sign-in/oidc/callback?code={secret}&state={secret}",
        ):
            arena.api.get(url, headers=headers)
        arena.api.delete(f"/api/v1/shares/{secret}", headers=headers)
        arena.api.post(f"/api/v1/runs/{secret}:cancel", json={}, headers=headers)
    for path, body in (
        ("shares:open", {"token": secret}),
        ("sessions", {"link": secret}),
        ("invitations:accept", {"link": secret, "name": "x"}),
        ("invitations:accept", {"link": secret, "password": secret, "name": "x"}),
        ("sessions", {"link": secret, "password": secret}),
        ("tokens", {"name": secret * 9}),
    ):
        arena.api.post(f"/api/v1/{path}", json=body)
        arena.api.post(f"/api/v1/{path}", json=body, headers=arena.callers["admin"])
    arena.api.cookies.clear()


def dump(arena: Arena, postgres: PostgresServer) -> str:
    name = make_url(arena.owner.database_url).database
    argv = ["pg_dump", "-h", str(postgres.home), "-U", postgres.user, str(name)]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def test_no_secret_is_in_a_dump_or_a_log(arena: Arena, postgres: PostgresServer, logged: io.StringIO) -> None:
    issued = issue(arena)
    totp, codes, code = factor(arena)
    issued |= {f"recovery code {number}": each for number, each in enumerate(codes)}
    hook = post(arena, "webhooks", {"url": "https://8.8.8.8/"}, arena.callers["admin"])
    arena.api.post(f"/api/v1/webhooks/{hook['id']}:test", json={}, headers=arena.callers["admin"])
    for secret in issued.values():
        assert len(secret) >= 10
        use_everywhere(arena, secret)
    use_everywhere(arena, totp)
    use_everywhere(arena, hook["secret"])
    redis = arena.redis.client()
    stored = repr([(key, redis.dump(key)) for key in redis.scan_iter()])
    searched = {"database": dump(arena, postgres), "Redis": stored, "log": logged.getvalue()}
    assert "browser_session" in searched["database"] and "/api/v1/shares:open" in searched["log"]
    hits = [
        (place, kind) for place, shown in searched.items() for kind, one in issued.items() if one in shown
    ]
    assert hits == []
    # What the server itself computes with is stored as it is, and nowhere else.
    for secret in (totp, hook["secret"]):
        assert secret in searched["database"]
        assert secret not in searched["Redis"] and secret not in searched["log"]
    # Its six digits can be those of a time, too.
    assert code not in re.sub(r'"time": "[^"]*"', "", searched["log"])


def test_a_credential_in_a_url_is_in_no_log(arena: Arena, logged: io.StringIO) -> None:
    headers = browser_headers(arena.settings, add_account(arena.settings))
    token = post(arena, "tokens", {"name": "a", "scopes": ["run:read"], "expires_in_days": 1}, headers)[
        "token"
    ]
    for name in ("token", "access_token", "api_key", "session", "link", "authorization"):
        answer = arena.api.get(f"/api/v1/runs?{name}={token}")
        assert answer.status_code == 401 and token not in answer.text
    assert '"/api/v1/runs"' in logged.getvalue() and token not in logged.getvalue()
    assert token[10:] not in logged.getvalue()
