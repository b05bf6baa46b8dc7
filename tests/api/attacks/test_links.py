"""A share link opens one result and nothing else; names in URLs choose from a list and never a file."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import pytest

from tests.api.attacks.arena import Arena
from tests.api.attacks.test_secrets import logging_to
from tests.api.client import BASE, problem_of
from tests.api.test_authorisation import OPERATIONS
from tests.api.test_share_pages import HOSTILE
from tests.services import ROOT

OPEN: Final = "/api/v1/shares:open"
ADDRESSES: Final = re.compile(r'(?:src|href|content|srcset|action|poster|data)="([^"]*)"')
OTHER_NAMES: Final = (
    "%2e%2e", "..%2f..%2fetc%2fpasswd", "%2e%2e%2f", "..%5c..", "....//", "%00", "json%00",
    "/etc/passwd", "~root", "-o", "json;id", "JSON", "a" * 5000, "json.bak", "\u202ejson", "CON",
    "html/",
)  # fmt: skip


def share(arena: Arena, **body: Any) -> dict[str, Any]:
    """A new link to the own run."""
    url = f"/api/v1/runs/{arena.own['run_id']}/shares"
    made = arena.api.post(url, json=body, headers=arena.callers["admin"])
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


@pytest.mark.parametrize("kind", ["private", "unfurl"])
@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_a_link_that_has_ended(arena: Arena, kind: str, end: str) -> None:
    made = share(arena, kind=kind)
    body = {"token": made["token"]}
    assert arena.api.post(OPEN, json=body).status_code == 200
    if end == "revoked":
        url = f"/api/v1/shares/{made['id']}"
        assert arena.api.delete(url, headers=arena.callers["admin"]).status_code == 204
    else:
        arena.execute("UPDATE share SET expires_at = clock_timestamp() WHERE id = :id", id=made["id"])
    arena.refused("POST", OPEN, 410, f"share_{end}", caller="anonymous", action="openShare", json=body)
    for rest in ("", "/embed", "/image.png", "/image.svg"):
        gone = arena.api.get(f"/x/{made['token']}{rest}")
        assert gone.status_code == 404 and gone.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("kind", ["private", "unfurl"])
def test_the_token_of_a_link_is_no_credential_for_any_operation(arena: Arena, kind: str) -> None:
    token = share(arena, kind=kind)["token"]
    name = arena.callers["admin"]["Cookie"].partition("=")[0]
    for headers in (
        {"Authorization": f"Bearer {token}"},
        {"Cookie": f"{name}={token}", "X-CSRF-Token": token},
    ):
        before = arena.state()
        for operation in OPERATIONS:
            if operation.permission != "public":
                body = {} if operation.method in ("GET", "DELETE") else {"json": {}}
                url = operation.url(arena.own)
                answer = arena.api.request(operation.method, url, headers=headers, **body)
                problem_of(answer, 401, "unauthenticated")
        assert arena.state() == before


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """The log of the test."""
    with logging_to(io.StringIO()) as stream:
        yield stream


def test_pages_of_a_link_lead_to_this_server_only_and_its_token_is_in_no_log(
    arena: Arena, logged: io.StringIO
) -> None:
    settings = arena.settings
    settings.page_dir.mkdir(parents=True, exist_ok=True)
    (settings.page_dir / "index.html").write_text((ROOT / "frontend" / "index.html").read_text())
    made = share(arena, kind="unfurl", title=HOSTILE)
    private = share(arena)
    pages = [made["url"] + rest for rest in ("", "/embed", "/image.svg", "/image.png")] + ["/shared"]
    seen: set[str] = set()
    while pages:
        path = pages.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = arena.api.get(path, headers={"Referer": f"{BASE}{made['url']}"})
        assert answer.headers["referrer-policy"] == "no-referrer", "what the page requests names it to nobody"
        if made["url"] in path or path == "/shared":
            assert answer.headers["x-robots-tag"] == "noindex, nofollow"
            assert "image" in path or answer.headers["cache-control"] == "no-store"
        if answer.headers["content-type"].startswith("text/html"):
            for found in ADDRESSES.findall(answer.text):
                address = urljoin(f"{BASE}{path}", html.unescape(found).split(" ")[0])
                if re.match(r"(https?:)?//|/", html.unescape(found)):
                    parts = urlsplit(address)
                    assert f"{parts.scheme}://{parts.netloc}" in (BASE, settings.base_url), address
                    pages.append(parts.path + (f"?{parts.query}" if parts.query else ""))
    assert len(seen) >= 6, seen
    assert arena.api.post(OPEN, json={"token": private["token"]}).status_code == 200
    for token in (made["token"], private["token"]):
        assert token not in logged.getvalue()
    assert '"route": "/x/{token}' in logged.getvalue()


def test_names_of_files_and_formats_are_those_of_a_list(arena: Arena) -> None:
    run, trial = arena.own["run_id"], arena.own["trial_id"]
    secret = "root:x:"
    before = arena.state()
    for prefix in (
        f"/api/v1/runs/{run}/exports/",
        f"/api/v1/trials/{trial}/exports/",
        f"/api/v1/runs/{run}/cells/",
        "/assets/",
        f"/x/{'a' * 22}/",
        "/problems/",
    ):
        for name in OTHER_NAMES:
            answer = arena.api.get(prefix + name, headers=arena.callers["admin"])
            leaves = "%2" in name or "%5" in name or "/" in name
            if answer.status_code == 422 and not leaves:
                assert answer.json()["code"] in ("unknown_format", "unknown_picture"), answer.text
            elif prefix.startswith("/x/"):
                assert answer.status_code == 404  # a page, where it was built
            else:
                problem_of(answer, 404, "not_found")
            assert secret not in answer.text
    assert arena.state() == before


def test_the_name_of_an_exported_file_is_made_of_plain_letters(arena: Arena) -> None:
    title = 'x"\\ ; filename="../../evil.sh" \u4ee3'
    run = arena.finished_run(name="plain", title=title)
    for name in ("benchstat", "csv-long", "json", "html"):
        answer = arena.api.get(f"/api/v1/runs/{run}/exports/{name}", headers=arena.callers["admin"])
        assert answer.status_code == 200
        disposition = answer.headers["content-disposition"]
        assert re.fullmatch(r'(attachment|inline); filename="[A-Za-z0-9_.-]+"', disposition), disposition
        assert ".." not in disposition
