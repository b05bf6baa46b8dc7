"""Make-up rounds as a user sees them: plan, run, result, and the command for what an ended run lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.cli.extending import offer
from tests.api.client import DOCUMENT, Worker, start_run
from tests.api.command import Command

SIX = DOCUMENT | {"rounds": 6}
LOST = {("c2", 3), ("c2", 7)}
"""A trial, and the one that makes up for it."""
DISTURBED = {"contaminated": ["background load"]}


def finish(worker: Worker, lost: tuple[str, int]) -> list[tuple[str, int]]:
    """Record every trial of the run, one of them disturbed; returns them in order."""
    found: list[tuple[str, int]] = []
    while worker.open():
        claimed = worker.claim()
        place = (claimed.cell_id, claimed.round)
        worker.record(claimed, quality=DISTURBED if place == lost else None)
        found.append(place)
    return found


def started(api: TestClient) -> tuple[str, int]:
    """A run of six rounds, and the number of its planned trials."""
    run: dict[str, Any] = start_run(api, SIX)
    assert run["progress"]["made_up"] == 0
    return run["id"], run["progress"]["total"]


@pytest.fixture
def plimsoll(served: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, with the served API."""
    monkeypatch.setenv("PLIMSOLL_URL", served)
    return Command(capsys, monkeypatch)


def test_the_plan_says_that_make_up_rounds_may_follow(api: TestClient, worker: Worker) -> None:
    plan = api.post("/api/v1/plans", json=SIX).json()["plan"]
    assert (plan["make_up"]["after_round"], plan["make_up"]["rounds"]) == (6, 2)
    assert plan["make_up"]["seconds"] > 0


def test_a_run_measures_what_the_host_disturbed_again(api: TestClient, worker: Worker) -> None:
    run, planned = started(api)
    measured = finish(worker, ("c2", 3))
    assert set(measured[planned:]) == {("c1", 7), ("c2", 7)}
    found = api.get(f"/api/v1/runs/{run}").json()
    assert (found["state"], found["progress"]["total"]) == ("done", planned + 2)
    assert found["progress"]["made_up"] == 2
    result = api.get(f"/api/v1/runs/{run}/result").json()
    assert any("2 trials were measured in make-up rounds" in text for text in result["warnings"])
    cell = next(row for row in result["cells"] if row["id"] == "c2")
    assert cell["comparisons"]["tps"]["n"] == 6


def test_what_an_ended_run_lost_is_measured_again_by_one_command(
    api: TestClient, worker: Worker, plimsoll: Command
) -> None:
    run, planned = started(api)
    for _ in range(planned + 2):
        claimed = worker.claim()
        worker.record(claimed, quality=DISTURBED if (claimed.cell_id, claimed.round) in LOST else None)
    assert not worker.open()
    model = api.get(f"/api/v1/runs/{run}/result").json()
    assert offer(run, model) == (
        f"1 cell lost trials; measure again, as an analysis of its own: plimsoll extend {run} --missing"
    )
    preview = json.loads(plimsoll("extend", run, "--missing", "--preview", "--json"))
    assert (preview["number"], preview["analyses"]) == (1, 2)
    assert {"c1", "c2"} <= set(preview["cells"])
    extension = json.loads(plimsoll("extend", run, "--missing", "--json"))
    assert extension["extension"]["rounds"] == preview["rounds_needed"]
