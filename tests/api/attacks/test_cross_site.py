"""What another site can make a browser send, other media types, and methods that are not documented."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from sqlalchemy import text

from backend.api.access.authentication import CSRF_HEADER, cookie_name
from backend.store.repositories import accounts
from backend.store.secrets import digest, new_secret
from backend.store.session import session_scope
from tests.accounts import add_account, browser_headers
from tests.api.attacks.arena import Arena, changes
from tests.api.client import problem_of
from tests.api.test_authorisation import OPERATIONS
from tests.api.test_response_headers import ALSO
from tests.services import ROOT

PATHS: Final[dict[str, Any]] = json.loads((ROOT / "docs" / "openapi.json").read_text())["paths"]
OF_BROWSERS: Final = [one for one in OPERATIONS if one.permission != "worker"]
"""Without those of enrolled hosts, which accept no cookie (tests/api/test_worker_access.py)."""
CHANGING: Final = [one for one in OF_BROWSERS if changes(one)]
READING_A_BODY: Final = [one for one in OF_BROWSERS if "requestBody" in PATHS[one.path][one.method.lower()]]
FORMS: Final = (
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/html",
)
OVERRIDES: Final = dict.fromkeys(("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"), "DELETE")
FOREIGN: Final = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:8420.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
)


@pytest.mark.parametrize("given", [None, "", "0" * 32, "another session's"])
def test_every_change_needs_the_token_of_its_session(arena: Arena, given: str | None) -> None:
    cookie = {"Cookie": arena.callers["installation"]["Cookie"]}
    if given == "another session's":
        given = arena.callers["outsider"][CSRF_HEADER]
    headers = cookie | ({} if given is None else {CSRF_HEADER: given})
    with arena.unchanged():
        for operation in CHANGING:
            arena.refuses(operation, 403, "csrf", "anonymous", headers=headers)


def test_every_change_is_refused_to_another_origin(arena: Arena) -> None:
    """Before routing, so that it is in the log of requests and not in that of operations."""
    with arena.unchanged():
        for operation in CHANGING:
            for foreign in FOREIGN:
                url = operation.url(arena.own)
                arena.refused(
                    operation.method,
                    url,
                    403,
                    "cross_origin",
                    caller="installation",
                    headers=foreign,
                    json={},
                )


def test_a_form_of_another_site_changes_nothing(arena: Arena) -> None:
    """As a browser sends it: the cookie, no header of the page, and a type that needs no preflight."""
    cookie = {"Cookie": arena.callers["admin"]["Cookie"]}
    runs = f"/api/v1/experiments/{arena.own['experiment_id']}/runs"
    for media in FORMS:
        headers = {"Content-Type": media, "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        arena.refused(
            "POST", runs, 403, "cross_origin", caller="anonymous", headers=cookie | headers, content=b"{}"
        )
        older = cookie | {"Content-Type": media}  # a browser without these headers
        arena.refused(
            "POST", runs, 403, "csrf", caller="anonymous", action="startRun", headers=older, content=b"{}"
        )


def test_json_in_another_type_is_not_read(arena: Arena) -> None:
    with arena.unchanged():
        for operation in READING_A_BODY:
            for media in FORMS:
                arena.refused(
                    operation.method, operation.url(arena.own), 415, "unsupported_media_type",
                    caller="installation", action=operation.id, headers={"Content-Type": media},
                    content=b"{}",
                )  # fmt: skip


def test_a_method_that_is_not_documented_does_nothing(arena: Arena) -> None:
    before = arena.state()
    for path, operations in PATHS.items():
        url = next(one for one in OPERATIONS if one.path == path).url(arena.own)
        for method in ("TRACE", "OPTIONS", "BREW"):
            answer = arena.api.request(method, url, headers=arena.callers["installation"] | OVERRIDES)
            problem_of(answer, 405, "method_not_allowed")
            allowed = {name.upper() for name in operations} | ALSO.get(path, set())
            assert set(answer.headers["allow"].split(", ")) == allowed
            assert arena.callers["installation"][CSRF_HEADER] not in answer.text
    assert arena.state() == before


def test_an_override_of_the_method_deletes_nothing(arena: Arena) -> None:
    run = f"/api/v1/runs/{arena.own['run_id']}"
    before = arena.state()
    for query in ("", "?_method=DELETE"):
        answer = arena.api.get(run + query, headers=arena.callers["admin"] | OVERRIDES)
        assert answer.status_code == 200
    assert arena.state() == before
    arena.refused("POST", run, 405, "method_not_allowed", headers=OVERRIDES, json={"_method": "DELETE"})


def test_a_session_that_somebody_chose_is_not_used(arena: Arena) -> None:
    """Fixation: the cookie before the sign-in, known to an attacker, is worth nothing after it."""
    settings, api = arena.settings, arena.api
    name, planted, link = cookie_name(settings), new_secret(), new_secret()
    with session_scope(settings) as session:
        lifetime = session.scalar(text("SELECT interval '1 hour'"))
        accounts.add_sign_in_link(session, add_account(settings), digest(link), lifetime)
    before = {"Cookie": f"{name}={planted}"}
    signed_in = api.post("/api/v1/sessions", json={"link": link}, headers=before)
    assert signed_in.status_code == 204, signed_in.text
    given = signed_in.cookies[name]
    api.cookies.clear()
    assert given != planted and len(given) >= 30
    assert api.get("/api/v1/runs", headers={"Cookie": f"{name}={given}"}).status_code == 200
    arena.refused(
        "GET", "/api/v1/runs", 401, "unauthenticated", caller="anonymous", headers=before, action="listRuns"
    )


def test_a_sign_in_ends_the_session_that_the_browser_had(arena: Arena) -> None:
    settings, api, link = arena.settings, arena.api, new_secret()
    earlier = browser_headers(settings, add_account(settings, "viewer"))
    with session_scope(settings) as session:
        lifetime = session.scalar(text("SELECT interval '1 hour'"))
        accounts.add_sign_in_link(session, add_account(settings), digest(link), lifetime)
    signed_in = api.post("/api/v1/sessions", json={"link": link}, headers=earlier)
    assert signed_in.status_code == 204
    assert signed_in.cookies[cookie_name(settings)] not in earlier["Cookie"]
    api.cookies.clear()
    arena.refused(
        "GET", "/api/v1/runs", 401, "unauthenticated", caller="anonymous", headers=earlier, action="listRuns"
    )


@pytest.mark.parametrize(
    "cookie",
    ["plimsoll={secret}", "__Host-{name}={secret}", "__Secure-{name}={secret}", "session={secret}",
     "{name}=v1.{secret}", '{name}="{secret}"x', "{name}=" + "x" * 5000],
)  # fmt: skip
def test_a_cookie_of_another_release_is_no_session(arena: Arena, cookie: str) -> None:
    """Of another name or form: the page gets the same answer as without a cookie, and offers to sign in."""
    name, _, secret = arena.callers["admin"]["Cookie"].partition("=")
    given = {"Cookie": cookie.format(name=name, secret=secret)}
    answer = arena.api.get("/api/v1/runs", headers=given)
    problem_of(answer, 401, "unauthenticated")
    assert "set-cookie" not in answer.headers


def test_a_cookie_after_signing_out_is_worth_nothing(arena: Arena) -> None:
    headers = browser_headers(arena.settings, add_account(arena.settings))
    out = arena.api.delete("/api/v1/session", headers=headers)
    assert out.status_code == 204 and "Max-Age=0" in out.headers["set-cookie"]
    with arena.unchanged():
        for operation in OPERATIONS:
            if operation.permission != "public":
                arena.refuses(operation, 401, "unauthenticated", "anonymous", headers=headers)
