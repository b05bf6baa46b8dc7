"""Documents that ask for too much, and bodies that no parser should meet: refused before the work is done."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from dataclasses import replace
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.orm import Session

from backend.api.app import create_app
from backend.api.security import MAX_BODY_BYTES
from backend.store.ids import Prefix
from backend.store.repositories import owners
from tests.api.attacks.arena import Arena
from tests.api.client import BASE, DOCUMENT, problem_of

JSON: Final = {"Content-Type": "application/json"}
MOST_MEMORY: Final = 32 * 2**20
"""Bytes that a refusal may need at most; a million cells are several hundred MB."""
BOMB: Final = gzip.compress(b" " * (20 * 2**20))
HUNDRED: Final = list(range(1, 101))


def much(rounds: int = 1, **levels: Any) -> dict[str, Any]:
    return DOCUMENT | {"factors": DOCUMENT["factors"] | levels, "rounds": rounds}


@pytest.mark.parametrize(
    ("document", "code", "pointer"),
    [
        (much(clients=HUNDRED, scale=HUNDRED, duration_s=HUNDRED), "matrix_too_large", "/factors"),
        (
            much(clients=HUNDRED, scale=HUNDRED, duration_s=HUNDRED, warm_up_s=HUNDRED, rate=HUNDRED),
            "matrix_too_large",
            "/factors",
        ),
        (much(duration_s=10 * 86400), "out_of_bounds", "/factors/duration_s"),
        (much(rounds=10**6), "out_of_bounds", "/rounds"),
        (much(clients=list(range(1, 10**4))), "too_many", "/factors/clients"),
        (much(clients={"from": 1, "to": 200, "step": 1e-9}), "wrong_type", "/factors/clients/step"),
    ],
)
def test_a_document_that_asks_for_too_much(
    arena: Arena, document: dict[str, Any], code: str, pointer: str
) -> None:
    content = json.dumps(document).encode()
    for url, action in (("plans", "previewPlan"), ("experiments", "createExperiment")):
        before = arena.state()
        tracemalloc.start()
        headers = arena.callers["admin"] | JSON
        answer = arena.api.post(f"/api/v1/{url}", content=content, headers=headers)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert answer.status_code == 422, answer.text[:500]
        assert answer.headers["content-type"] == "application/problem+json"
        found = [(each["pointer"], each["code"]) for each in answer.json()["errors"]]
        assert (pointer, code) in found, found
        assert peak < MOST_MEMORY, f"{peak:,} bytes"
        assert arena.state() == before
        entry = (action, 422, answer.json()["code"])
        assert arena.audited(answer.headers["x-request-id"]) == [entry]


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b" " * (20 * 2**20), JSON, 413, "body_too_large"),
        (b" " * (MAX_BODY_BYTES + 1), JSON, 413, "body_too_large"),
        (BOMB, JSON | {"Content-Encoding": "gzip"}, 415, "unsupported_media_type"),
        (b"{}", JSON | {"Content-Encoding": "br"}, 415, "unsupported_media_type"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, JSON, 400, "too_deep"),
        (b"[" * 10_000 + b"]" * 10_000, JSON, 400, "too_deep"),
        (b'{"name": NaN}', JSON, 400, "not_finite"),
        (b'{"rounds": Infinity}', JSON, 400, "not_finite"),
        (b'{"rounds": 1e400}', JSON, 400, "not_finite"),
        (b'{"name": "a", "name": "b"}', JSON, 400, "duplicate_key"),
        (b'{"name": "\xff"}', JSON, 400, "not_utf8"),
        (b"a: &x [1]\nb: *x", {"Content-Type": "application/yaml"}, 400, "alias"),
    ],
    ids=["20 MB", "a byte more", "gzip bomb", "brotli", "deep", "deep list", "NaN", "Infinity", "1e400",
         "twice", "no text", "YAML alias"],
)  # fmt: skip
def test_a_body_that_is_not_parsed(
    arena: Arena, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    for url, action in (("plans", "previewPlan"), ("experiments", "createExperiment")):
        # What is refused by its headers has not reached an operation, whose log the audit is.
        audited = action if status == 400 else None
        answer = arena.refused(
            "POST", f"/api/v1/{url}", status, code, action=audited, headers=headers, content=body
        )
        assert status != 413 or answer.headers["connection"] == "close"


def test_a_run_beyond_the_quota_of_queued_trials(arena: Arena) -> None:
    few = create_app(arena.settings.model_copy(update={"quota_queued_trials": 5}))
    runs = f"/api/v1/experiments/{arena.own['experiment_id']}/runs"
    with TestClient(few, base_url=BASE) as api:
        limited = replace(arena, api=api)
        answer = limited.refused("POST", runs, 429, "quota_exceeded", action="startRun", json={})
    assert int(answer.headers["retry-after"]) > 0


def test_a_list_of_wrong_values_gets_a_short_answer(arena: Arena) -> None:
    for url, action, body in (
        ("tokens", "createToken", {"name": "a", "expires_in_days": 1, "scopes": [0] * 15_000}),
        ("webhooks", "createWebhook", {"url": "https://8.8.8.8/", "events": [0] * 15_000}),
        ("tokens", "createToken", {f"field{number}": 0 for number in range(9_000)}),
        ("experiments", "createExperiment", {f"field{number}": 0 for number in range(9_000)}),
        ("experiments", "createExperiment", DOCUMENT | {"metrics": [0] * 15_000}),
        ("experiments", "createExperiment", DOCUMENT | {"exclude": [{"x": 0}] * 9_000}),
    ):
        answer = arena.refused("POST", f"/api/v1/{url}", 422, "invalid", action=action, json=body)
        assert len(answer.json()["errors"]) <= 300 and len(answer.content) < 100_000


@pytest.mark.parametrize("url", ["comparisons", "comparisons/matrix", "comparisons/exports/csv"])
def test_an_object_that_a_url_names_many_times_costs_one_query(
    arena: Arena, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each one is a query: two thousand of them kept a thread and a connection for seconds."""
    seen: list[str] = []
    team_of = owners.team_of

    def counted(session: Session, kind: Prefix, object_id: str) -> str | None:
        seen.append(object_id)
        return team_of(session, kind, object_id)

    monkeypatch.setattr(owners, "team_of", counted)
    name, own = "run" if "matrix" in url else "a", arena.own["run_id"]
    many = "&".join([f"{name}={own}"] * 2000)
    arena.api.get(f"/api/v1/{url}?{many}", headers=arena.callers["token run:read"])
    assert seen == [own]
    several = "&".join(f"{name}=run_{number:016x}" for number in range(2000))
    answer = arena.api.get(f"/api/v1/{url}?{several}", headers=arena.callers["token run:read"])
    problem_of(answer, 422, "too_many")
    assert seen == [own]
