"""What comparisons take of ended runs: read once, equal to what the records give, never of another state."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api import compared_runs
from backend.api.comparisons import service
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, browser_headers
from tests.api import test_imports as imports
from tests.api.client import DOCUMENT, Worker, problem_of, start_run
from tests.api.test_comparisons import measured as varied
from tests.api.test_derived import Counted, exclude, measured, restart, rows

URL = "/api/v1/comparisons"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """How often the records of a compared run are read."""
    return Counted(monkeypatch, compared_runs, "read_compared")


def body(api: TestClient, a: str, b: str, **query: str) -> bytes:
    answer = api.get(URL, params={"a": a, "b": b, **query})
    assert answer.status_code == 200, answer.text
    return answer.content


def forget_figures(settings: Settings) -> None:
    with session_scope(settings) as session:
        session.execute(text("DELETE FROM derived WHERE kind = 'figures'"))
    restart()


def test_a_first_comparison_of_runs_whose_results_were_seen_reads_no_record(
    api: TestClient, settings: Settings, worker: Worker, reads: Counted
) -> None:
    a, b = measured(api, worker), measured(api, worker)
    for run_id in (a, b):
        api.get(f"/api/v1/runs/{run_id}/result").raise_for_status()
    assert rows(settings, "figures") == {a: 0, b: 0}
    seen = body(api, a, b)
    assert reads.calls == 0
    forget_figures(settings)
    assert body(api, a, b) == seen
    assert reads.calls == 2


def test_records_are_read_by_the_first_comparison_only(
    api: TestClient, settings: Settings, worker: Worker, reads: Counted
) -> None:
    a, b, c = (measured(api, worker) for _ in range(3))
    body(api, a, b)
    assert reads.calls == 2
    body(api, b, c)
    body(api, a, b, basis="ratios")
    api.get(f"{URL}/exports/svg", params={"a": a, "b": c}).raise_for_status()
    assert reads.calls == 3
    assert rows(settings, "figures") == {a: 0, b: 0, c: 0}


def test_a_metric_that_no_experiment_shows_is_read_from_the_records(
    api: TestClient, worker: Worker, reads: Counted
) -> None:
    shown = {**DOCUMENT, "metrics": ["tps"]}
    a, b = (start_run(api, shown)["id"] for _ in range(2))
    worker.finish()
    body(api, a, b, metric="tps")
    assert reads.calls == 2
    other = body(api, a, b, metric="latency_avg_ms")
    assert b'"metric":"latency_avg_ms"' in other and reads.calls == 4
    restart()
    assert body(api, a, b, metric="latency_avg_ms") == other
    assert reads.calls == 6


def test_an_exclusion_and_its_end_have_the_records_of_that_run_read_again(
    api: TestClient, settings: Settings, worker: Worker, reads: Counted
) -> None:
    a, b = measured(api, worker), measured(api, worker)
    before = body(api, a, b)
    trial = api.get(f"/api/v1/runs/{a}/trials").json()["data"][0]["id"]
    exclude(api, trial)
    without = body(api, a, b)
    assert without != before and reads.calls == 3
    assert rows(settings, "figures")[a] > 0 == rows(settings, "figures")[b]
    forget_figures(settings)
    assert body(api, a, b) == without
    assert api.delete(f"/api/v1/trials/{trial}/exclusion").status_code in (200, 204)
    assert body(api, a, b) == before


def test_figures_of_another_program_are_not_read(
    api: TestClient, worker: Worker, reads: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = measured(api, worker), measured(api, worker)
    before = body(api, a, b)
    for module in (compared_runs, service):
        monkeypatch.setattr(module, "program_revision", lambda: "another")
    restart()
    assert body(api, a, b) == before
    assert reads.calls == 4


def test_a_running_run_has_no_kept_figures_and_a_deleted_one_none_left(
    api: TestClient, settings: Settings, worker: Worker
) -> None:
    a, running = measured(api, worker), start_run(api)["id"]
    worker.record(worker.claim())
    body(api, a, running)
    assert rows(settings, "figures") == {a: 0}
    worker.finish()
    body(api, a, running)
    assert rows(settings, "figures").keys() == {a, running}
    assert api.delete(f"/api/v1/runs/{a}").status_code == 204
    assert rows(settings, "figures").keys() == {running}
    problem_of(api.get(URL, params={"a": a, "b": running}), 404, "not_found")


def test_another_team_gets_nothing_of_kept_figures(
    api: TestClient, settings: Settings, worker: Worker
) -> None:
    a, b = measured(api, worker), measured(api, worker)
    body(api, a, b)
    assert rows(settings, "figures").keys() == {a, b}
    stranger = browser_headers(settings, add_account(settings, team_id=add_team(settings), name="Eve"))
    with TestClient(api.app, base_url=str(api.base_url)) as other:
        for query in ({}, {"basis": "ratios"}, {"metric": "tps"}):
            problem_of(other.get(URL, params={"a": a, "b": b, **query}, headers=stranger), 404, "not_found")


def cancelled(api: TestClient, worker: Worker) -> str:
    found: str = start_run(api, {**DOCUMENT, "rounds": 7})["id"]
    for _ in range(5):
        worker.record(worker.claim())
    worker.cancel(worker.claim())
    return found


def failed(api: TestClient, worker: Worker) -> str:
    found: str = start_run(api, {**DOCUMENT, "rounds": 7})["id"]
    while worker.open():
        claimed = worker.claim()
        if claimed.levels["path"] == "same_container":
            worker.record(claimed)
        else:
            worker.fail(claimed)
    return found


def imported(api: TestClient) -> str:
    logs = [
        imports.log(round_, imports.pgbench(1000.0 + round_), path=path, clients=4)
        for round_ in range(1, 8)
        for path in ("same_container", "published_loopback")
    ]
    found: str = api.post(imports.URL, json=imports.body(*logs)).raise_for_status().json()["id"]
    return found


def test_kept_figures_give_the_same_bytes_as_the_records(
    api: TestClient, settings: Settings, worker: Worker
) -> None:
    plain, slower = varied(api, worker), varied(api, worker, scale=0.5)
    servers = varied(api, worker, factors={**DOCUMENT["factors"], "userland_proxy": [True, False]})
    more = varied(api, worker, factors={**DOCUMENT["factors"], "clients": [5, 9]})
    excluded = varied(api, worker, scale=1.1)
    exclude(api, api.get(f"/api/v1/runs/{excluded}/trials").json()["data"][3]["id"])
    partly = [cancelled(api, worker), failed(api, worker), imported(api)]
    queries: list[dict[str, Any]] = [
        {},
        {"basis": "ratios", "override": "true"},
        {"basis": "values", "override": "true"},
        {"a_cell": "c1", "b_cell": "c2", "override": "true"},
        {"metric": "latency_avg_ms", "override": "true"},
    ]
    for other in (slower, servers, more, excluded, *partly):
        for query in queries:
            forget_figures(settings)
            from_records = api.get(URL, params={"a": plain, "b": other, **query})
            restart()
            from_figures = api.get(URL, params={"a": plain, "b": other, **query})
            assert from_figures.status_code == from_records.status_code
            if from_records.status_code == 200:
                assert from_figures.content == from_records.content
    assert len(rows(settings, "figures")) == 2
