"""The commands that judge a result: gate and exit codes, compare."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.api.client import DOCUMENT, Worker
from tests.api.command import Command, play

RATIO = "ratio(tps, baseline)"
SEVEN = {**DOCUMENT, "rounds": 7}


@pytest.fixture
def plimsoll(served: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, with PLIMSOLL_URL pointing at the served API."""
    monkeypatch.setenv("PLIMSOLL_URL", served)
    return Command(capsys, monkeypatch)


class Bench:
    """Starts runs by the command and carries them out."""

    def __init__(self, plimsoll: Command, worker: Worker, folder: Path) -> None:
        self._plimsoll = plimsoll
        self._worker = worker
        self._folder = folder

    def started(self, **changes: Any) -> str:
        """The id of a run of the document with these changes."""
        return str(json.loads(self._plimsoll("run", self.written(**changes), "--json"))["id"])

    def written(self, **changes: Any) -> str:
        """The file of the document with these changes."""
        file = self._folder / "experiment.yaml"
        file.write_text(yaml.safe_dump({**SEVEN, **changes}, allow_unicode=True))
        return str(file)

    def measured(self, scale: float = 1.0, **changes: Any) -> str:
        """The id of a finished run, its rates `scale` times those of the stand-in."""
        run_id = self.started(**changes)
        while self._worker.open():
            claimed = self._worker.claim()
            rate = 10_000.0 if claimed.levels["path"] == "same_container" else 8_000.0
            self._worker.record(claimed, scale * rate)
        return run_id


@pytest.fixture
def bench(plimsoll: Command, worker: Worker, tmp_path: Path) -> Bench:
    """A host with a stand-in for its worker."""
    return Bench(plimsoll, worker, tmp_path)


def test_a_threshold_that_is_not_met_is_exit_code_99(plimsoll: Command, bench: Bench) -> None:
    run_id = bench.measured(thresholds=[f"{RATIO} >= 0.95", "tps > 1"])
    shown = plimsoll("result", run_id, code=99)
    assert "Thresholds: FAIL" in shown and f"FAIL                 {RATIO} >= 0.95" in shown
    assert "0.8 (95 % simultaneous CI of 3 tested figures 0.8 to 0.8) of its baseline: below 0.95." in shown
    assert "pass                 tps > 1" in shown and "2 cells: 2 pass." in shown
    found = json.loads(plimsoll("result", run_id, "--json", code=99))
    assert found["gate"]["outcome"] == "fail"
    plimsoll("result", run_id, "--markdown", code=99)


def test_thresholds_that_are_met_are_exit_code_0(plimsoll: Command, bench: Bench) -> None:
    run_id = bench.measured(thresholds=[f"{RATIO} >= 0.5 for path=published_loopback"])
    assert "Thresholds: pass" in plimsoll("result", run_id, "--strict")
    assert "Thresholds" not in plimsoll("result", bench.measured(), "--strict")


def test_not_enough_evidence_is_exit_code_4_with_strict(plimsoll: Command, bench: Bench) -> None:
    run_id = bench.measured(rounds=3, thresholds=[f"{RATIO} >= 0.95"])
    assert "Thresholds: not enough evidence" in plimsoll("result", run_id)
    assert "too few rounds to decide" in plimsoll("result", run_id, "--strict", code=4)


def test_a_run_that_goes_on_fails_nothing(plimsoll: Command, bench: Bench, worker: Worker) -> None:
    run_id = bench.started(thresholds=["tps > 1000000"])
    while worker.open() > 1:
        worker.record(worker.claim())
    assert "Thresholds: FAIL" in plimsoll("result", run_id)
    plimsoll("result", run_id, "--strict", code=4)
    worker.finish()
    plimsoll("result", run_id, code=99)


def test_a_followed_run_ends_with_its_gate(plimsoll: Command, bench: Bench, worker: Worker) -> None:
    file = bench.written(thresholds=[f"{RATIO} >= 0.95"])
    thread = play(worker, worker.finish)
    assert "Thresholds: FAIL" in plimsoll("run", file, "--follow", code=99)
    thread.join()

    def fail_one() -> None:
        worker.fail(worker.claim())
        worker.finish()

    thread = play(worker, fail_one)
    assert "Thresholds: FAIL" in plimsoll("run", file, "--follow", code=3)
    thread.join()
    plimsoll("run", file, "--strict", code=2)
    assert "--follow" in plimsoll.err


def test_compare_shows_differences_first_and_then_the_table(plimsoll: Command, bench: Bench) -> None:
    a = bench.measured()
    b = bench.measured(scale=0.5, factors={**DOCUMENT["factors"], "warm_up_s": 1})
    assert "a third run is needed" in plimsoll("compare", a, b)
    others = bench.measured(), bench.measured()
    assert a not in others
    shown = plimsoll("compare", a, b)
    assert shown.index("warm_up_s") < shown.index("2 slower") < shown.index("B is 50.0 % slower")
    assert "Comparable in part. Basis: the cells' own values." in shown
    assert "Same container (baseline)" in shown and "10,000 [10,000, 10,000]" in shown
    assert "Warning: The runs were not measured in the same rounds" in shown
    ratios = plimsoll("compare", a, b, "--basis", "ratios", "--metric", "tps")
    assert "A ÷ its baseline [95 % CI]" in ratios and "1 equal" in ratios
    pasted = plimsoll("compare", a, b, "--markdown")
    assert "| differs | relevance | A | B | remark |\n| --- |" in pasted and "| B is 50.0 % slower" in pasted
    found = json.loads(plimsoll("compare", a, b, "--json"))
    assert found["comparable"] == "partly" and len(found["tables"]) >= 1
    plimsoll("compare", a, b, "--json", "--markdown", code=2)
    plimsoll("compare", a, b, "--basis", "medians", code=2)
    plimsoll("compare", a, "run_0000000000000000", code=1)
    assert "no such run" in plimsoll.err


def test_what_is_not_comparable_is_exit_code_5(plimsoll: Command, bench: Bench) -> None:
    a, b = bench.measured(), bench.measured(factors={**DOCUMENT["factors"], "clients": 9})
    shown = plimsoll("compare", a, b, code=5)
    assert "Not comparable. Nothing is compared." in shown and "clients is 5 in A and 9 in B" in shown
    assert json.loads(plimsoll("compare", a, b, "--json", code=5))["refused"]
    over = plimsoll("compare", a, b, "--override")
    assert "Compared because of --override." in over and "Only A has this cell." in over
    pair = plimsoll("compare", a, b, "--a-cell", "c1", "--b-cell", "c1")
    assert "one of the things that are compared" in pair
    assert "paired" not in pair and "Published port on 127.0.0.1" in plimsoll(
        "compare", a, a, "--a-cell", "c1", "--b-cell", "c2"
    )


def test_several_runs_are_columns(plimsoll: Command, worker: Worker, tmp_path: Path) -> None:
    bench = Bench(plimsoll, worker, tmp_path)
    a, b, c = bench.measured(), bench.measured(0.5), bench.measured(1.01)
    text = plimsoll("compare", a, b, c)
    assert "A (reference)" in text and "C: " in text and "simultaneous CI of" in text
    found = json.loads(plimsoll("compare", a, b, c, "--json"))
    assert [column["run_id"] for column in found["columns"]] == [a, b, c]
    assert "| cell | A (reference) | B | C |" in plimsoll("compare", a, b, c, "--markdown")
