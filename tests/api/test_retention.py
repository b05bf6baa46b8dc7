"""A team's old runs are deleted a few at a time, outside of measured windows, each with an audit line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.retention import job
from backend.api.retention.job import RetentionJob
from backend.api.runs.window_budget import WindowBudget
from backend.measured_window import MeasuredWindow
from backend.settings import Settings
from backend.store import invariants
from backend.store.session import session_scope
from tests.accounts import OTHER_TEAM, add_account, add_team, browser_headers
from tests.api.client import BASE, Worker, problem_of, start_run

QUIET = WindowBudget(lambda: None)


def age(settings: Settings, days: int) -> None:
    with session_scope(settings) as session:
        session.execute(
            text("UPDATE run SET finished_at = finished_at - make_interval(days => :days)"), {"days": days}
        )


def ended_runs(api: TestClient, worker: Worker, number: int) -> list[str]:
    found = [str(start_run(api)["id"]) for _ in range(number)]
    worker.finish()
    return found


def left(api: TestClient) -> set[str]:
    return {run["id"] for run in api.get("/api/v1/runs").json()["data"]}


def test_it_is_off_until_an_admin_sets_it(api: TestClient, worker: Worker, settings: Settings) -> None:
    (run,) = ended_runs(api, worker, 1)
    age(settings, 4000)
    assert api.get("/api/v1/retention").json() == {"days": None}
    assert RetentionJob(settings, QUIET).run_once() == 0
    runner = browser_headers(settings, add_account(settings, "runner", name="Bob"))
    bob = TestClient(create_app(settings), base_url=BASE, headers=runner)
    problem_of(bob.put("/api/v1/retention", json={"days": 1}), 403, "forbidden")
    assert api.put("/api/v1/retention", json={"days": 30}).json() == {"days": 30}
    assert bob.get("/api/v1/retention").json() == {"days": 30}
    assert RetentionJob(settings, QUIET).run_once() == 1
    problem_of(api.get(f"/api/v1/runs/{run}"), 404, "not_found")
    entry = next(row for row in api.get("/api/v1/audit").json()["data"] if row["action"] == "deleteRun")
    assert (entry["actor"], entry["object"], entry["status"]) == ("retention", run, 204)
    assert api.put("/api/v1/retention", json={"days": None}).json() == {"days": None}


def test_young_running_starred_and_other_teams_runs_are_kept(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    add_team(settings)
    headers = browser_headers(settings, add_account(settings, "admin", OTHER_TEAM, "Eve"))
    other = TestClient(create_app(settings), base_url=BASE, headers=headers)
    (others,) = ended_runs(other, worker, 1)
    old, starred = ended_runs(api, worker, 2)
    age(settings, 31)
    (young,) = ended_runs(api, worker, 1)
    running = start_run(api)["id"]
    api.put(f"/api/v1/runs/{starred}/star")
    api.put("/api/v1/retention", json={"days": 30})
    assert RetentionJob(settings, QUIET).run_once() == 1
    assert left(api) == {starred, young, running} and left(other) == {others}
    with session_scope(settings) as session:
        assert invariants.violations(session) == []
    assert old not in left(api)


def test_a_pass_is_bounded_and_the_next_one_goes_on(
    api: TestClient, worker: Worker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "BATCH", 2)
    ended_runs(api, worker, 5)
    age(settings, 3)
    api.put("/api/v1/retention", json={"days": 2})
    found = RetentionJob(settings, QUIET)
    assert [found.run_once() for _ in range(4)] == [2, 2, 1, 0]


def test_nothing_is_deleted_in_a_measured_window(
    api: TestClient, worker: Worker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "BOUND_S", 0.0)
    now = time.time()
    window = MeasuredWindow(now - 1, now + 600)
    (run,) = ended_runs(api, worker, 1)
    age(settings, 3)
    api.put("/api/v1/retention", json={"days": 2})
    # A hundredth of a core may be used; a window of which nothing is left admits nothing.
    used_up = WindowBudget(lambda: window)
    while used_up.admits(1.0):
        pass
    while used_up.admits(0.001):
        pass
    assert RetentionJob(settings, used_up).run_once() == 0
    assert left(api) == {run}


@pytest.fixture
def surprised(
    api: TestClient, worker: Worker, settings: Settings, owner_settings: Settings
) -> Iterator[tuple[str, RetentionJob]]:
    """A run that is due, and a job in whose deletion a window is announced, while it waits for a lock."""
    (run,) = ended_runs(api, worker, 1)
    age(settings, 3)
    api.put("/api/v1/retention", json={"days": 2})
    blocked = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = :name")
    name = owner_settings.database_url.partition("?")[0].rpartition("/")[2]

    def window() -> MeasuredWindow | None:
        with session_scope(owner_settings) as session:
            if not session.execute(blocked, {"name": name}).scalar_one():
                return None
        return MeasuredWindow(time.time() - 1, time.time() + 600)

    yield run, RetentionJob(settings, WindowBudget(window))


def test_a_deletion_ends_when_a_window_begins_and_a_later_pass_makes_it(
    surprised: tuple[str, RetentionJob], api: TestClient, owner_settings: Settings
) -> None:
    run, found = surprised
    with session_scope(owner_settings) as session:
        session.execute(text("SELECT FROM trial FOR UPDATE"))  # as long as a deletion of very many trials
        assert found.run_once() == 0
    with session_scope(owner_settings) as session:
        assert invariants.violations(session) == []
    assert left(api) == {run}
    assert found.run_once() == 1
    assert left(api) == set()


def test_a_deletion_that_was_often_given_up_is_made(
    surprised: tuple[str, RetentionJob],
    api: TestClient,
    owner_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, found = surprised
    monkeypatch.setattr(job, "PATIENCE", 1)
    with session_scope(owner_settings) as session:
        session.execute(text("SELECT FROM trial FOR UPDATE"))
        assert found.run_once() == 0
        with ThreadPoolExecutor() as pool:
            second = pool.submit(found.run_once)
            with pytest.raises(TimeoutError):
                second.result(1)  # it goes on waiting; the first one was given up by then
            session.rollback()
            assert second.result(60) == 1
    assert left(api) == set()


@pytest.mark.parametrize("days", [0, -1, 36_501, 1.5, "30", True])
def test_bounds(api: TestClient, days: object) -> None:
    assert api.put("/api/v1/retention", json={"days": days}).status_code == 422
    assert api.put("/api/v1/retention", json={}).status_code == 422
    assert api.get("/api/v1/retention").json() == {"days": None}


def test_a_preview_counts_what_would_be_deleted_and_deletes_nothing(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    add_team(settings)
    headers = browser_headers(settings, add_account(settings, "admin", OTHER_TEAM, "Eve"))
    other = TestClient(create_app(settings), base_url=BASE, headers=headers)
    ended_runs(other, worker, 1)
    old, starred = ended_runs(api, worker, 2)
    age(settings, 31)
    ended_runs(api, worker, 1)
    api.put(f"/api/v1/runs/{starred}/star")
    found = api.get("/api/v1/retention:preview?days=30").json()
    assert (found["runs"], found["starred_runs"]) == (1, 1)
    assert found["stored_bytes"] > 0
    assert found["oldest_finished_at"] == api.get(f"/api/v1/runs/{old}").json()["finished_at"]
    assert api.get("/api/v1/retention").json() == {"days": None}
    assert len(left(api)) == 3
    nothing = {"runs": 0, "stored_bytes": 0, "oldest_finished_at": None, "starred_runs": 0}
    assert api.get("/api/v1/retention:preview?days=36500").json() == nothing


@pytest.mark.parametrize("query", ["", "?days=0", "?days=36501", "?days=x"])
def test_bounds_of_a_preview(api: TestClient, query: str) -> None:
    assert api.get(f"/api/v1/retention:preview{query}").status_code == 422
