"""The paired comparison: tables, scipy, enumeration and properties."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import PermutationMethod, rankdata, wilcoxon

from backend.core.statistics.paired import RatioEstimate, Undefined, paired_ratio
from backend.core.statistics.signed_rank import EXACT_LIMIT, signed_rank_p, walsh_order

whole = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=9)
rates = st.floats(0.5, 2e6)
pairs = st.lists(st.tuples(rates, rates), min_size=1, max_size=14)


def estimate(samples: list[tuple[float, float]]) -> RatioEstimate:
    return paired_ratio([a for a, _ in samples], [b for _, b in samples])


def enumerated(differences: list[float]) -> float:
    """The sign-flip p by trying every pattern of signs."""
    values = [d for d in differences if d]
    if not values:
        return 1.0
    ranks = rankdata(np.abs(values))
    observed = sum(r for r, d in zip(ranks, values, strict=True) if d > 0)
    smaller = min(observed, sum(ranks) - observed)
    flips = itertools.product((0, 1), repeat=len(values))
    sums = [sum(r for r, up in zip(ranks, flip, strict=True) if up) for flip in flips]
    return float(min(1.0, 2 * sum(s <= smaller for s in sums) / len(sums)))


@pytest.mark.parametrize(
    ("n", "order"), [(5, None), (6, 1), (7, 3), (8, 4), (9, 6), (10, 9), (11, 11), (12, 14)]
)
def test_table_of_walsh_orders(n: int, order: int | None) -> None:
    assert walsh_order(n, 0.95) == order


def test_five_rounds_have_only_a_90_percent_interval() -> None:
    found = estimate([(100.0, 101.0 + n) for n in range(5)])
    assert found.interval is None
    assert found.interval_90 is not None


@pytest.mark.parametrize("n", range(1, 26))
def test_without_ties_p_is_scipys_exact_one(n: int) -> None:
    sample = np.random.default_rng(n).normal(0.3, 1, n)
    assert signed_rank_p(sample) == pytest.approx(wilcoxon(sample, method="exact").pvalue, abs=1e-12)


@given(whole)
def test_with_ties_and_zeros_p_is_that_of_all_sign_flips(differences: list[float]) -> None:
    assert signed_rank_p(np.array(differences)) == pytest.approx(enumerated(differences), abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_with_ties_p_is_scipys_permutation_p(seed: int) -> None:
    sample = np.random.default_rng(seed).integers(-3, 6, 8).astype(float)
    expected = wilcoxon(sample, method=PermutationMethod(n_resamples=np.inf)).pvalue
    assert signed_rank_p(sample) == pytest.approx(min(1.0, expected), abs=1e-12)


def test_scipys_exact_method_is_wrong_with_ties_and_ours_is_not() -> None:
    """One of the samples for which `exact` gives .0469 and the true sign-flip p is .0625."""
    sample = np.array([-1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert signed_rank_p(sample) == pytest.approx(enumerated(list(sample)), abs=1e-15)
    assert signed_rank_p(np.array([1.0, 1.0, 1.0, 1.0, 1.0])) == 0.0625


def test_large_samples_are_close_to_the_exact_value() -> None:
    sample = np.random.default_rng(5).normal(0.2, 1, EXACT_LIMIT + 1)
    approximate = signed_rank_p(sample)
    exact = wilcoxon(sample, method="exact").pvalue
    assert approximate == pytest.approx(exact, rel=0.02)
    order = walsh_order(EXACT_LIMIT + 1, 0.95)
    assert order is not None
    assert abs(order - 450) < 15


def test_estimate_is_the_median_walsh_average() -> None:
    a, b = [100.0, 110.0, 90.0, 105.0, 95.0, 100.0], [80.0, 90.0, 70.0, 86.0, 75.0, 81.0]
    d = np.log(b) - np.log(a)
    walsh = sorted((d[i] + d[j]) / 2 for i in range(6) for j in range(i, 6))
    found = paired_ratio(a, b)
    assert found.ratio == pytest.approx(math.exp(np.median(walsh)), rel=1e-14)
    assert found.interval == pytest.approx((math.exp(walsh[0]), math.exp(walsh[-1])), rel=1e-14)
    assert found.p == 0.03125


@given(pairs)
def test_swapping_inverts_the_ratio_and_keeps_p(samples: list[tuple[float, float]]) -> None:
    forth, back = estimate(samples), estimate([(b, a) for a, b in samples])
    assert back.ratio == pytest.approx(1 / forth.ratio, rel=1e-12)
    assert back.p == forth.p
    if forth.interval is None:
        assert back.interval is None
    else:
        assert back.interval == pytest.approx((1 / forth.interval[1], 1 / forth.interval[0]), rel=1e-12)


@given(pairs, st.integers(-20, 20))
def test_scaling_one_side_scales_the_ratio_and_scaling_both_leaves_all(
    samples: list[tuple[float, float]], power: int
) -> None:
    factor = 2.0**power
    found = estimate(samples)
    assert estimate([(a, b * factor) for a, b in samples]).ratio == pytest.approx(found.ratio * factor)
    both = estimate([(a * factor, b * factor) for a, b in samples])
    assert both.ratio == pytest.approx(found.ratio, rel=1e-9)


@given(st.permutations(list(range(8))))
def test_the_order_of_rounds_does_not_matter(order: list[int]) -> None:
    samples = [(100.0 + n, 103.0 + (n * 7) % 5) for n in range(8)]
    assert estimate([samples[i] for i in order]) == estimate(samples)


@given(st.lists(st.tuples(st.floats(90, 110), st.floats(90, 110)), min_size=6, max_size=12))
def test_interval_and_p_agree_without_ties(samples: list[tuple[float, float]]) -> None:
    logs = [math.log(b) - math.log(a) for a, b in samples]
    if len({round(abs(x), 9) for x in logs}) < len(logs) or min(map(abs, logs)) < 1e-9:
        return
    found = estimate(samples)
    assert found.interval is not None
    assert (found.p <= 0.05) == (not found.interval[0] <= 1 <= found.interval[1])


@given(pairs)
def test_the_90_percent_interval_lies_in_the_95_percent_one(samples: list[tuple[float, float]]) -> None:
    found = estimate(samples)
    if found.interval is not None:
        assert found.interval_90 is not None
        assert found.interval[0] <= found.interval_90[0] <= found.ratio * (1 + 1e-12)
        assert found.ratio * (1 - 1e-12) <= found.interval_90[1] <= found.interval[1]


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ([], [], "no round has a value of both"),
        ([0.0] * 6, [1.0, 2, 3, 4, 5, 6], "a median is zero"),
        ([1.0, 2, 3, 4, 5, 0], [1.0] * 6, "a value is zero"),
        ([1.0] * 6, [-1.0] * 6, "the sign changes"),
        ([1e-300] * 6, [1e300] * 6, "the ratio is out of range"),
    ],
)
def test_undefined(a: list[float], b: list[float], reason: str) -> None:
    with pytest.raises(Undefined, match=reason):
        paired_ratio(a, b)


def test_coverage_of_the_interval() -> None:
    """2,000 simulated runs of ten rounds: the 95 % interval holds the true ratio in 95.1 % or more."""
    rng = np.random.default_rng(2019)
    held = 0
    for _ in range(2_000):
        drift = np.linspace(0, 0.1, 10)
        a = np.exp(drift + rng.normal(0, 0.02, 10))
        b = 0.97 * np.exp(drift + rng.normal(0, 0.02, 10))
        interval = paired_ratio(list(a), list(b)).interval
        assert interval is not None
        held += interval[0] <= 0.97 <= interval[1]
    assert 0.94 < held / 2_000 < 0.965


@pytest.mark.parametrize("unit", [1, 3, 7, 0.1, 0.37, 1e-6, 1e6])
def test_equal_ratios_are_ties_in_every_unit(unit: float) -> None:
    """Five pairs of 1.1 and three of 0.9: the logarithms' last digits depend on the unit, p must not."""
    base = [unit * 100 * n for n in range(1, 9)]
    other = [value * (1.1 if place < 5 else 0.9) for place, value in enumerate(base)]
    exact = signed_rank_p(np.array([1.0] * 5 + [-1.1] * 3))
    assert paired_ratio(base, other).p == exact
