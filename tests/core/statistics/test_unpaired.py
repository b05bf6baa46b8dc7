"""Two samples against benchstat's own library, value by value."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from backend.core.statistics.paired import Undefined
from backend.core.statistics.unpaired import (
    benchstat_p,
    mann_whitney_p,
    moses_order,
    moses_p,
    smallest_p_unpaired,
    unpaired_ratio,
)

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "benchmath.json").read_text())
V1 = (
    [1726, 1723, 1707, 1707, 1713, 1729, 1736, 1707, 1705, 1774],
    [1423, 1416, 1411, 1413, 1412, 1426, 1422, 1424, 1447, 1425],
)
samples = st.lists(st.integers(1, 9).map(float), min_size=2, max_size=9)


@pytest.mark.parametrize("vector", GOLDEN["u_test"])
def test_p_of_go_moremath(vector: dict[str, Any]) -> None:
    assert benchstat_p(vector["A"], vector["B"]) == pytest.approx(vector["P"], abs=1e-12)


@pytest.mark.parametrize("vector", GOLDEN["u_test"])
def test_p_is_benchstats_where_that_is_valid(vector: dict[str, Any]) -> None:
    a, b = vector["A"], vector["B"]
    if len(a) == len(b) or len({*a, *b}) == len(a) + len(b):
        assert mann_whitney_p(a, b) == pytest.approx(vector["P"], abs=1e-12)


def enumerated(a: list[float], b: list[float]) -> float:
    """The share of all splits of the pooled values whose U is at least as far from its mean."""
    together = [*a, *b]
    doubled = [2 * sum(v < x for v in together) + together.count(x) + 1 for x in together]
    mean = len(a) * (len(together) + 1)
    observed = abs(sum(doubled[: len(a)]) - mean)
    distances = [abs(sum(subset) - mean) for subset in combinations(doubled, len(a))]
    return sum(distance >= observed for distance in distances) / len(distances)


def test_a_lopsided_null_has_the_permutation_p() -> None:
    """Doubling the smaller tail gives 0.036, and 0.357 for the same samples swapped."""
    a, b = [2.0, 2, 1, 2, 1], [1.0, 1, 1]
    assert mann_whitney_p(a, b) == mann_whitney_p(b, a) == pytest.approx(11 / 56)
    assert unpaired_ratio(a, b).p == unpaired_ratio(b, a).p == pytest.approx(11 / 56)
    assert {round(benchstat_p(a, b), 4), round(benchstat_p(b, a), 4)} == {0.0357, 0.3571}


@given(samples, samples)
def test_p_is_that_of_all_splits_and_symmetric(a: list[float], b: list[float]) -> None:
    a, b = a[:6], b[:6]
    assert mann_whitney_p(a, b) == mann_whitney_p(b, a)
    assert mann_whitney_p(a, b) == pytest.approx(enumerated(a, b), abs=1e-12)


@given(samples, samples)
def test_p_of_ties_is_valid(a: list[float], b: list[float]) -> None:
    """Over all splits of one pool, p ≤ 5 % in at most 5 % of them."""
    pool = [*a[:4], *b[:4]]
    splits = list(combinations(range(len(pool)), min(len(a), 4)))
    found = [
        mann_whitney_p([pool[i] for i in own], [x for i, x in enumerate(pool) if i not in own])
        for own in splits
    ]
    assert sum(p <= 0.05 for p in found) <= 0.05 * len(splits)


SCALES = st.sampled_from((1e9, 1e-9, 3.0, 1 / 7))


@given(st.lists(st.integers(90, 110).map(float), min_size=4, max_size=9), st.data(), SCALES)
def test_a_unit_changes_no_verdict(a: list[float], data: st.DataObject, scale: float) -> None:
    """Bounds and p see equal ratios as equal in every unit, also where values are quotients themselves."""
    b = [a[i % len(a)] * a[-1] / a[0] for i in range(data.draw(st.integers(4, 9)))]
    one, other = unpaired_ratio(a, b), unpaired_ratio([x * scale for x in a], [x * scale for x in b])
    assert one.p == other.p
    for ours, theirs in ((one.interval, other.interval), (one.interval_90, other.interval_90)):
        assert (ours is None) == (theirs is None)
        if ours and theirs:
            assert [x < 1 for x in ours] == [x < 1 for x in theirs]
            assert [x > 1 for x in ours] == [x > 1 for x in theirs]
            assert ours == pytest.approx(theirs, rel=1e-9)


def test_three_values_a_side_have_no_interval() -> None:
    assert moses_order(3, 3, 0.95) is None


UNTIED = ([100 + n**1.3 for n in range(10)], [93 + 1.1 * n**1.2 for n in range(10)])


@pytest.mark.parametrize(("a", "b"), [V1, UNTIED])
def test_the_interval_is_where_p_crosses_the_level(a: list[float], b: list[float]) -> None:
    """Scaling A by just outside and just inside a bound moves p over .05, as benchstat can confirm."""
    interval = unpaired_ratio(a, b).interval
    assert interval is not None
    for bound, outwards in zip(interval, (1 - 1e-9, 1 + 1e-9), strict=True):
        outside = mann_whitney_p([x * bound * outwards for x in a], b)
        inside = mann_whitney_p([x * bound / outwards for x in a], b)
        assert outside <= 0.05 < inside


def test_large_samples_use_the_normal_approximation() -> None:
    a, b = [float(n) for n in range(60)], [n + 7.5 for n in range(60)]
    expected = mannwhitneyu(a, b, method="asymptotic", use_continuity=True).pvalue
    assert mann_whitney_p(a, b) == pytest.approx(expected, rel=1e-9)
    order = moses_order(60, 60, 0.95)
    assert order is not None
    assert abs(order - 1427) < 5


@pytest.mark.parametrize(("n", "method"), [(25, "exact"), (26, "normal")])
def test_with_ties_p_is_exact_up_to_twenty_five_a_side(n: int, method: str) -> None:
    a = [float(number) for number in range(n)]
    b = [number + 5.0 for number in a]
    normal = mannwhitneyu(a, b, method="asymptotic", use_continuity=True).pvalue
    assert math.isclose(mann_whitney_p(a, b), normal, rel_tol=1e-9) is (method == "normal")


@given(samples, samples)
def test_p_is_a_probability_and_never_zero(a: list[float], b: list[float]) -> None:
    assert 0 < mann_whitney_p(a, b) <= 1


@given(st.integers(2, 9), st.data())
def test_swapping_samples_of_one_size(n: int, data: st.DataObject) -> None:
    sample = st.lists(st.integers(1, 9).map(float), min_size=n, max_size=n)
    a, b = data.draw(sample), data.draw(sample)
    forth, back = unpaired_ratio(a, b), unpaired_ratio(b, a)
    assert back.p == pytest.approx(forth.p, abs=1e-12)
    assert back.ratio == pytest.approx(1 / forth.ratio)


@given(samples, samples)
def test_without_ties_and_with_scaling(a: list[float], b: list[float]) -> None:
    a, b = [x + 0.1 * i for i, x in enumerate(a)], [x + 0.013 * i for i, x in enumerate(b)]
    assert mann_whitney_p([4 * x for x in a], [4 * x for x in b]) == mann_whitney_p(a, b)
    if len({*a, *b}) == len(a) + len(b):
        assert mann_whitney_p(a, b) == pytest.approx(mannwhitneyu(a, b, method="exact").pvalue, abs=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ([], [1.0], "no values"),
        ([0.0] * 6, [1.0] * 6, "median is zero"),
        ([1.0, 1.0, 0.0], [1.0] * 3, "zero or the sign"),
        ([1.0], [-1.0], "zero or the sign"),
    ],
)
def test_undefined(a: list[float], b: list[float], reason: str) -> None:
    with pytest.raises(Undefined, match=reason):
        unpaired_ratio(a, b)


@pytest.mark.parametrize(("n1", "n2"), [(51, 1), (60, 1), (1, 200), (1000, 1), (52, 2), (3, 80), (60, 55)])
@pytest.mark.parametrize("confidence", [0.90, 0.95])
def test_orders_beyond_fifty_are_those_of_the_exact_distribution(n1: int, n2: int, confidence: float) -> None:
    """Counted here by the recurrence of U (Mann and Whitney 1947), not by ranks."""
    most = n1 * n2
    counts = np.zeros(most + 1)
    counts[0] = 1.0
    few, many = sorted((n1, n2))
    for i in range(1, few + 1):  # the Gaussian binomial: multiply by 1 − q^(many + i), divide by 1 − q^i
        counts[many + i :] -= counts[: max(0, most + 1 - many - i)].copy()
        for at in range(i, most + 1):
            counts[at] += counts[at - i]
    tail = 2 * np.cumsum(counts) / math.comb(n1 + n2, few)
    exact = int(np.searchsorted(tail, 1 - confidence + 1e-12, side="right"))
    assert moses_order(n1, n2, confidence) == (exact or None)


def test_one_value_against_many_has_an_interval_the_right_way_round() -> None:
    rng = np.random.default_rng(5)
    many = [float(value) for value in rng.lognormal(4.6, 0.1, 60)]
    found = unpaired_ratio(many, [105.0])
    assert found.interval is not None and found.interval_90 is not None
    assert (
        found.interval[0] <= found.interval_90[0] <= found.ratio <= found.interval_90[1] <= found.interval[1]
    )


@pytest.mark.parametrize("n", [60, 300, 5000])
def test_no_order_is_ever_below_one(n: int) -> None:
    orders = [
        moses_order(n, few, confidence) for few in (1, 2, 3) for confidence in (0.9, 0.95, 0.99, 0.9999)
    ]
    assert all(order is None or order >= 1 for order in orders)


def test_the_order_of_one_value_against_ten_thousand_is_that_of_the_uniform_rank() -> None:
    """251 = 0.05 × 10,040 ÷ 2 exactly: the rank of the one value is uniform over 10,040 places."""
    assert moses_order(1, 10_039, 0.95) == 251
    assert moses_order(10_038, 1, 0.95) == 250
    assert moses_p(10_039, 1, 250) == pytest.approx(0.05, rel=1e-12)


@pytest.mark.parametrize(("n", "p"), [(4, 0.0286), (5, 0.0079), (6, 0.0022), (10, 1.1e-5)])
def test_smallest_p_of_the_u_test(n: int, p: float) -> None:
    assert smallest_p_unpaired(n) == pytest.approx(p, rel=0.02)
