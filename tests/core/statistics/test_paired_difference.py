"""The paired difference: by hand, against scipy, and its properties."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from backend.core.statistics.family import family_differences
from backend.core.statistics.paired_difference import DifferenceEstimate, difference_units

values = st.floats(-1e6, 1e6)
pairs = st.lists(st.tuples(values, values), min_size=1, max_size=14)

# Hollander and Wolfe, example 3.1: the Hamilton depression scale factor of nine patients at two visits.
FIRST = (1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30)
SECOND = (0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29)


def paired_difference(base: Sequence[float], other: Sequence[float]) -> DifferenceEstimate:
    """The only comparison of a family, from values of the same rounds in the same order."""
    (found,) = family_differences([dict(enumerate(base))], [dict(enumerate(other))])
    assert isinstance(found, DifferenceEstimate)
    return found


def test_the_textbook_example() -> None:
    found = paired_difference(FIRST, SECOND)
    assert found.n == 9
    assert found.estimate == pytest.approx(-0.46, abs=1e-9)
    assert found.p == pytest.approx(0.0390625)
    assert found.interval == pytest.approx((-0.786, -0.010), abs=1e-9)


@pytest.mark.parametrize("n", range(6, 20))
def test_the_interval_holds_exactly_the_differences_that_scipys_test_does_not_reject(n: int) -> None:
    """Its ends are where p of the shifted sample crosses 5 %."""
    generator = np.random.default_rng(n)
    base, other = generator.normal(100, 5, n), generator.normal(104, 5, n)
    found = paired_difference(base.tolist(), other.tolist())
    assert found.interval is not None
    low, high = found.interval
    nudge = 1e-9
    for inside, outside in ((low + nudge, low - nudge), (high - nudge, high + nudge)):
        assert wilcoxon(other - base - inside, method="exact").pvalue > 0.05
        assert wilcoxon(other - base - outside, method="exact").pvalue <= 0.05
    assert found.p == pytest.approx(wilcoxon(other - base, method="exact").pvalue, abs=1e-12)


@pytest.mark.parametrize("n", range(1, 12))
def test_the_estimate_is_the_median_of_all_averages_of_two(n: int) -> None:
    generator = np.random.default_rng(n)
    base, other = generator.normal(0, 1, n), generator.normal(1, 1, n)
    averages = [(a + b) / 2 for a, b in itertools.combinations_with_replacement((other - base).tolist(), 2)]
    found = paired_difference(base.tolist(), other.tolist())
    assert found.estimate == pytest.approx(float(np.median(averages)))


def test_fewer_than_six_rounds_have_an_estimate_and_no_interval() -> None:
    found = paired_difference([10.0] * 5, [11.0, 12.0, 13.0, 14.0, 15.0])
    assert (found.n, found.estimate, found.interval, found.p) == (5, 3.0, None, 0.0625)


@given(pairs)
def test_swapping_turns_the_sign(samples: list[tuple[float, float]]) -> None:
    base, other = [a for a, _ in samples], [b for _, b in samples]
    forth, back = paired_difference(base, other), paired_difference(other, base)
    assert back.estimate == pytest.approx(-forth.estimate, abs=1e-6)
    assert back.p == forth.p
    if forth.interval is not None and back.interval is not None:
        assert back.interval == pytest.approx((-forth.interval[1], -forth.interval[0]), abs=1e-6)
        assert forth.interval[0] <= forth.estimate <= forth.interval[1]


def test_what_cannot_be_paired_is_refused() -> None:
    with pytest.raises(ValueError, match="no round"):
        difference_units([], [])
    with pytest.raises(ValueError, match="2 values cannot be paired with 1"):
        difference_units([1.0, 2.0], [1.0])


@pytest.mark.parametrize("scale", [1, 1e-3, 1e3])
def test_equal_differences_are_ties_in_every_unit(scale: float) -> None:
    base = [20, 31, 42, 53, 64, 75, 86, 97]
    other = [b + d for b, d in zip(base, [3, 3, -3, 3, 5, -5, 5, 3], strict=True)]
    whole = paired_difference([float(v) for v in base], [float(v) for v in other])
    decimal = paired_difference([v * scale for v in base], [v * scale for v in other])
    assert decimal.p == whole.p and decimal.estimate == pytest.approx(whole.estimate * scale)
