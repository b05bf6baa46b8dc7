"""Hostile texts of the largest size that an address reads: each gets its answer."""

from __future__ import annotations

from collections.abc import Callable
from email.message import Message
from typing import Final

import pytest
from fastapi.testclient import TestClient

from backend.api.access.guard import MAX_PUBLIC_BODY
from backend.api.etag import etag_matches
from backend.api.paging import decode_cursor
from backend.api.security import LARGE_BODIES, MAX_BODY_BYTES
from tests.api.client import Worker, start_run
from tests.hostile import superlinear

UNITS: Final = ('"', '\\"', '"\\"', " ", "\n", "9", "[", '{"a":', "[1,", "a: [", "- ", "tps >= ", "\x00", "é")
LONG: Final = ("imports",)
WITHOUT_CREDENTIALS: Final = ("shares:open",)
LONG_ONES: Final = [pytest.param(address, marks=pytest.mark.full) for address in LONG]
READ: Final = (
    "plans",
    "experiments",
    "imports",
    "shares:open",
    "experiments/EXPERIMENT/runs",
    "runs/RUN/shares",
)


def _media(text: str) -> str:
    message = Message()
    message["content-type"] = text.replace("\n", " ")
    return message.get_content_type()


HEADERS: Final[dict[str, Callable[[str], object]]] = {
    "cursor": decode_cursor,
    "if-none-match": lambda text: etag_matches(text, '"0123"'),
    "content-type": _media,
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("media", ["application/json", "application/yaml"])
@pytest.mark.parametrize("address", [each for each in READ if each not in LONG] + LONG_ONES)
def test_a_body_of_the_largest_size_is_answered(
    api: TestClient, worker: Worker, address: str, media: str
) -> None:
    run = start_run(api)
    path = f"/api/v1/{address}".replace("RUN", run["id"]).replace("EXPERIMENT", run["experiment_id"])
    size = MAX_PUBLIC_BODY if address in WITHOUT_CREDENTIALS else LARGE_BODIES.get(path, MAX_BODY_BYTES)
    for unit in UNITS:
        text = (unit * (size // len(unit.encode()) + 1)).encode()[:size]
        answer = api.post(path, content=text, headers={"Content-Type": media})
        assert answer.status_code in (400, 415, 422), (unit, answer.text[:300])


@pytest.mark.timeout(120)
@pytest.mark.parametrize("address", ["plans", "experiments"])
def test_a_long_text_within_a_document_is_answered(api: TestClient, address: str) -> None:
    for unit in UNITS:
        text = unit * (MAX_BODY_BYTES // 32 // len(unit))
        document = {"name": "a", "title": text, "baseline": {"path": text}, "thresholds": [text], text: text}
        assert api.post(f"/api/v1/{address}", json=document).status_code == 422


@pytest.mark.timeout(120)
@pytest.mark.parametrize("header", HEADERS)
def test_urls_and_headers_are_parsed_in_linear_time(header: str) -> None:
    assert superlinear(HEADERS[header], 64 * 1024) == []
