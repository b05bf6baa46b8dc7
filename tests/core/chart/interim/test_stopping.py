"""Cancelled runs: figures are corrected for every round at which the run could have been stopped."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.interim.stopping import analyses_to_correct_for, every_round
from backend.core.plan.model import Cell
from backend.core.plan.power import ALPHA, smallest_p
from tests.core.chart.runs import cell_of, failed, made_up, study_experiment

NOTE = "The run was cancelled after "


def cancelled(after: int, **changes: Any) -> ChartInput:
    """A run of 30 fixed rounds, or what `changes` make of it, that somebody cancelled after some of them."""

    def change(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, state="cancelled", metrics=None) if row.round > after else row

    return made_up(study_experiment(**{"rounds": 30} | changes), change, state="cancelled")


@pytest.mark.parametrize(("planned", "expected"), [(1, 1), (6, 1), (7, 1), (10, 3), (30, 21), (100, 89)])
def test_the_rounds_at_which_a_run_might_have_been_stopped(planned: int, expected: int) -> None:
    found = every_round(planned)
    assert found == expected
    first = planned - found + 1
    assert found * smallest_p(first) <= ALPHA or planned < 6
    assert (found + 1) * smallest_p(first - 1) > ALPHA, "at no earlier round anything could be decided"


def test_thirty_rounds_cancelled_at_nine_decide_nothing() -> None:
    model = build_chart(cancelled(9))
    kinds = {c.comparisons["tps"].verdict for c in model.cells if c.comparisons}
    assert kinds == {"not_enough_rounds"}
    assert f"{NOTE}9 of 30 rounds: p-values and intervals" in model.headline
    assert any(text.startswith(NOTE) for text in model.warnings)


def test_a_clear_difference_of_a_cancelled_run_is_shown_with_its_correction() -> None:
    model = build_chart(cancelled(20))
    found = cell_of(model, "published_loopback", True).comparisons["tps"]
    ended = cell_of(build_chart(replace(cancelled(20), state="done")), "published_loopback", True)
    alone = ended.comparisons["tps"]
    assert (found.verdict, alone.verdict) == ("worse", "worse")
    assert found.p_adjusted is not None and alone.p_adjusted is not None
    assert found.p_adjusted > 20 * alone.p_adjusted
    assert found.interval is not None and alone.interval is not None
    assert found.interval.low < alone.interval.low and alone.interval.high < found.interval.high
    assert model.headline.index(NOTE) > 0


def test_costs_and_thresholds_of_a_cancelled_run_are_corrected_too() -> None:
    changes = {"rounds": 30, "thresholds": ["ratio(tps, baseline) >= 0.1"]}
    stopped, ended = (
        build_chart(replace(cancelled(20, **changes), state=state)) for state in ("cancelled", "done")
    )
    assert stopped.gate is not None and ended.gate is not None
    for one, other in zip(stopped.gate.rules[0].cells, ended.gate.rules[0].cells, strict=True):
        assert one.interval is not None and other.interval is not None
        assert one.interval.low < other.interval.low


def test_failed_trials_are_no_choice_of_the_moment() -> None:
    def change(row: TrialRow, _cell: Cell) -> TrialRow:
        return failed(row) if row.round > 9 else row

    data = made_up(study_experiment(rounds=30), change, state="incomplete")
    model = build_chart(data)
    assert analyses_to_correct_for(data) == 1
    assert NOTE not in model.headline and not any(text.startswith(NOTE) for text in model.warnings)
    assert cell_of(model, "published_loopback", True).comparisons["tps"].verdict == "worse"


STOPPING = {"rounds": 10, "stopping": {"every": 10, "at_most": 30}}


def test_a_run_with_interim_analyses_stays_corrected_for_all_of_them() -> None:
    model = build_chart(cancelled(14, **STOPPING))
    found = cell_of(model, "published_loopback", True).comparisons["tps"]
    ended = cell_of(
        build_chart(replace(cancelled(10, **STOPPING), state="running")), "published_loopback", True
    )
    assert found.n == 10 and found.interval == ended.comparisons["tps"].interval
    assert f"{NOTE}14 of 30 rounds: comparisons, costs and thresholds are those of the interim analysis" in (
        model.headline
    )


def test_before_its_first_interim_analysis_it_counts_as_watched_at_every_round() -> None:
    data = cancelled(8, **STOPPING)
    assert (
        analyses_to_correct_for(data),
        analyses_to_correct_for(data, taken=1),
        analyses_to_correct_for(replace(data, state="running")),
    ) == (21, 3, 3)
    assert "as if it had been analysed after every round" in build_chart(data).headline
