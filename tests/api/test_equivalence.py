"""How far the lab equals the host's own engine, as the host's page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi.testclient import TestClient

from backend.api.equivalence.service import _paths as paths_of
from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.definition.submitted import validate_document
from backend.core.plan.model import Cell, Obstacle
from tests.api.client import DOCUMENT, Worker, problem_of, start_run
from tests.core.chart.runs import Change, as_measured, made_up

BOTH: dict[str, Any] = {
    **DOCUMENT,
    "name": "both-engines",
    "factors": {**DOCUMENT["factors"], "engine": ["lab", "host"]},
    "baseline": {"engine": "lab"},
    "rounds": 7,
}
URL = "/api/v1/hosts/bench-1/equivalence"


def test_without_such_a_run_the_preset_to_run_is_named(api: TestClient, worker: Worker) -> None:
    start_run(api)
    worker.finish()
    start_run(api, BOTH)
    worker.record(worker.claim())
    found = problem_of(api.get(URL), 404, "not_found")
    assert "lab-equals-host" in found["detail"]
    problem_of(api.get("/api/v1/hosts/nobody/equivalence"), 404, "not_found")
    assert api.get("/api/v1/hosts/bench-1").json()["equivalence_run_id"] is None


def test_each_path_has_its_ratio_with_an_interval(api: TestClient, worker: Worker) -> None:
    run = start_run(api, BOTH)
    count = 0
    while worker.open():
        claimed = worker.claim()
        rate = {"same_container": 10_000.0, "published_loopback": 8_000.0}[str(claimed.levels["path"])]
        if (claimed.levels["engine"], claimed.levels["path"]) == ("host", "published_loopback"):
            rate *= 0.8
        count += 1
        worker.record(claimed, rate * (1 + count % 5 / 1e4))
    assert api.get("/api/v1/hosts/bench-1").json()["equivalence_run_id"] == run["id"]
    found = api.get(URL).json()
    assert (found["run_id"], found["metric"], found["margin"]) == (run["id"], "tps", 0.05)
    by_path = {path["path"]: path for path in found["paths"]}
    assert list(by_path) == ["same_container", "published_loopback"]
    assert by_path["same_container"]["verdict"] == "equivalent"
    slower = by_path["published_loopback"]
    assert abs(slower["ratio"] - 0.8) < 0.01 and slower["interval"]["high"] < 0.9 and slower["n"] == 7


PROXY_CPU = validate_document({**BOTH, "metrics": ["proxy_cpu_cores"]})


def of_proxy(lab: float, host: float) -> Change:
    """The CPU of the proxy on the two daemons."""

    def change(row: TrialRow, cell: Cell) -> TrialRow:
        cores = host if cell.levels["engine"] == "host" else lab
        return replace(row, metrics={**(row.metrics or {}), "proxy_cpu_cores": cores * (1 + row.round / 1e3)})

    return change


def test_a_path_whose_value_is_zero_has_a_difference() -> None:
    """The lab's published port has no proxy program here, and the host's has one: no ratio exists."""
    found = next(iter(paths_of(build_chart(made_up(PROXY_CPU, of_proxy(0.0, 0.5))))))
    assert (found.ratio, found.interval, found.verdict, found.n) == (None, None, "worse", 7)
    assert found.difference is not None and found.difference.interval is not None
    assert (found.difference.unit, round(found.difference.value, 2)) == ("cores", 0.5)
    assert found.difference.interval.low > 0.49 and "0.502 cores higher" in found.sentence


def test_zero_on_both_daemons_is_a_difference_of_zero() -> None:
    found = next(iter(paths_of(build_chart(made_up(PROXY_CPU, of_proxy(0.0, 0.0))))))
    assert found.verdict == "equivalent" and found.difference is not None and found.difference.value == 0


def test_a_path_that_is_not_compared_says_why() -> None:
    def without_host(levels: Mapping[str, object]) -> Obstacle | None:
        unusable = Obstacle("engine", "no_daemon", "the daemon cannot be used")
        return unusable if levels["engine"] == "host" else None

    infeasible = build_chart(made_up(validate_document(BOTH), as_measured, infeasible=without_host))
    assert [(path.verdict, path.sentence) for path in paths_of(infeasible)] == [
        ("undefined", "No answer (the daemon cannot be used)")
    ] * 2
    elsewhere = validate_document({**BOTH, "baseline": {"path": "same_container", "engine": "lab"}})
    (same, other) = paths_of(build_chart(made_up(elsewhere)))
    assert same.ratio is not None and other.ratio is None and other.n == 0
    assert other.sentence == "No answer (the run does not compare it with the lab daemon)"
