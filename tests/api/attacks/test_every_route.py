"""A walk over every operation and every page, as each kind of caller: headers, cookies and content types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from http.cookies import SimpleCookie
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.exports.formats import CLOSED
from backend.settings import Settings
from backend.store.repositories import accounts
from backend.store.secrets import digest, new_secret
from backend.store.session import session_scope
from tests.accounts import add_account, browser_headers
from tests.api.attacks.arena import Arena
from tests.api.client import BASE
from tests.api.test_authorisation import OPERATIONS
from tests.services import ROOT

HTTPS: Final = "https://plimsoll.example.org"
DOCUMENT: Final[dict[str, Any]] = json.loads((ROOT / "docs" / "openapi.json").read_text())
ROUTES: Final = re.findall(r'path: "([^"*]+)"', (ROOT / "frontend/src/app/routes.tsx").read_text())
OTHERS: Final = (
    "/healthz", "/readyz", "/schema/experiment.v1.json", "/api/v1/openapi.json", "/robots.txt", "/nothing",
    "/assets/none.js", "/problems/not-found", "/problems/none", "/x/aaaaaaaaaaaaaaaaaaaaaa/embed",
    "/favicon.ico",
)  # fmt: skip
EVERYWHERE: Final = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
POLICY: Final = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "font-src 'self'", "manifest-src 'self'", "frame-ancestors 'none'",
    "base-uri 'none'", "form-action 'self'", "object-src 'none'",
}  # fmt: skip
HSTS: Final = "max-age=31536000"


@pytest.fixture(scope="module", params=[BASE, HTTPS])
def reached(arena: Arena, request: pytest.FixtureRequest) -> Iterator[Arena]:
    """The same server by plain http on loopback, and by https and its name; with a page."""
    given = {} if request.param == BASE else {"public_url": HTTPS}
    settings: Settings = arena.settings.model_copy(update=given)
    settings.page_dir.mkdir(parents=True, exist_ok=True)
    (settings.page_dir / "index.html").write_text((ROOT / "frontend" / "index.html").read_text())
    (settings.page_dir / "robots.txt").write_text("User-agent: *")
    with TestClient(create_app(settings), base_url=request.param, follow_redirects=False) as api:
        account = add_account(settings, installation_admin=True)
        callers = {"anonymous": {}, "installation": browser_headers(settings, account)}
        yield replace(arena, settings=settings, api=api, callers=callers)


def check(answer: Any, path: str, is_https: bool) -> None:
    """Everything that a response must carry, whatever its status."""
    headers = answer.headers
    where = f"{answer.request.method} {path} {answer.status_code}"
    for name, value in EVERYWHERE.items():
        assert headers[name] == value, (where, name)
    policy = headers["content-security-policy"]
    assert set(policy.split("; ")) == POLICY or policy == CLOSED, (where, policy)
    assert headers.get("strict-transport-security") == (HSTS if is_https else None), where
    assert len(headers["x-request-id"]) == 16
    assert not {name for name in headers if name.startswith("access-control-")}, where
    assert not {"server", "x-powered-by"} & set(headers), where
    if answer.content:
        assert headers["content-type"].partition(";")[0] in TYPES, (where, headers["content-type"])
    if answer.status_code >= 400 and path.startswith("/api/"):
        assert (
            headers["content-type"] == "application/problem+json" and headers["cache-control"] == "no-store"
        )
    elif path.startswith("/api/") and path != "/api/v1/openapi.json":
        kept = set(headers["cache-control"].split(", "))
        assert "no-store" in kept or {"private", "no-cache"} <= kept, (where, kept)
    for cookie in headers.get_list("set-cookie"):
        check_cookie(cookie, is_https)


TYPES: Final = {
    "application/json", "application/problem+json", "application/schema+json", "text/html", "text/plain",
    "text/csv", "text/markdown", "text/event-stream", "text/x-shellscript", "image/svg+xml", "image/png",
}  # fmt: skip


def check_cookie(header: str, is_https: bool) -> None:
    """No script reads it, no other site sends it along with a form, no other host gets it."""
    ((name, found),) = SimpleCookie(header).items()
    assert found["httponly"] and found["samesite"].lower() == "lax", header
    assert not found["domain"], header
    assert bool(found["secure"]) is is_https, header
    if found["path"] == "/":
        assert name.startswith("__Host-") is is_https, header


@pytest.mark.parametrize("caller", ["anonymous", "installation"])
def test_every_operation(reached: Arena, caller: str) -> None:
    is_https = str(reached.api.base_url).startswith("https")
    missing = {name: value[:4] + "0" * 16 for name, value in reached.own.items()}
    for operation in OPERATIONS:
        reads = operation.method == "GET" and operation.id != "streamRun"
        for objects in (reached.own, missing) if reads else (missing,):
            body = {} if operation.method in ("GET", "DELETE") else {"json": {"unknown": 1}}
            url = operation.url(objects)
            if not body and not reads and "0000" not in url:
                continue  # it would end the session of this walk
            answer = reached.api.request(operation.method, url, headers=reached.callers[caller], **body)
            assert answer.status_code < 500, (operation.id, answer.text)
            check(answer, url, is_https)
            reached.api.cookies.clear()


@pytest.mark.parametrize("caller", ["anonymous", "installation"])
def test_every_page(reached: Arena, caller: str) -> None:
    is_https = str(reached.api.base_url).startswith("https")
    assert len(ROUTES) >= 15 and {"/", "/shared", "/sign-in"} <= set(ROUTES)
    for path in (*(re.sub(r":\w+", "run_0", route) for route in ROUTES), *OTHERS):
        for method in ("GET", "HEAD", "POST"):
            answer = reached.api.request(method, path, headers=reached.callers[caller])
            assert answer.status_code in (200, 204, 404, 405, 503), (path, answer.status_code)
            if not path.endswith("/embed") or answer.status_code >= 400:
                check(answer, path, is_https)
            if path in ("/shared", "/x/run_0"):
                assert answer.headers["cache-control"] == "no-store"


def test_the_cookies_of_a_sign_in_and_of_its_end(reached: Arena) -> None:
    is_https = str(reached.api.base_url).startswith("https")
    link = new_secret()
    with session_scope(reached.settings) as session:
        lifetime = session.scalar(text("SELECT interval '1 hour'"))
        accounts.add_sign_in_link(session, add_account(reached.settings), digest(link), lifetime)
    signed_in = reached.api.post("/api/v1/sessions", json={"link": link})
    cookie, device = signed_in.headers.get_list("set-cookie")
    check(signed_in, "/api/v1/sessions", is_https)
    name, _, value = cookie.partition(";")[0].partition("=")
    assert name in reached.callers["installation"]["Cookie"], "the name that the server reads"
    assert device.startswith(f"{name}-device=") and "HttpOnly" in device
    headers = {"Cookie": f"{name}={value}"}
    document = reached.api.get("/api/v1/session", headers=headers).json()
    ended = reached.api.delete("/api/v1/session", headers=headers | {"X-CSRF-Token": document["csrf_token"]})
    check(ended, "/api/v1/session", is_https)
    (gone,) = ended.headers.get_list("set-cookie")
    assert gone.startswith(f"{name}=") and "Max-Age=0" in gone
    reached.api.cookies.clear()
