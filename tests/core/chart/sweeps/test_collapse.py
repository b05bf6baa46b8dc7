"""Sentences of a knee: falls to zero, small and large falls, rounds that are left out."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import replace

import pytest

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.model.sweep_models import Knee
from backend.core.chart.sweeps.knee import build_knees
from tests.core.chart.runs import failed
from tests.core.chart.sweeps.test_knee import RATES, Figures, a_run, knee, with_knee_at

CLIENTS = [1, 4, 8, 16, 32]
GOOD = {1: 100.0, 4: 350.0, 8: 500.0, 16: 480.0, 32: 300.0}


def rates(by_level: dict[int, float], zero_rounds: Collection[int] = ()) -> Figures:
    """Throughput with a little noise; of the highest load 0 in these rounds."""
    generator = random.Random(4)

    def figures(level: int, round_: int) -> dict[str, float]:
        value = by_level[level] * generator.lognormvariate(0, 0.002)
        return {"tps": 0.0 if level == 32 and round_ in zero_rounds else value}

    return figures


def collapsing(figures: Figures, rounds: int = 10) -> ChartInput:
    return a_run(figures, rounds, clients=CLIENTS, threads=1, reconnect=True)


def lost(data: ChartInput, factor: str, level: int, rounds: Collection[int], state: str = "failed") -> Knee:
    """The knee where the trials of a level are lost in these rounds."""
    ids = {c.id for c in data.plan.cells if c.levels[factor] == level}

    def spoilt(row: TrialRow) -> TrialRow:
        if row.cell_id not in ids or row.round not in rounds:
            return row
        return failed(row) if state == "failed" else TrialRow(row.trial_id, row.cell_id, row.round, "spared")

    return knee(replace(data, trials=[spoilt(row) for row in data.trials]), 5.0 if factor == "rate" else None)


# --- falls --------------------------------------------------------------------------------------


@pytest.mark.parametrize("zero_rounds", [range(1, 11), (3,)], ids=["in every round", "in one round"])
def test_a_fall_to_zero_is_a_fall(zero_rounds: Collection[int]) -> None:
    """No logarithm exists there: the differences are judged."""
    found = knee(collapsing(rates({**GOOD, 16: 499.0, 32: 5.0}, zero_rounds)), None)
    assert (found.level, found.beyond, found.n) == (16, None, 10)
    fallen = "100 %" if len(zero_rounds) == 10 else "99.0 %"
    assert (
        f"; with 32 clients it is {fallen} lower than with 16 (95 % CI of the difference −" in found.sentence
    )
    assert found.sentence.endswith(" per second).")


def test_a_fall_to_zero_counts_for_the_other_levels_too() -> None:
    """Six rounds give p = 1/32 each: enough for one level above the knee, too little for two."""
    figures = rates({**GOOD, 16: 400.0, 32: 5.0}, range(1, 11))
    assert knee(collapsing(figures, rounds=6), None).beyond == "above"
    assert knee(collapsing(figures, rounds=7), None).beyond is None


def test_a_fall_to_zero_is_corrected_for_the_interim_analyses() -> None:
    cells = by_cell(collapsing(rates({**GOOD, 16: 499.0}, range(1, 11)), rounds=6))
    assert [build_knees(cells, None, analyses)[0].beyond for analyses in (1, 2)] == [None, "above"]


def test_all_zero_is_no_fall() -> None:
    found = knee(collapsing(rates(dict.fromkeys(CLIENTS, 0.0))), None)
    assert (found.level, found.beyond) == (32, "above")


def test_the_first_fall_below_what_keeps_is_reported() -> None:
    """8 clients keep 96 % of the best and 16 do not, but 16 are shown to be only 3 % slower than 8."""
    found = knee(collapsing(rates({1: 100.0, 4: 520.0, 8: 500.0, 16: 485.0, 32: 300.0})), None)
    assert (found.level, found.beyond) == (8, None)
    assert "; with 32 clients it is 40." in found.sentence
    assert " % lower than with 8 (95 % simultaneous CI of 2 levels −4" in found.sentence


def test_of_small_falls_the_largest_is_reported() -> None:
    found = knee(collapsing(rates({1: 100.0, 4: 520.0, 8: 500.0, 16: 485.0, 32: 480.0})), None)
    assert (found.level, found.beyond) == (8, None)
    assert (
        "; with 32 clients it is 4.0 % lower than with 8 (95 % simultaneous CI of 2 levels −4"
        in found.sentence
    )


# --- rounds that are left out -------------------------------------------------------------------


def test_rounds_without_the_rate_that_decides_are_counted_and_explained() -> None:
    found = lost(a_run(with_knee_at(16000), rounds=10, rate=RATES), "rate", 16000, range(1, 7))
    assert (found.level, found.beyond, found.n) == (16000, "above", 4)
    assert found.sentence.endswith(
        "the knee is there or above (4 rounds, no interval with fewer than 6). 6 of 10 rounds are left out, "
        "without a figure at 16,000 transactions per second: a trial failed, did not prove its path, or had "
        "fewer than 1,000 transactions."
    )


def test_where_all_rounds_lack_the_rate_that_decides_failure_is_named() -> None:
    found = lost(a_run(with_knee_at(16000), rounds=10, rate=RATES), "rate", 4000, range(1, 11))
    assert (found.n, found.level) == (0, None)
    assert found.sentence.startswith("Not known: ") and "10 of 10 rounds are left out" in found.sentence
    assert "at 4,000 transactions per second: a trial failed" in found.sentence


def test_a_rate_that_decides_nothing_costs_no_round() -> None:
    found = lost(a_run(with_knee_at(4000), rounds=10, rate=RATES), "rate", 16000, range(1, 7))
    assert (found.level, found.n) == (4000, 10) and "left out" not in found.sentence


def test_trials_that_were_spared_or_are_still_to_come_are_no_loss() -> None:
    found = lost(a_run(with_knee_at(16000), rounds=10, rate=RATES), "rate", 16000, (9, 10), "spared")
    assert found.n == 8 and "left out" not in found.sentence


def test_rounds_without_the_throughput_of_a_load_are_reported() -> None:
    found = lost(collapsing(rates(GOOD)), "clients", 32, (2,))
    assert found.n == 9
    assert found.sentence.endswith(
        " 1 of 10 rounds is left out, without a figure at 32 clients: a trial failed or did not prove its "
        "path."
    )


def test_a_load_of_which_no_trial_counts_is_named() -> None:
    found = lost(collapsing(rates(GOOD)), "clients", 32, range(1, 11))
    assert (len(found.cells), found.n) == (4, 10)
    assert found.sentence.endswith(" At 32 clients no trial counts: each failed or did not prove its path.")
