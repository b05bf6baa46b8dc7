"""CPU profiles of cells: requested when a run ends, claimed by its host, in no statistic."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.core.plan.profiled import ProfileRequest
from backend.core.sample.profile import build_profile
from backend.settings import Settings
from backend.store.repositories import cell_profiles
from backend.store.session import session_scope
from tests.api.client import DOCUMENT, Worker, problem_of, start_run

PROFILED = {**DOCUMENT, "profile": True}
FOUND = build_profile(
    {("server", ("postgres", "exec")): 7, ("proxy", ("docker-proxy", "splice")): 3},
    seconds=2.0,
    idle_samples=1,
    kernel_symbols=True,
    program="perf version 6.1",
).model_dump(mode="json")


def profile_of(api: TestClient, run_id: str, cell_id: str) -> dict[str, Any]:
    answer = api.get(f"/api/v1/runs/{run_id}/cells/{cell_id}/profile")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def claim(worker: Worker) -> ProfileRequest | None:
    with session_scope(worker.own) as session:
        return cell_profiles.claim(session, worker.host_id)


def end(worker: Worker, request: ProfileRequest, profile: dict[str, Any] | None) -> bool:
    reason = None if profile is not None else ("unavailable", "perf is not installed")
    attempt = (request.run_id, request.cell_id, request.fence)
    with session_scope(worker.own) as session:
        return cell_profiles.end(session, worker.host_id, attempt, profile, reason)


def ended_run(api: TestClient, worker: Worker, document: dict[str, Any] = DOCUMENT) -> dict[str, Any]:
    run = start_run(api, document)
    worker.finish()
    return run


def cells_of(api: TestClient, run_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(f"/api/v1/runs/{run_id}/matrix").json()["cells"]
    return found


def test_profiles_are_taken_after_the_run_the_baseline_first(api: TestClient, worker: Worker) -> None:
    run = start_run(api, PROFILED)
    first = cells_of(api, run["id"])[0]["id"]
    assert profile_of(api, run["id"], first)["state"] == "waiting" and claim(worker) is None
    worker.finish()
    request = claim(worker)
    assert request is not None and request.run_id == run["id"]
    found = profile_of(api, run["id"], request.cell_id)
    assert (found["state"], found["profile"], found["reason"]) == ("running", None, None)
    assert end(worker, request, FOUND)
    found = profile_of(api, run["id"], request.cell_id)
    assert found["state"] == "taken" and found["profile"] == FOUND and found["ended_at"] is not None
    assert not end(worker, request, FOUND), "an attempt ends once"
    while (request := claim(worker)) is not None:
        assert end(worker, request, None)
        found = profile_of(api, run["id"], request.cell_id)
        assert (found["state"], found["reason"]["code"]) == ("not_taken", "unavailable")


def test_a_profile_changes_no_result(api: TestClient, worker: Worker) -> None:
    run = ended_run(api, worker, PROFILED)
    before = api.get(f"/api/v1/runs/{run['id']}/result").json()
    request = claim(worker)
    assert request is not None and end(worker, request, FOUND)
    assert api.get(f"/api/v1/runs/{run['id']}/result").json() == before
    assert api.get(f"/api/v1/runs/{run['id']}").json()["progress"]["total"] == run["progress"]["total"]


def test_without_the_field_no_profile_is_requested(api: TestClient, worker: Worker) -> None:
    run = ended_run(api, worker)
    assert claim(worker) is None
    cell = cells_of(api, run["id"])[0]["id"]
    assert profile_of(api, run["id"], cell)["state"] == "not_requested"


def test_a_worker_that_ends_twice_takes_none(api: TestClient, worker: Worker) -> None:
    ended_run(api, worker, PROFILED)
    first, second, other = claim(worker), claim(worker), claim(worker)
    assert first is not None and second is not None
    assert (first.cell_id, first.fence + 1) == (second.cell_id, second.fence)
    assert not end(worker, first, FOUND), "an older fence"
    found = profile_of(api, first.run_id, first.cell_id)
    assert (found["state"], found["reason"]["code"]) == ("not_taken", "lost")
    assert other is None or other.cell_id != first.cell_id


def test_waiting_profiles_are_cancelled_and_deleted_with_the_run(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    run = ended_run(api, worker, PROFILED)
    request = claim(worker)
    assert request is not None
    assert api.post(f"/api/v1/runs/{run['id']}:cancel").status_code in (200, 202)
    with session_scope(worker.own) as session:
        assert not cell_profiles.is_wanted(
            session, worker.host_id, request.run_id, request.cell_id, request.fence
        )
    assert not end(worker, request, FOUND) and claim(worker) is None
    assert profile_of(api, run["id"], request.cell_id)["reason"]["code"] == "cancelled"
    assert api.delete(f"/api/v1/runs/{run['id']}").status_code in (202, 204)
    with session_scope(settings) as session:
        session.execute(text("DELETE FROM run WHERE id = :id"), {"id": run["id"]})
        assert session.scalar(text("SELECT count(*) FROM cell_profile")) == 0


@pytest.mark.parametrize("path", ["run_0000000000000000/cells/c1", "RUN/cells/c999"])
def test_unknown_runs_and_cells_are_not_found(api: TestClient, worker: Worker, path: str) -> None:
    run = ended_run(api, worker)
    answer = api.get(f"/api/v1/runs/{path.replace('RUN', run['id'])}/profile")
    problem_of(answer, 404, "not_found")


def test_a_host_that_takes_none_is_a_warning_of_the_plan(api: TestClient, worker: Worker) -> None:
    worker.announce("bench-1", no_profile="perf is not installed; install the package linux-perf (Debian)")
    plan = api.post("/api/v1/plans", json=PROFILED, params={"host": "bench-1"})
    assert plan.status_code == 200, plan.text
    assert "No CPU profile can be taken on this host: perf is not installed" in plan.text


def test_profile_must_be_true_or_false(api: TestClient, worker: Worker) -> None:
    answer = api.post("/api/v1/experiments", json={**DOCUMENT, "profile": "yes"})
    (problem,) = problem_of(answer, 422, "invalid")["errors"]
    assert problem["pointer"] == "/profile" and "true or false" in problem["detail"]
