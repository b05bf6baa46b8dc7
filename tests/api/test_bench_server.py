"""The generated database of `scripts/bench server`: rows that the API reads as those of a worker."""

from __future__ import annotations

import itertools

import psycopg
from fastapi.testclient import TestClient
from sqlalchemy import make_url

from backend.settings import Settings
from scripts.benchmark.server import generator
from scripts.benchmark.server.documents import RUNS_OF_EACH, experiments
from scripts.benchmark.server.load import Answer, figures
from tests.accounts import add_account, browser_headers


def test_the_database_has_ten_thousand_runs_and_a_million_trials() -> None:
    trials = [len(planned.plan.trials) for planned in experiments()]
    assert len(trials) * RUNS_OF_EACH == 10_000
    assert sum(trials) * RUNS_OF_EACH == 1_000_000


def test_the_api_computes_results_and_comparisons_of_generated_runs(
    settings: Settings, owner_settings: Settings, api: TestClient
) -> None:
    url = make_url(owner_settings.database_url)

    def connect() -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(host=str(url.query["host"]), user=url.username, dbname=url.database)

    generator.generate(connect, lambda _text: None, list(itertools.islice(experiments(), 1)), turns=5)
    api.headers.update(browser_headers(settings, add_account(settings)))
    assert generator.sizes(connect)["trial"] == 5 * 40
    newest = api.get("/api/v1/runs").json()["data"]
    assert [run["progress"]["done"] for run in newest] == [40, 40, 40, 40, 39]
    result = api.get(f"/api/v1/runs/{newest[0]['id']}/result").json()
    assert {cell["state"] for cell in result["cells"]} == {"measured"}
    assert all(cell["evidence"]["proven"] == 10 for cell in result["cells"])
    pair = {"a": newest[2]["id"], "b": newest[0]["id"]}
    comparison = api.get("/api/v1/comparisons", params=pair).json()
    assert not comparison["refused"]
    assert comparison["tables"][0]["rows"]


def test_percentiles_are_those_of_all_answers_and_failures_are_counted() -> None:
    answers = [Answer("cookie", number / 1000, 200, 1000) for number in range(1, 100)]
    found = figures([*answers, Answer("cookie", 0.5, 0, 0)])
    assert (found["requests"], found["failed"], found["max_ms"]) == (100, 1, 500.0)
    assert found["p50_ms"] == 50.5
