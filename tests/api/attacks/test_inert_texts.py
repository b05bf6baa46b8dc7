"""Titles, notes, names and raw output with markup, controls and formulas: refused, or shown as inert text."""

from __future__ import annotations

import csv
import html
import io
import json
from html.parser import HTMLParser
from typing import Any, Final
from xml.etree import ElementTree

import pytest

from backend.api.exports.formats import CLOSED
from tests.api.attacks.arena import Arena
from tests.api.client import DOCUMENT

MARKUP: Final = "<img src=x onerror=alert(1)>\"'><script>alert(1)</script> javascript:alert(1) ]]>-->"
FORMULA: Final = "=HYPERLINK(A1;B1)+cmd|' /C calc'!A0"
CONTROLS: Final = (
    "a\u202eb", "a\u2066b", "a\x1b[31mb", "a\x9b31mb", "a\x07b", "a\x00b", "a\ufffeb", "a\nb", "\u200fa",
)  # fmt: skip
ALLOWED: Final = frozenset(
    [
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "header",
        "footer",
        "section",
        "h1",
        "h2",
        "h3",
        "p",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "a",
        "b",
        "strong",
        "em",
        "small",
        "span",
        "div",
        "figure",
        "figcaption",
        "code",
        "pre",
        "br",
        "hr",
        "sup",
        "svg",
        "g",
        "path",
        "rect",
        "line",
        "circle",
        "text",
        "tspan",
        "details",
        "summary",
    ]
)
"""Elements of an exported page; none of them runs or fetches anything."""


class Elements(HTMLParser):
    """The elements of a page, their attributes and their text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def run(arena: Arena) -> str:
    """A finished run whose title and note are markup."""
    made = arena.finished_run(name="markup", title=MARKUP)
    note = arena.api.patch(f"/api/v1/runs/{made}", json={"note": MARKUP}, headers=arena.callers["admin"])
    assert note.status_code == 200, note.text
    return made


def export(arena: Arena, run: str, name: str) -> Any:
    answer = arena.api.get(f"/api/v1/runs/{run}/exports/{name}", headers=arena.callers["admin"])
    assert answer.status_code == 200, answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    return answer


@pytest.mark.parametrize("text", CONTROLS, ids=ascii)
def test_controls_and_directions_are_refused_in_every_name(arena: Arena, text: str) -> None:
    run = arena.own["run_id"]
    before = arena.state()
    for method, url, body in (
        ("POST", "experiments", DOCUMENT | {"title": text}),
        ("POST", f"runs/{run}/shares", {"title": text}),
        ("POST", "tokens", {"name": text, "scopes": ["run:read"], "expires_in_days": 1}),
        ("PATCH", f"runs/{run}", {"tags": [text]}),
    ):
        answer = arena.api.request(
            method,
            f"/api/v1/{url}",
            content=json.dumps(body),
            headers=arena.callers["admin"] | {"Content-Type": "application/json"},
        )
        assert answer.status_code == 422, (url, answer.text)
        assert answer.headers["content-type"] == "application/problem+json"
    assert arena.state() == before


def test_an_exported_page_shows_markup_as_text(arena: Arena, run: str) -> None:
    answer = export(arena, run, "html")
    assert answer.headers["content-security-policy"] == CLOSED
    found = Elements(answer.text)
    assert found.names <= ALLOWED, found.names - ALLOWED
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("srcdoc", "action")]
    links = [value or "" for name, value in found.attributes if name in ("href", "src", "xlink:href")]
    assert not [link for link in links if not link.startswith("#")], links
    assert MARKUP in found.text


def test_a_picture_shows_markup_as_text(arena: Arena, run: str) -> None:
    answer = export(arena, run, "svg")
    assert answer.headers["content-security-policy"] == CLOSED
    root = ElementTree.fromstring(answer.text)
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert names <= ALLOWED | {"defs", "clipPath", "desc", "title", "linearGradient", "stop"}, names
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on") and name != "style", (name, value)
            assert "href" not in name or value.startswith("#")
            assert "url(" not in value or value.startswith("url(#")


def test_answers_are_json_and_never_a_page(arena: Arena, run: str) -> None:
    for path in (
        f"runs/{run}",
        f"runs/{run}/result",
        "runs",
        f"runs/{run}/trials",
        f"runs/{run}/exports/json",
    ):
        answer = arena.api.get(f"/api/v1/{path}", headers=arena.callers["admin"])
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/json")
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_raw_output_is_plain_text(arena: Arena) -> None:
    page = f"{MARKUP}\x1b[31m\u202e"
    printed = "jsonb_set(payload::jsonb, '{commands,0,stdout}', to_jsonb(CAST(:text AS text)))"
    arena.execute(
        f"UPDATE result SET payload = {printed} WHERE trial_id = :id",
        text=page,
        id=arena.own["trial_id"],
    )
    url = f"/api/v1/trials/{arena.own['trial_id']}/raw"
    answer = arena.api.get(url, headers=arena.callers["admin"])
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "<script>" in answer.text and "\x1b" not in answer.text and "\u202e" not in answer.text


def test_a_formula_is_text_in_a_spreadsheet(arena: Arena) -> None:
    run = arena.finished_run(name="formula", title=FORMULA)
    for name in ("csv-long", "csv-wide"):
        cells = [cell for row in csv.reader(io.StringIO(export(arena, run, name).text)) for cell in row]
        assert not [cell for cell in cells if cell[:1] in ("=", "@", "\t", "\r")], name
        assert not [cell for cell in cells if cell[:1] in ("+", "-") and not cell[1:2].isdigit()], name


def test_the_page_of_a_link_and_its_picture_show_markup_as_text(arena: Arena, run: str) -> None:
    url = f"/api/v1/runs/{run}/shares"
    made = arena.api.post(
        url, json={"kind": "unfurl", "title": MARKUP}, headers=arena.callers["admin"]
    ).json()
    embedded = Elements(arena.api.get(f"{made['url']}/embed").text)
    assert not {"script", "iframe", "object", "embed", "form", "base"} & embedded.names
    assert not [name for name, _ in embedded.attributes if name.startswith("on")]
    picture = arena.api.get(f"{made['url']}/image.svg").text
    assert "<img" not in picture and "<script" not in picture and "onerror=alert" in html.unescape(picture)
