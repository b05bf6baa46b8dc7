"""What is kept of ended runs: used again while it is what would be computed, and never before the guard."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.comparisons import kept
from backend.api.comparisons import service as comparisons
from backend.api.runs import results
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, add_token, browser_headers
from tests.api.client import DOCUMENT, Worker, problem_of, start_run

LIMIT_S = 60.0


@pytest.fixture
def run_id(api: TestClient, worker: Worker) -> str:
    """A run that has ended."""
    return measured(api, worker)


def measured(api: TestClient, worker: Worker) -> str:
    found: str = start_run(api, {**DOCUMENT, "rounds": 6})["id"]
    worker.finish()
    return found


def exclude(api: TestClient, trial_id: str) -> None:
    body = {"reason": "a cable was loose"}
    api.put(f"/api/v1/trials/{trial_id}/exclusion", json=body).raise_for_status()


def rows(settings: Settings, kind: str) -> dict[str, int]:
    """The exclusion of each kept document of this kind, by run."""
    with session_scope(settings) as session:
        query = text("SELECT run_id, exclusion FROM derived WHERE kind = :kind")
        return {row.run_id: row.exclusion for row in session.execute(query, {"kind": kind})}


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)  # a thread of the API stores it after the response; bounded


def restart() -> None:
    """Forget what is in memory, as a restart does."""
    for cached in (results._cache, results._versions, comparisons.kept_of):
        cached.cache_clear()


class Counted:
    """A function with the number of its calls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> None:
        self.calls = 0
        original = getattr(module, name)

        def counting(*arguments: object) -> object:
            self.calls += 1
            return original(*arguments)

        monkeypatch.setattr(module, name, counting)


def test_the_result_of_an_ended_run_is_computed_once_also_over_a_restart(
    api: TestClient, settings: Settings, run_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Counted(monkeypatch, results, "read_chart_input")
    first = api.get(f"/api/v1/runs/{run_id}/result")
    wait_for(lambda: run_id in rows(settings, "result"))
    restart()
    second = api.get(f"/api/v1/runs/{run_id}/result")
    assert (second.content, second.headers["etag"]) == (first.content, first.headers["etag"])
    assert read.calls == 1


def test_an_exclusion_and_another_program_have_it_computed_again(
    api: TestClient, settings: Settings, run_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"/api/v1/runs/{run_id}/result"
    first = api.get(url)
    wait_for(lambda: rows(settings, "result") == {run_id: 0})
    trial = api.get(f"/api/v1/runs/{run_id}/trials").json()["data"][0]["id"]
    exclude(api, trial)
    restart()
    assert api.get(url).content != first.content
    wait_for(lambda: rows(settings, "result")[run_id] > 0)
    restart()
    read = Counted(monkeypatch, results, "read_chart_input")
    monkeypatch.setattr(results, "program_revision", lambda: "another")
    api.get(url)
    assert read.calls == 1


def test_nothing_is_kept_of_a_running_run_and_of_a_deleted_one(
    api: TestClient, settings: Settings, worker: Worker
) -> None:
    running = start_run(api)["id"]
    api.get(f"/api/v1/runs/{running}/result")
    worker.finish()
    api.get(f"/api/v1/runs/{running}/result")
    wait_for(lambda: running in rows(settings, "result"))
    assert api.delete(f"/api/v1/runs/{running}").status_code == 204
    assert rows(settings, "result") == {}
    problem_of(api.get(f"/api/v1/runs/{running}/result"), 404, "not_found")


def test_nobody_gets_a_kept_document_of_another_team_or_with_a_revoked_token(
    api: TestClient, settings: Settings, worker: Worker
) -> None:
    a, b = measured(api, worker), measured(api, worker)
    urls = (f"/api/v1/runs/{a}/result", f"/api/v1/comparisons?a={a}&b={b}")
    account = add_account(settings, name="Bo")
    token = {"Authorization": f"Bearer {add_token(settings, account)}"}
    with TestClient(api.app, base_url=str(api.base_url)) as other:
        for url in urls:
            assert other.get(url, headers=token).status_code == 200
        listed = other.get("/api/v1/tokens", headers=browser_headers(settings, account)).json()["data"]
        revoked = api.delete(f"/api/v1/tokens/{listed[0]['id']}")
        assert revoked.status_code == 204, revoked.text
        stranger = browser_headers(settings, add_account(settings, team_id=add_team(settings), name="Eve"))
        for url in urls:
            problem_of(other.get(url, headers=token), 401, "unauthenticated")
            problem_of(other.get(url, headers=stranger), 404, "not_found")
            problem_of(other.get(url), 401, "unauthenticated")


def test_a_comparison_is_computed_once_and_again_after_an_exclusion_in_any_run(
    api: TestClient, settings: Settings, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b, earlier, _ = (measured(api, worker) for _ in range(4))
    compared, figures = (Counted(monkeypatch, comparisons, name) for name in ("compare_runs", "read_figures"))
    url = f"/api/v1/comparisons?a={a}&b={b}"
    first = api.get(url).json()
    assert api.get(url).json() == first
    assert (compared.calls, figures.calls) == (1, 2)
    assert first["tables"][0]["run_spread"]["runs"] == 2
    restart()
    assert api.get(url).json() == first
    assert (compared.calls, figures.calls) == (2, 2)
    trial = api.get(f"/api/v1/runs/{earlier}/trials").json()["data"][0]["id"]
    exclude(api, trial)
    api.get(url)
    assert (compared.calls, figures.calls) == (3, 3)
    assert rows(settings, "centres")[earlier] > 0


def test_a_comparison_with_a_running_run_is_never_kept(
    api: TestClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = measured(api, worker), start_run(api)["id"]
    compared = Counted(monkeypatch, comparisons, "compare_runs")
    for _ in range(2):
        api.get(f"/api/v1/comparisons?a={a}&b={b}").raise_for_status()
    assert compared.calls == 2


def test_kept_comparisons_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "KEPT_BYTES", 25)
    found = kept.KeptComparisons()
    query = comparisons.RunComparisonQuery()
    keys: list[kept.Key] = [(f"run_{number}", "run_b", query, (), ()) for number in range(3)]
    for key in keys:
        found.put(key, b"x" * 10)
    assert [found.find(key) is None for key in keys] == [True, False, False]
