"""Pages of unfurling links: what chats see of them, and that without a usable token all are the same."""

from __future__ import annotations

import gzip
import html
import re
import secrets
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.exports.formats import CLOSED
from backend.api.shares import unfurl
from backend.api.shares.schemas import SharedResult
from backend.core.export.pictures.card_svg import Card
from backend.render import images
from backend.settings import Settings
from backend.store.ids import ID_PATTERN
from backend.store.session import session_scope
from tests.accounts import signed_in
from tests.api.client import BASE, DOCUMENT, Worker, problem_of, start_run
from tests.api.test_shares import ENVIRONMENT, PRIVATE, ended, share
from tests.services import ROOT

HOSTILE = "\"><img src=x onerror=alert(1)>'</head><script>"


@pytest.fixture
def built(settings: Settings) -> Path:
    """A page as it is built, without its assets."""
    settings.page_dir.mkdir()
    index = settings.page_dir / "index.html"
    index.write_text((ROOT / "frontend" / "index.html").read_text())
    return index


def tags(page: str) -> dict[str, str]:
    """The meta tags of a page by name or property."""
    found = re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)"', page)
    assert len(found) == len(dict(found)), "a tag twice"
    return {name: html.unescape(value) for name, value in found}


def test_the_page_of_a_link_has_title_verdict_and_absolute_addresses(
    api: TestClient, worker: Worker, settings: Settings, built: Path
) -> None:
    made = share(api, ended(api, worker, ENVIRONMENT), kind="unfurl")
    answer = api.get(made["url"])
    assert answer.status_code == 200 and answer.headers["content-type"] == "text/html; charset=utf-8"
    found = tags(answer.text)
    chart = api.post("/api/v1/shares:open", json={"token": made["token"]}).json()["chart"]
    assert found["og:title"] == found["twitter:title"] == "Two cells"
    assert found["og:description"] == found["description"] == chart["answer"]["sentence"]
    assert (
        found["og:url"] == settings.base_url + made["url"]
        and "<title>Two cells · Plimsoll</title>" in answer.text
    )
    assert found["robots"] == "noindex, nofollow" == answer.headers["x-robots-tag"]
    assert (
        answer.headers["cache-control"] == "no-store" and answer.headers["referrer-policy"] == "no-referrer"
    )
    assert re.findall(ID_PATTERN, answer.text) == []
    assert [word for word in PRIVATE if word in answer.text.lower()] == []
    assert api.head(made["url"]).status_code == 200
    assert "set-cookie" not in answer.headers


def test_texts_of_a_link_are_inert(api: TestClient, worker: Worker, built: Path) -> None:
    run = start_run(api, DOCUMENT | {"title": HOSTILE})["id"]
    worker.finish()
    for made in (share(api, run, kind="unfurl"), share(api, run, kind="unfurl", title=HOSTILE)):
        page = api.get(made["url"]).text
        assert tags(page)["og:title"] == HOSTILE
        assert page.count("<script") == built.read_text().count("<script") and "<img" not in page
        assert page.count("</head>") == 1


def test_controls_and_directions_of_older_texts_are_replaced() -> None:
    shown = unfurl.Preview("a", "b")
    assert unfurl._line("a\u202eb\x1b[31m\n c") == "a\ufffdb\ufffd[31m c"
    assert len(unfurl._line("word " * 100)) == 300
    assert "\\1" in unfurl.page(
        "<title>x</title></head>", "http://h", "t", unfurl.Preview("\\1", shown.verdict)
    )


def comparable(answer: Any) -> tuple[int, str, tuple[tuple[str, str], ...]]:
    """What an answer shows, without the request's own id."""
    identity = answer.headers["x-request-id"]
    headers = {name: value for name, value in answer.headers.items() if value != identity}
    return answer.status_code, answer.text.replace(identity, ""), tuple(sorted(headers.items()))


@pytest.fixture
def unlimited(settings: Settings) -> Iterator[TestClient]:
    """A client of the API without rate limits, as an attacker with many addresses has it."""
    rates = dict.fromkeys(("rate_secret_guesses", "rate_address_writes", "rate_address_reads"), "off")
    app = create_app(settings.model_copy(update=rates))
    with TestClient(app, base_url=BASE, headers=signed_in(settings)) as client:
        yield client


def test_without_a_usable_token_every_page_is_the_same(
    unlimited: TestClient, worker: Worker, settings: Settings, built: Path
) -> None:
    run = ended(unlimited, worker)
    private, revoked, expired = (share(unlimited, run, kind=kind) for kind in ("private", "unfurl", "unfurl"))
    unlimited.delete(f"/api/v1/shares/{revoked['id']}")
    with session_scope(settings) as session:
        expire = text("UPDATE share SET expires_at = clock_timestamp() WHERE id = :id")
        session.execute(expire, {"id": expired["id"]})
    paths = [each["token"] for each in (private, revoked, expired)]
    paths += ["a" * 22, "", "x", "a/b", secrets.token_urlsafe(32)]
    answers = [unlimited.get(f"/x/{path}") for path in paths]
    assert len({comparable(each) for each in answers}) == 1
    assert answers[0].status_code == 404 and "og:" not in answers[0].text
    assert answers[0].headers["cache-control"] == "no-store"
    assert answers[0].headers["x-robots-tag"] == "noindex, nofollow"
    listed = unlimited.get(f"/api/v1/runs/{run}/shares").json()["data"]
    assert [each["last_used_at"] for each in listed] == [None] * 3
    problem_of(unlimited.post(f"/x/{'a' * 22}"), 405, "method_not_allowed")


@pytest.mark.parametrize("guesses", [100, pytest.param(1000, marks=pytest.mark.full)])
def test_guesses_get_the_same_answer(unlimited: TestClient, worker: Worker, guesses: int) -> None:
    run = ended(unlimited, worker)
    for kind in ("private", "unfurl"):
        share(unlimited, run, kind=kind)
    tokens = (secrets.token_urlsafe(32) if number % 2 else secrets.token_hex(11) for number in range(guesses))
    answers = [unlimited.post("/api/v1/shares:open", json={"token": token}) for token in tokens]
    assert len({comparable(each) for each in answers}) == 1
    problem_of(answers[0], 404, "not_found")


def test_guessed_pages_meet_a_limit_and_pictures_do_not(settings: Settings, built: Path) -> None:
    with TestClient(create_app(settings), base_url=BASE, client=("203.0.113.9", 50000)) as api:
        seen = Counter(api.get(f"/x/{number:022d}").status_code for number in range(100))
        assert seen[404] + seen[429] == 100 and 30 <= seen[404] < 60
        pictures = {api.get(f"/x/{number:022d}/image.png").status_code for number in range(60)}
        assert pictures == {404}


def test_a_picture_has_the_size_that_chats_show_and_is_drawn_once(
    unlimited: TestClient, worker: Worker, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = share(unlimited, ended(unlimited, worker, ENVIRONMENT), kind="unfurl", title=HOSTILE)
    drawn: list[str] = []
    draw = images.draw_card

    def counted(spec: Any, card: Card, form: images.Form) -> bytes:
        drawn.append(form)
        return draw(spec, card, form)

    monkeypatch.setattr(images, "draw_card", counted)
    address = tags(unlimited.get(made["url"]).text)["og:image"].removeprefix(BASE)
    assert address == f"{made['url']}/image.png"
    png = unlimited.get(address)
    assert png.headers["content-type"] == "image/png" and png.content[:4] == b"\x89PNG"
    assert struct.unpack(">II", png.content[16:24]) == (1200, 630)
    again = unlimited.get(address, headers={"If-None-Match": png.headers["etag"]})
    assert again.status_code == 304 and not again.content
    for each in (png, again):
        assert each.headers["cross-origin-resource-policy"] == "cross-origin"
        assert each.headers["cache-control"] == "public, max-age=60"
        assert each.headers["x-robots-tag"] == "noindex, nofollow"
        assert each.headers["x-frame-options"] == "DENY"
    svg = unlimited.get(f"{made['url']}/image.svg", params={"theme": "dark"})
    assert svg.headers["content-type"] == "image/svg+xml"
    assert svg.headers["content-security-policy"] == CLOSED
    assert drawn == ["png", "svg"]
    root = ElementTree.fromstring(svg.content)
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    known = {"svg", "g", "rect", "path", "circle", "line", "text"}
    assert {each.tag.rpartition("}")[2] for each in root.iter()} <= known
    shown = html.unescape(svg.text)
    assert HOSTILE[:20] in shown and re.findall(ID_PATTERN, shown) == []
    assert [word for word in PRIVATE if word in shown.lower()] == []
    problem_of(unlimited.get(f"{made['url']}/image.png?theme=sepia"), 422, "unknown_theme")


def test_a_live_picture_is_drawn_again_when_the_result_changes(
    unlimited: TestClient, worker: Worker, built: Path
) -> None:
    made = share(unlimited, start_run(unlimited)["id"], kind="unfurl", mode="live")
    tagged = [unlimited.get(f"{made['url']}/image.png").headers["etag"] for _ in range(2)]
    worker.finish()
    tagged.append(unlimited.get(f"{made['url']}/image.png").headers["etag"])
    assert tagged[0] == tagged[1] != tagged[2]


def test_only_the_embedded_page_may_be_framed_and_it_runs_nothing(
    unlimited: TestClient, worker: Worker, built: Path
) -> None:
    made = share(unlimited, ended(unlimited, worker), kind="unfurl", title=HOSTILE)
    embedded = unlimited.get(f"{made['url']}/embed", headers={"Cookie": "session=x"})
    assert embedded.status_code == 200 and "x-frame-options" not in embedded.headers
    policy = embedded.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "frame-ancestors *", "base-uri 'none'", "form-action 'none'"} <= {*policy}
    assert not any(each.startswith("script-src") for each in policy)
    assert "<script" not in embedded.text and "set-cookie" not in embedded.headers
    assert embedded.headers["cache-control"] == "no-store"
    assert f"{made['url']}/image.svg?theme=dark" in embedded.text
    fixed = unlimited.get(f"{made['url']}/embed", params={"theme": "light"}).text
    assert "theme=dark" not in fixed and "theme=light" in fixed
    problem_of(unlimited.get(f"{made['url']}/embed?theme=sepia"), 422, "unknown_theme")
    for path in (made["url"], f"/x/{'a' * 22}/embed", "/shared", f"{made['url']}/image.svg"):
        other = unlimited.get(path)
        assert other.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors *" not in other.headers["content-security-policy"]
    unlimited.delete(f"/api/v1/shares/{made['id']}")
    rest = ("", "/embed", "/image.png", "/image.svg", "/image.gif")
    gone = [unlimited.get(f"{made['url']}{path}") for path in rest]
    assert len({comparable(each) for each in gone}) == 1 and gone[0].status_code == 404


def test_robots_may_fetch_posted_links_and_nothing_else() -> None:
    robots = RobotFileParser()
    robots.parse((ROOT / "frontend/public/robots.txt").read_text().splitlines())
    for agent in ("Slackbot-LinkExpanding", "Twitterbot", "facebookexternalhit"):
        assert robots.can_fetch(agent, f"/x/{'a' * 22}") and robots.can_fetch(agent, "/x/a/image.png")
        assert not robots.can_fetch(agent, "/shared") and not robots.can_fetch(agent, "/runs/run_1")


@pytest.mark.parametrize(
    "stored", sorted((ROOT / "tests/fixtures/shares").glob("*.json")), ids=lambda p: p.stem
)
def test_a_result_that_an_earlier_release_stored_still_opens(
    unlimited: TestClient, worker: Worker, settings: Settings, built: Path, stored: Path
) -> None:
    made = share(unlimited, ended(unlimited, worker), kind="unfurl")
    with session_scope(settings) as session:
        values = {"snapshot": gzip.compress(stored.read_bytes())}
        session.execute(text("UPDATE share SET snapshot = :snapshot"), values)
    opened = unlimited.post("/api/v1/shares:open", json={"token": made["token"]})
    found = SharedResult.model_validate_json(opened.content)
    assert found.title is not None
    assert tags(unlimited.get(made["url"]).text)["og:title"] == found.title
    assert unlimited.get(f"{made['url']}/image.png").content[:4] == b"\x89PNG"
