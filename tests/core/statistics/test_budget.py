"""What fits into a time, and what is said where nothing does."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.core.plan.power import rounds_needed
from backend.core.statistics.budget import MOST_LOOKS, BudgetFit, fit_budget
from backend.core.statistics.power import smallest_effect
from tests.core.plan.experiments import plan

PLAN = plan()  # 6 comparisons, 10 cells with A/A duplicates, 123 s a round


def fit(minutes: int, spread: float = 0.03, **changes: Any) -> BudgetFit:
    return fit_budget(plan(**changes) if changes else PLAN, minutes, spread)


@settings(max_examples=60)
@given(st.integers(1, 1440), st.floats(0.005, 0.2))
def test_the_rounds_end_in_time_and_one_more_would_not(minutes: int, spread: float) -> None:
    found = fit(minutes, spread)
    assert found.rounds == 0 or found.seconds <= 60 * minutes + 0.1
    if found.rounds < 1000:
        assert found.seconds + PLAN.estimate.round_seconds > 60 * minutes - 0.1
    assert found.fits == (found.rounds >= rounds_needed(6))
    expected = smallest_effect(found.rounds, spread, 6) if found.fits else None
    assert found.smallest_effect == expected


@settings(max_examples=60)
@given(st.integers(1, 1440))
def test_a_proposed_rule_is_one_that_a_plan_takes(minutes: int) -> None:
    found = fit(minutes)
    if found.stopping is None:
        assert found.first_look is None
        return
    assert found.first_look is not None
    looked = plan(rounds=found.first_look, stopping=found.stopping.model_dump())
    assert 2 <= len(looked.looks) <= MOST_LOOKS
    assert found.first_look >= rounds_needed(6, len(looked.looks))
    assert found.first_look < found.rounds < found.stopping.at_most
    assert found.stopping.budget_minutes == minutes
    assert looked.estimate.seconds <= 60 * minutes
    assert not [warning for warning in looked.warnings if "look" in warning or "Too few" in warning]


def test_what_is_said_where_it_fits() -> None:
    found = fit(30)
    assert (found.fits, found.rounds) == (True, 14)
    assert found.stopping is not None and (found.first_look, found.stopping.every) == (11, 5)
    assert re.fullmatch(
        r"30 minutes hold 14 rounds of 10 cells, which show differences of [0-9.]+ % or more \(80 % power, 6 "
        r"comparisons\)\. Or look after 11 rounds and then every 5: cells that are decided leave their "
        r"time to the others, up to 31 rounds\.",
        found.sentence,
    )


def test_what_would_fit_does() -> None:
    found = fit(14)
    assert (found.fits, found.rounds, found.stopping, found.smallest_effect) == (False, 6, None, None)
    assert found.sentence == (
        "14 minutes hold 6 rounds of 10 cells, and 8 are needed to decide 6 comparisons. This would fit: "
        "about 6 instead of 8 cells, or windows of 8 s instead of 10 s, or 17 minutes."
    )
    assert fit(17).fits and not fit(16).fits
    factors = {
        "path": ["same_container", "published_loopback"],
        "userland_proxy": [True, False],
        "clients": [1, 8],
    }
    assert fit(14, factors=factors | {"duration_s": 8}).fits
    assert not fit(14, factors=factors | {"duration_s": 9}).fits


def test_where_nothing_fits_more_time_is_named() -> None:
    assert fit(1).sentence == (
        "1 minute holds no rounds of 10 cells, and 8 are needed to decide 6 comparisons. "
        "This would fit: 17 minutes."
    )
    long = fit(1440, factors={"path": ["same_container", "published_loopback"], "duration_s": 3600},
               baseline={"path": "same_container"}, rounds=6)  # fmt: skip
    assert long.fits and long.stopping is None  # one comparison: nothing to share out


def test_without_comparisons_rounds_are_all_there_is_to_say() -> None:
    found = fit(30, factors={"path": "same_container"}, baseline={"path": "same_container"})
    assert found.fits and found.smallest_effect is None
    assert found.sentence.endswith("cells; there is nothing to compare.")


def test_a_spread_without_bounds_shows_nothing() -> None:
    assert "no difference reliably" in fit(30, spread=3.0).sentence


@pytest.mark.parametrize("minutes", [1, 30, 1440])
def test_the_limit_on_trials_holds(minutes: int) -> None:
    brief = replace(PLAN, estimate=replace(PLAN.estimate, round_seconds=0.5))
    found = fit_budget(brief, minutes, 0.03)
    assert found.rounds <= 1000
    assert found.stopping is None or found.stopping.at_most <= 1000
