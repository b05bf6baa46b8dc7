"""Effects and rounds of a given power, and the spread that plans use; tests/simulations has the power
itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.plan.power import rounds_needed
from backend.core.statistics.power import (
    LARGEST_EFFECT,
    MOST_ROUNDS,
    rounds_for_effect,
    smallest_effect,
    spread_of_pairs,
    upper_spread,
)

spreads = st.floats(0.001, 0.5)


@given(st.floats(0.005, 1.0), spreads, st.integers(1, 200), st.integers(1, 5))
def test_rounds_and_effect_are_each_others_inverse(
    effect: float, spread: float, comparisons: int, analyses: int
) -> None:
    rounds = rounds_for_effect(effect, spread, comparisons, analyses)
    if rounds is None:
        most = smallest_effect(MOST_ROUNDS, spread, comparisons, analyses)
        assert most is None or most > effect
        return
    reached = smallest_effect(rounds, spread, comparisons, analyses)
    assert reached is not None and reached <= effect * (1 + 1e-9)
    assert rounds >= rounds_needed(comparisons, analyses)
    fewer = smallest_effect(rounds - 1, spread, comparisons, analyses)
    assert fewer is None or fewer > effect


@given(st.integers(1, 300), st.integers(1, 20))
def test_below_the_exact_minimum_nothing_is_shown(comparisons: int, analyses: int) -> None:
    needed = rounds_needed(comparisons, analyses)
    assert smallest_effect(needed - 1, 0.02, comparisons, analyses) is None
    assert smallest_effect(needed, 0.02, comparisons, analyses) is not None


def test_an_effect_beyond_all_plans_is_none() -> None:
    assert smallest_effect(6, 2.0) is None
    assert smallest_effect(6, 0.5) is not None
    assert smallest_effect(6, 0.0) == 0.0
    assert LARGEST_EFFECT == 10


@given(st.integers(6, 200), spreads)
def test_more_comparisons_or_analyses_never_show_smaller_effects(rounds: int, spread: float) -> None:
    def shown(comparisons: int, analyses: int) -> float:
        effect = smallest_effect(rounds, spread, comparisons, analyses)
        return math.inf if effect is None else effect

    assert shown(1, 1) <= shown(3, 1) <= shown(3, 5) <= shown(60, 5)


def test_spread_of_pairs_is_that_of_one_trial() -> None:
    generator = np.random.default_rng(7)
    base, twin = np.exp(generator.normal(9, 0.03, (2, 4_000)))
    spread = spread_of_pairs(list(zip(base.tolist(), twin.tolist(), strict=True)))
    assert spread == pytest.approx(0.03, rel=0.05)
    assert spread_of_pairs([(1.0, 2.0)]) is None
    assert spread_of_pairs([(1.0, 2.0), (0.0, 1.0)]) is None


def test_the_bound_comes_down_to_the_estimate_with_more_pairs() -> None:
    drawn = [(float(a), float(b)) for a, b in np.exp(np.random.default_rng(8).normal(0, 0.02, (400, 2)))]
    ratios = []
    for n in (6, 24, 400):
        bound, spread = upper_spread(drawn[:n]), spread_of_pairs(drawn[:n])
        assert bound is not None and spread is not None
        ratios.append(bound / spread)
    assert ratios[0] == pytest.approx(1.46, abs=0.01)
    assert ratios[0] > ratios[1] > ratios[2] > 1
    assert upper_spread([(1.0, 2.0)]) is None
