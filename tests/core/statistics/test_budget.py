"""The rounds that fit a budget, and the sentence where none do."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.core.plan.build import MAX_TRIALS
from backend.core.plan.model import Plan
from backend.core.plan.power import rounds_needed
from backend.core.statistics.budget import MOST_ANALYSES, BudgetFit, fit_budget
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
        assert found.first_interim_analysis is None
        return
    assert found.first_interim_analysis is not None
    proposed = plan(rounds=found.first_interim_analysis, stopping=found.stopping.model_dump())
    assert 2 <= len(proposed.interim_rounds) <= MOST_ANALYSES
    assert found.first_interim_analysis >= rounds_needed(6, len(proposed.interim_rounds))
    assert found.first_interim_analysis < found.rounds < found.stopping.at_most
    reached = max(round_ for round_ in proposed.interim_rounds if round_ <= found.rounds)
    assert reached > found.first_interim_analysis, "the second analysis must fit with all cells"
    assert reached >= 0.9 * found.rounds - 1
    assert found.stopping.budget_minutes == minutes
    assert proposed.estimate.seconds <= 60 * minutes
    assert not [warning for warning in proposed.warnings if "analysis" in warning or "Too few" in warning]


def test_what_is_said_where_it_fits() -> None:
    found = fit(32)
    assert (found.fits, found.rounds) == (True, 14)
    assert found.stopping is not None and (found.first_interim_analysis, found.stopping.every) == (10, 4)
    assert re.fullmatch(
        r"32 minutes hold 14 rounds of 10 cells, which show differences of [0-9.]+ % or more \(80 % power, 6 "
        r"comparisons\)\. Or with interim analyses after 10 rounds and then every 4: decided cells leave "
        r"their time to the others, up to 22 rounds\.",
        found.sentence,
    )


def test_what_would_fit_does() -> None:
    found = fit(14)
    assert (found.fits, found.rounds, found.stopping, found.smallest_effect) == (False, 6, None, None)
    assert found.sentence == (
        "14 minutes hold 6 rounds of 10 cells, and 8 are needed to decide 6 comparisons. This would fit: "
        "about 6 instead of 8 cells, or windows of 7 s instead of 10 s, or 18 minutes."
    )
    assert fit(18).fits and not fit(17).fits
    factors = {
        "path": ["same_container", "published_loopback"],
        "userland_proxy": [True, False],
        "clients": [1, 8],
    }
    assert fit(14, factors=factors | {"duration_s": 7}).fits
    assert not fit(14, factors=factors | {"duration_s": 8}).fits


def test_where_nothing_fits_more_time_is_named() -> None:
    assert fit(1).sentence == (
        "1 minute holds no rounds of 10 cells, and 8 are needed to decide 6 comparisons. "
        "This would fit: 18 minutes."
    )
    long = fit(1440, factors={"path": ["same_container", "published_loopback"], "duration_s": 3600},
               baseline={"path": "same_container"}, rounds=6)  # fmt: skip
    assert long.fits and long.stopping is None  # one comparison: nothing to share out


def test_without_comparisons_rounds_are_all_there_is_to_say() -> None:
    found = fit(30, factors={"path": "same_container"}, baseline={"path": "same_container"})
    assert found.fits and found.smallest_effect is None
    assert found.sentence.endswith("cells; there is nothing to compare.")


def many(cells: int) -> Plan:
    """A plan of so many cells, one of them the baseline, which has a duplicate."""
    factors = {"path": "same_container", "clients": [*range(1, cells // 10 + 1)], "scale": [*range(1, 11)]}
    base = {"clients": 1, "scale": 1}
    return plan(factors=factors | {"duration_s": 1, "warm_up_s": 0}, baseline=base, rounds=6)


@pytest.mark.parametrize(("cells", "minutes"), [(990, 1440), (700, 300)])
def test_where_trials_are_the_limit_no_time_is_named(cells: int, minutes: int) -> None:
    found = fit_budget(many(cells), minutes, 0.03)
    assert not found.fits and "10,000 trials allow" in found.sentence
    assert "windows" not in found.sentence and not re.search(r"or [0-9,]+ minutes", found.sentence)
    fewer = re.search(r"about ([0-9]+) instead of", found.sentence)
    assert fewer is not None
    needed = rounds_needed(int(fewer.group(1)) - 1)
    assert (int(fewer.group(1)) + 1) * needed <= MAX_TRIALS


def test_a_proposed_window_fits_although_the_short_ones_cannot_shrink() -> None:
    factors = {"path": ["same_container", "published_loopback"]}

    def fitted(longest: int) -> BudgetFit:
        mixed = plan(
            factors=factors | {"duration_s": [1, longest]}, baseline={"path": "same_container"}, rounds=6
        )
        return fit_budget(mixed, 10, 0.03)

    said = re.search(r"windows of up to ([0-9]+) s instead of 60 s", fitted(60).sentence)
    assert not fitted(60).fits and said is not None
    assert fitted(int(said.group(1))).fits


def test_a_large_difference_reads_as_a_number() -> None:
    assert re.search(r"differences of 1[0-9][0-9] % or more", fit(30, spread=0.5).sentence)


def test_a_spread_without_bounds_shows_nothing() -> None:
    assert "no difference reliably" in fit(30, spread=3.0).sentence


@pytest.mark.parametrize("minutes", [1, 30, 1440])
def test_the_limit_on_trials_holds(minutes: int) -> None:
    brief = replace(PLAN, estimate=replace(PLAN.estimate, round_seconds=0.5))
    found = fit_budget(brief, minutes, 0.03)
    assert found.rounds <= 1000
    assert found.stopping is None or found.stopping.at_most <= 1000
