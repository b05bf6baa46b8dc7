"""Interim analyses and budgets in a plan, and the warnings about them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.plan.build import build_plan
from backend.core.plan.estimate import ResourceNeed, rounds_within, trial_seconds
from backend.core.plan.interim import interim_rounds, last_round
from tests.core.plan.experiments import anything, experiment, plan, refusal


def adaptive(rounds: int, **stopping: Any) -> dict[str, Any]:
    return {"rounds": rounds, "stopping": stopping}


@pytest.mark.parametrize(
    ("rounds", "stopping", "rounds_of_analyses"),
    [
        (10, {"at_most": 24}, (10, 14, 18, 22, 24)),
        (10, {"at_most": 22}, (10, 14, 18, 22)),
        (6, {"at_most": 7, "every": 4}, (6, 7)),
        (1, {"at_most": 20, "every": 1}, tuple(range(1, 21))),
    ],
)
def test_interim_rounds(rounds: int, stopping: dict[str, int], rounds_of_analyses: tuple[int, ...]) -> None:
    assert interim_rounds(experiment(**adaptive(rounds, **stopping))) == rounds_of_analyses
    assert plan().interim_rounds == ()


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 20))
def test_interim_rounds_rise_from_the_first_to_the_last_round(rounds: int, more: int, every: int) -> None:
    if -(-more // every) + 1 > 20:
        return
    asked = experiment(**adaptive(rounds, at_most=rounds + more, every=every))
    found = interim_rounds(asked)
    assert (found[0], found[-1], last_round(asked)) == (rounds, rounds + more, rounds + more)
    assert all(0 < b - a <= every for a, b in pairwise(found))


def test_trials_are_planned_for_every_round_and_earlier_ones_stay() -> None:
    fixed, longer = plan(rounds=10), plan(**adaptive(10, at_most=24))
    assert longer.trials[: len(fixed.trials)] == fixed.trials
    assert len(longer.trials) == longer.estimate.trials == 24 * len(fixed.trials) // 10
    assert longer.estimate.seconds > fixed.estimate.seconds


def test_too_few_rounds_at_the_last_interim_analysis() -> None:
    (warning,) = plan(**adaptive(6, at_most=9, every=1)).warnings
    assert warning == (
        "Too few rounds: with 9 rounds and 4 interim analyses it is not certain that any result could be "
        "significant. The plan has 6 comparisons with the baseline, and 9 rounds are certain to be able to "
        "decide 3; 11 rounds are enough."
    )
    (still,) = plan(**adaptive(6, at_most=10, every=1)).warnings
    assert still.startswith("Too few rounds: with 10 rounds and 5 interim analyses"), "a later end adds one"
    assert not any("Too few" in warning for warning in plan(**adaptive(6, at_most=11, every=1)).warnings)
    assert plan(**adaptive(10, at_most=13, every=1)).warnings == ()


def test_a_first_interim_analysis_that_is_too_early() -> None:
    (warning,) = plan(**adaptive(6, at_most=22)).warnings
    assert warning.startswith("The first interim analysis, after 6 rounds, is too early")
    assert warning.endswith("makes the 4 others stricter; set rounds to 11 or more.")
    assert plan(**adaptive(11, at_most=27)).warnings == ()


def test_a_budget_caps_the_estimate_and_is_reported() -> None:
    free = plan(**adaptive(11, at_most=27))
    capped = plan(**adaptive(11, at_most=27, budget_minutes=40))
    assert capped.trials == free.trials and capped.estimate.trials == free.estimate.trials
    assert capped.estimate.seconds <= 40 * 60 < free.estimate.seconds
    held = round((capped.estimate.seconds - free.estimate.preparation_seconds) / free.estimate.round_seconds)
    assert 11 <= held < 27
    assert capped.estimate.window_seconds == held * 10 * 10
    assert capped.warnings == (
        f"The budget of 40 minutes fits about {held} of 27 rounds if no cell is decided early; cells decided "
        "early leave more rounds to the others.",
    )
    assert held in capped.interim_rounds, "a stage that does not fit is not begun"
    assert plan(**adaptive(11, at_most=27, budget_minutes=600)).warnings == ()


def test_a_budget_that_ends_before_the_first_interim_analysis() -> None:
    found = plan(**adaptive(11, at_most=27, budget_minutes=5))
    (warning,) = found.warnings
    assert "later than the budget of 5 minutes: no further round begins after it" in warning
    first = plan(rounds=11).estimate.seconds
    assert found.estimate.seconds == pytest.approx(first)


@given(st.integers(1, 1440), st.floats(0, 600), st.floats(1, 4000))
def test_what_is_held_ends_within_the_time(minutes: int, preparation: float, round_: float) -> None:
    rounds = rounds_within(minutes, preparation, round_)
    assert rounds == 0 or preparation + rounds * round_ <= 60 * minutes * (1 + 1e-9)
    assert preparation + (rounds + 1) * round_ > 60 * minutes * (1 - 1e-9)


def test_the_estimate_is_made_of_preparation_and_rounds() -> None:
    found = plan()
    cells = [cell for cell in found.cells if cell.infeasible is None]
    takes = found.estimate
    trials, start = sum(trial_seconds(cell.levels) for cell in cells), takes.restart_seconds / 9
    assert takes.round_seconds == pytest.approx(trials + start, abs=0.06)
    assert takes.seconds == pytest.approx(
        takes.preparation_seconds + 10 * takes.round_seconds - start, abs=0.6
    ), "the first start is part of the preparation"


def test_equal_resource_needs_are_counted_once() -> None:
    def needs(levels: Any, replica: int) -> list[ResourceNeed]:
        return [
            ResourceNeed(f"server {replica}", True, 60),
            ResourceNeed(f"client {levels['path']}", True, 10),
            ResourceNeed("d", False, 85),
        ]

    takes = build_plan(experiment(), anything, resource_needs=needs).estimate
    assert (takes.containers, takes.memory_mb) == (4, 2 * 60 + 2 * 10 + 85)
    assert takes.memory_bytes == 1_000_000 * takes.memory_mb
    assert (plan().estimate.containers, plan().estimate.memory_bytes) == (0, 0)


def test_a_thousand_cells_in_thirty_rounds_are_refused_with_what_would_do() -> None:
    levels = {"path": "same_container", "clients": list(range(1, 101)), "scale": list(range(1, 11))}
    pointer, code, detail = refusal(factors=levels, baseline={"clients": 1, "scale": 1}, rounds=30)
    assert (pointer, code) == ("/factors", "matrix_too_large")
    assert detail == (
        "1,000 cells × 30 rounds make 30,000 trials, at most 10,000 are allowed; use fewer levels or rounds: "
        "at most 10 rounds of these cells, or 333 cells in 30 rounds, A/A duplicates counted"
    )
    found = plan(factors=levels | {"duration_s": 1}, baseline={"clients": 1, "scale": 1}, rounds=9)
    assert found.estimate.trials == 1_001 * 9


def test_a_plan_of_days_names_the_field_that_makes_it_so() -> None:
    levels = {
        "factors": {"duration_s": 3600, "userland_proxy": [True, False]},
        "baseline": {"userland_proxy": True},
    }
    assert refusal(**levels, **adaptive(2, at_most=20))[:2] == ("/stopping/at_most", "plan_too_long")
    assert refusal(**levels, **adaptive(10, at_most=20))[:2] == ("/rounds", "plan_too_long")
    assert plan(**levels, **adaptive(2, at_most=20, budget_minutes=1440)).estimate.seconds <= 24 * 3600
