"""Small packed bodies that unpack to large ones: one of them at a time, and few of one host."""

from __future__ import annotations

import gzip
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api import request as requests
from backend.api.worker import record_body
from backend.core.definition.document_parser import parse_document
from backend.settings import Settings
from tests.accounts import add_account, browser_headers
from tests.api.client import problem_of
from tests.api.http_worker import WORKER, HttpWorker

MANY = 4
PROFILE = "/runs/run_0000000000000000/cells/c/profile"


@pytest.fixture
def far(api: TestClient, settings: Settings) -> HttpWorker:
    admin = browser_headers(settings, add_account(settings, installation_admin=True))
    return HttpWorker.joined(api, admin)


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many large bodies were parsed at the same time, at each of them."""
    lock, running, seen = threading.Lock(), [0], []

    def counted(text: bytes, *given: Any) -> object:
        if len(text) <= record_body.SMALL:
            return parse_document(text, *given)
        with lock:
            running[0] += 1
            seen.append(running[0])
        try:
            return parse_document(text, *given)
        finally:
            with lock:
                running[0] -= 1

    monkeypatch.setattr(requests, "parse_document", counted)
    return seen


def send_packed(far: HttpWorker, content: bytes, path: str = "/trials/trl_0000000000000000/record") -> Any:
    headers = far.headers | {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    return far.api.put(f"{WORKER}{path}", content=gzip.compress(content), headers=headers)


def own_trial(far: HttpWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard takes any trial for the host's own: what follows is about the body."""
    monkeypatch.setattr("backend.store.repositories.enrolled_hosts.owns", lambda *_: True)


@pytest.mark.parametrize("path", ["/trials/trl_0000000000000000/record", PROFILE])
def test_small_packed_bodies_that_unpack_to_large_ones_are_parsed_one_at_a_time(
    far: HttpWorker, together: list[int], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    own_trial(far, monkeypatch)
    content = b'{"fence": 1, "text": "' + b"a" * 4 * 1024 * 1024 + b'"}'
    assert len(gzip.compress(content)) < record_body.SMALL
    with ThreadPoolExecutor(MANY) as pool:
        answers = list(pool.map(lambda _: send_packed(far, content, path), range(MANY)))
    assert {answer.status_code for answer in answers} == {422}
    assert together == [1] * MANY


def test_a_body_with_more_values_than_a_record_can_have_is_refused_before_it_is_built(
    far: HttpWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_trial(far, monkeypatch)
    content = b"[" + b"[]," * 1_000_000 + b"0]"
    problem_of(send_packed(far, content), 400, "too_large")
    assert record_body.RECORD_BOUNDS.nodes >= 3600 * 100, "an hour of points every second"


def test_before_its_turn_a_body_is_unpacked_no_further_than_a_small_one(
    far: HttpWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_trial(far, monkeypatch)
    limits: list[int] = []
    unpack = record_body.unpack

    def noted(sent: bytes, limit: int = record_body.MAX_UNPACKED) -> bytes | None:
        limits.append(limit)
        return unpack(sent, limit)

    monkeypatch.setattr(record_body, "unpack", noted)
    send_packed(far, b'{"fence": 1}')
    assert limits == [record_body.SMALL]
    send_packed(far, b'{"fence": 1, "text": "' + b"a" * record_body.SMALL + b'"}')
    assert limits[1:] == [record_body.SMALL, record_body.MAX_UNPACKED]


def test_one_host_has_few_bodies_at_the_server_at_a_time(
    far: HttpWorker, api: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_trial(far, monkeypatch)
    free = threading.Event()

    def slow(*given: Any) -> object:
        free.wait(60)
        return parse_document(*given)

    monkeypatch.setattr(requests, "parse_document", slow)
    content = b'{"fence": 1, "text": "' + b"a" * 10_000 + b'"}'
    with ThreadPoolExecutor(record_body.BODIES_OF_A_HOST) as pool:
        waiting = [pool.submit(send_packed, far, content) for _ in range(record_body.BODIES_OF_A_HOST)]
        bodies = api.app.state.host_bodies  # type: ignore[attr-defined]
        while sum(bodies.values()) < record_body.BODIES_OF_A_HOST:
            assert not any(one.done() for one in waiting)
        refused = send_packed(far, content)
        free.set()
        assert {one.result().status_code for one in waiting} == {422}
    assert problem_of(refused, 503, "overloaded") and refused.headers["retry-after"]
    assert send_packed(far, content).status_code == 422 and not bodies
