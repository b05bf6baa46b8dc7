"""Hostile texts: refused where they come in, replaced where they are stored already, and never a 500."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.session import session_scope
from tests.api.client import DOCUMENT, Worker, problem_of, start_run
from tests.api.test_imports import body

HOSTILE = "\x00\x1b\x9b\u202e\ufffe"
ADDRESSES = (
    *("/api/v1/runs", "/api/v1/runs/{}", "/api/v1/runs/{}/trials", "/api/v1/runs/{}/result"),
    *("/api/v1/runs/{}/result/cells/{}", "/api/v1/runs/{}/exports/{}", "/api/v1/runs/{}/cells/{}/commands"),
    *("/api/v1/trials/{}", "/api/v1/trials/{}/raw", "/api/v1/trials/{}/exports/{}", "/api/v1/experiments/{}"),
    *(
        "/api/v1/comparisons",
        "/api/v1/comparisons/exports/{}",
        "/api/v1/hosts/{}/equivalence",
        "/{}",
        "/assets/{}",
    ),
)
PARAMETERS = (
    *("/api/v1/runs?cursor=", "/api/v1/experiments?cursor=", "/api/v1/runs/{run}/trials?cell="),
    *(
        "/api/v1/comparisons?a={run}&b=",
        "/api/v1/comparisons?a={run}&b={run}&a_cell=",
        "/api/v1/runs/{run}?wait=",
    ),
    *(
        f"/api/v1/runs/{{run}}/exports/svg?{name}="
        for name in ("kind", "rows", "cells", "unit", "metric", "x")
    ),
)
VALUES = (
    "\x00",
    "a\x00b",
    "\ud800",
    "\ufffe",
    "\x1b[2J",
    "a" * 256,
    "ä" * 3000,
    "../../etc/passwd",
    "%",
    "'",
)


def _quoted(value: str) -> str:
    return quote(value.encode("utf-8", "surrogatepass"), safe="")


@pytest.mark.parametrize("value", VALUES)
def test_no_address_and_no_parameter_makes_a_500(api: TestClient, worker: Worker, value: str) -> None:
    run = start_run(api)["id"]
    for address in ADDRESSES:
        assert api.get(address.format(_quoted(value), _quoted(value))).status_code < 500, address
    for address in PARAMETERS:
        answer = api.get(address.format(run=run) + _quoted(value))
        assert answer.status_code < 500, (address, answer.text)


@pytest.mark.parametrize("value", ["\x00", "a\x00", "\x1b", "\x7f"])
def test_no_header_makes_a_500(api: TestClient, worker: Worker, value: str) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    for name in ("Idempotency-Key", "If-None-Match", "Last-Event-ID", "Content-Type", "Origin"):
        answer = api.post(f"/api/v1/experiments/{experiment}/runs", json={}, headers={name: value})
        assert answer.status_code < 500, (name, answer.text)


@pytest.mark.parametrize("field", ["title", "name"])
def test_a_document_with_such_a_text_is_refused_by_its_field(api: TestClient, field: str) -> None:
    for character in HOSTILE:
        answer = api.post("/api/v1/experiments", json=DOCUMENT | {field: f"a{character}b"})
        assert problem_of(answer, 422, "bad_form")["errors"][0]["pointer"] == f"/{field}"


@pytest.mark.parametrize(
    "environment", [{"kernel": "6.1\u202e"}, {"ker\x9bnel": "6.1"}, {"kernel": "\ufffe"}]
)
def test_an_imported_environment_with_such_a_text_is_refused(
    api: TestClient, environment: dict[str, str]
) -> None:
    answer = api.post("/api/v1/imports", json=body(environment=environment))
    assert answer.status_code == 422 and "direction marks" in answer.text


def test_what_an_older_version_let_in_is_shown_with_replacements(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    run = start_run(api)["id"]
    worker.finish()
    old: dict[str, Any] = {"title": "A\x1b[2J\u202e\ufffe\uffffB", "fact": "\x1b]0;owned\x07\x9b"}
    with session_scope(settings) as session:
        session.execute(
            text(
                "UPDATE experiment SET title = :title, "
                "definition = jsonb_set(definition, '{title}', to_jsonb(CAST(:title AS text)))"
            ),
            {"title": old["title"]},
        )
        session.execute(
            text(
                "UPDATE run "
                "SET environment = environment || jsonb_build_object('kernel', CAST(:fact AS text))"
            ),
            {"fact": old["fact"]},
        )
    (trial, *_) = api.get(f"/api/v1/runs/{run}/trials").json()["data"]
    answers = [
        api.get(f"/api/v1/runs/{run}/exports/{name}")
        for name in ("svg", "png", "html", "markdown", "benchstat", "csv-long", "csv-wide", "json")
    ]
    answers += [
        api.get("/api/v1/runs"),
        api.get("/api/v1/experiments"),
        api.get(f"/api/v1/runs/{run}/result"),
        api.get(f"/api/v1/trials/{trial['id']}/exports/svg"),
        api.get(f"/api/v1/trials/{trial['id']}/raw"),
    ]
    for answer in answers:
        assert answer.status_code == 200, answer.text
        if "image/png" not in answer.headers["content-type"]:
            assert not {"\x1b", "\x07", "\x9b", "\u202e", "\ufffe"} & set(answer.text)
            assert "\\u001b" not in answer.text


def test_the_contract_of_cancel_and_units(api: TestClient, worker: Worker) -> None:
    run = start_run(api)["id"]
    url = f"/api/v1/runs/{run}:cancel"
    for method in ("GET", "PUT", "DELETE"):
        answer = api.request(method, url)
        problem_of(answer, 405, "method_not_allowed")
        assert answer.headers["allow"] == "POST"
    plain = api.post(url, content="now", headers={"Content-Type": "text/plain"})
    problem_of(plain, 415, "unsupported_media_type")
    assert api.get(f"/api/v1/runs/{run}").json()["state"] == "queued"
    for kind in ("roles", "dots"):
        answer = api.get(f"/api/v1/runs/{run}/exports/svg?kind={kind}&unit=parsecs")
        assert problem_of(answer, 422, "unknown_unit")["errors"][0]["pointer"] == "/unit"
    assert api.post(url).status_code == 202


def test_experiments_take_an_idempotency_key(api: TestClient) -> None:
    headers = {"Idempotency-Key": "e1"}
    first = api.post("/api/v1/experiments", json=DOCUMENT, headers=headers)
    again = api.post("/api/v1/experiments", json=DOCUMENT, headers=headers)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["idempotent-replayed"] == "true" and "idempotent-replayed" not in first.headers
    assert again.json() == first.json() and again.headers["location"] == first.headers["location"]
    other = api.post("/api/v1/experiments", json=DOCUMENT | {"rounds": 3}, headers=headers)
    problem_of(other, 422, "idempotency_key_reused")
