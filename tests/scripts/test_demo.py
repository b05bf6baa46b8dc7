"""What the demo says of trials, and when it is satisfied."""

from __future__ import annotations

from typing import Any

from scripts.starter.demo import trial_line, unproven


def trial(cell: str = "c1", **changes: Any) -> dict[str, Any]:
    row = {"cell_id": cell, "state": "done", "evidence_verdict": "proven", "failure_code": None}
    return row | changes


def test_all_done_and_proven_is_no_fault() -> None:
    assert unproven([trial(), trial("c2")], 2) == []


def test_a_missing_trial_is_a_fault() -> None:
    assert unproven([trial()], 2) == ["2 trials were planned and 1 exist"]


def test_every_cell_that_falls_short_is_named_once() -> None:
    rows = [
        trial("c1", evidence_verdict="not_proven"),
        trial("c1", evidence_verdict="not_proven"),
        trial("c2", state="failed", failure_code="timeout", evidence_verdict=None),
        trial("c3", evidence_verdict="contradicted"),
        trial("c4", evidence_verdict=None),
        trial("c5"),
    ]
    assert unproven(rows, 6) == [
        "cell c1: the path of 2 trials is not proven",
        "cell c2: 1 trials are failed (timeout)",
        "cell c3: the path of 1 trials is contradicted",
        "cell c4: the path of 1 trials is without evidence",
    ]


def test_a_trial_in_one_line() -> None:
    event = {"cell_id": "c1", "round": 2, "state": "done", "metrics": {"tps": 23456.7}, "failure_code": None}
    labels = {"c1": "published_loopback, on"}
    assert trial_line(event, 7, 40, labels) == "trial  7/40  round 2     23,457 tps  published_loopback, on"


def test_a_failed_trial_in_one_line() -> None:
    event = {"cell_id": "c9", "round": 1, "state": "failed", "metrics": None, "failure_code": "timeout"}
    assert trial_line(event, 1, 4, {}) == "trial 1/4  round 1  failed (timeout)  c9"
