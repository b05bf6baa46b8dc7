"""The demo's lines for trials, its verdict, and its end if the API is gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backend.client import transport
from backend.store.secrets import new_token
from scripts.starter.demo import Demo, trial_line, unproven
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Terminal


def trial(cell: str = "c1", **changes: Any) -> dict[str, Any]:
    row = {"cell_id": cell, "state": "done", "evidence_verdict": "proven", "failure_code": None}
    return row | changes


def test_all_done_and_proven_is_no_fault() -> None:
    assert unproven([trial(), trial("c2")], 2) == []


def test_a_missing_trial_is_a_fault() -> None:
    assert unproven([trial()], 2) == ["2 trials were planned and 1 exist"]


def test_make_up_trials_are_no_fault() -> None:
    assert unproven([trial(), trial("c2"), trial("c2")], 2) == []


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


@pytest.fixture
def stop() -> Stop:
    return Stop()


def run_without_api(stop: Stop, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Demo:
    monkeypatch.setattr(transport, "PAUSE_S", 0.0)
    demo = Demo("http://127.0.0.1:1", new_token(), folder / "demo.json", Terminal(), stop)
    demo.run()
    return demo


def test_an_api_that_does_not_answer_fails_the_demo(
    stop: Stop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_without_api(stop, tmp_path, monkeypatch).exit_code == 1
    printed = capsys.readouterr().err
    assert printed.startswith("plimsoll: the demo failed: http://127.0.0.1:1 does not answer")
    assert printed.count("\n") == 1


def test_a_stop_that_was_requested_is_no_failure_of_the_demo(
    stop: Stop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C stops the API while the demo calls it."""
    stop.request()
    assert run_without_api(stop, tmp_path, monkeypatch).exit_code == 1
    assert capsys.readouterr() == ("", "")
