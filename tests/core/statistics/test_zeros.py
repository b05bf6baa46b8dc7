"""Comparisons with zeros: differences with exact p and intervals, against a full enumeration."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from backend.core.definition.metrics import METRICS
from backend.core.statistics.difference_estimate import DifferenceEstimate
from backend.core.statistics.family import family_estimates
from backend.core.statistics.paired import RatioEstimate, Undefined
from backend.core.statistics.unpaired_difference import unpaired_difference
from backend.core.statistics.verdict import verdict

SENT_AGAIN = (1253.0, 914.0, 926.0, 1026.0, 1274.0, 1292.0, 1216.0, 902.0)
counts = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=9)


def paired(base: Sequence[float], other: Sequence[float]) -> DifferenceEstimate:
    (found,) = family_estimates([dict(enumerate(base))], [dict(enumerate(other))])
    assert isinstance(found, DifferenceEstimate)
    return found


def p_of_all_sign_flips(differences: Sequence[float]) -> float:
    """The share of the 2ⁿ sign patterns whose rank sum is as far from its mean; zeros leave the sample."""
    values = [d for d in differences if d]
    if not values:
        return 1.0
    ranks = rankdata(np.abs(values))
    observed = sum(r for r, d in zip(ranks, values, strict=True) if d > 0) - sum(ranks) / 2
    flips = itertools.product((0, 1), repeat=len(values))
    sums = [float(np.dot(ranks, flip)) - sum(ranks) / 2 for flip in flips]
    return sum(abs(s) >= abs(observed) - 1e-9 for s in sums) / len(sums)


def p_of_all_splits(first: Sequence[float], second: Sequence[float]) -> float:
    """The share of all splits of the pooled values whose rank sum is as far from its mean."""
    ranks = rankdata([*first, *second])
    centre = len(first) * (len(ranks) + 1) / 2
    observed = abs(sum(ranks[: len(first)]) - centre)
    splits = [sum(one) for one in itertools.combinations(ranks, len(first))]
    return sum(abs(one - centre) >= observed - 1e-9 for one in splits) / len(splits)


def test_no_segment_against_many_in_eight_rounds() -> None:
    found = paired([0.0] * 8, SENT_AGAIN)
    averages = sorted((a + b) / 2 for a, b in itertools.combinations_with_replacement(SENT_AGAIN, 2))
    assert found.p == found.p_adjusted == p_of_all_sign_flips(SENT_AGAIN) == 2 / 2**8
    assert found.estimate == pytest.approx(np.median(averages))
    assert found.estimate == pytest.approx(1095.5)
    assert found.interval == pytest.approx((averages[3], averages[-4]))


@given(counts)
def test_p_of_counts_with_zeros_is_that_of_all_sign_flips(pairs: list[tuple[int, int]]) -> None:
    base, other = ([float(pair[side]) for pair in pairs] for side in (0, 1))
    (found,) = family_estimates([dict(enumerate(base))], [dict(enumerate(other))])
    if isinstance(found, RatioEstimate):
        assert all(base) and all(other)
        return
    assert isinstance(found, DifferenceEstimate)
    differences = [b - a for a, b in pairs]
    assert found.p == pytest.approx(p_of_all_sign_flips(differences), abs=1e-12)
    if found.interval is not None:
        excluded = not found.interval[0] <= 0 <= found.interval[1]
        assert found.p_adjusted is not None
        assert excluded == (found.p_adjusted <= 0.05)


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=6), st.lists(st.integers(0, 4), min_size=1, max_size=6)
)
def test_p_of_two_samples_with_zeros_is_that_of_all_splits(first: list[int], second: list[int]) -> None:
    found = unpaired_difference([float(v) for v in first], [float(v) for v in second])
    assert found.p == pytest.approx(p_of_all_splits(first, second), abs=1e-12)
    gaps = sorted(b - a for a in first for b in second)
    assert found.estimate == pytest.approx(np.median(gaps), abs=1e-9)
    if found.interval is not None:
        excluded = not found.interval[0] <= 0 <= found.interval[1]
        assert found.p_adjusted is not None
        assert excluded == (found.p_adjusted <= 0.05)


def test_two_samples_of_six_that_fall_to_zero() -> None:
    found = unpaired_difference([3_069_448.0] * 6, [0.0] * 6)
    assert (found.estimate, found.interval) == (-3_069_448.0, (-3_069_448.0, -3_069_448.0))
    assert found.p == pytest.approx(2 / 924)


@given(counts)
def test_swapping_the_cells_changes_the_sign_and_keeps_p(pairs: list[tuple[int, int]]) -> None:
    base, other = ({i: float(pair[side]) for i, pair in enumerate(pairs)} for side in (0, 1))
    (forth,), (back,) = family_estimates([base], [other]), family_estimates([other], [base])
    assert type(forth) is type(back)
    assert not isinstance(forth, Undefined)
    assert not isinstance(back, Undefined)
    assert (forth.p, forth.p_adjusted) == (back.p, back.p_adjusted)
    if isinstance(forth, DifferenceEstimate) and isinstance(back, DifferenceEstimate):
        assert forth.estimate == pytest.approx(-back.estimate)


def test_a_difference_is_a_member_of_the_family_of_the_ratios() -> None:
    rounds = range(10)
    base = {r: 100.0 + r for r in rounds}
    slower, stopped = {r: 90.0 + r * 0.9 for r in rounds}, dict.fromkeys(rounds, 0.0)
    ratio, difference = family_estimates([base, base], [slower, stopped])
    assert isinstance(ratio, RatioEstimate)
    assert isinstance(difference, DifferenceEstimate)
    assert ratio.family == difference.family == 2
    assert difference.p_adjusted is not None
    assert difference.p <= difference.p_adjusted <= 2 * difference.p


def test_a_value_that_is_no_number_has_no_difference_either() -> None:
    (found,) = family_estimates([{1: 0.0, 2: float("nan")}], [{1: 1.0, 2: 2.0}])
    assert isinstance(found, Undefined)
    assert str(found) == "a value is not a finite number"


@pytest.mark.parametrize(
    ("metric", "base", "other", "kind", "sentence"),
    [
        ("retransmits", 0.0, 5.0, "worse", "b is 5 segments higher (95 % CI +5 to +5 segments)"),
        ("lost_percent", 0.0, 0.25, "worse", "b is 0.25 percentage points higher"),
        ("proxy_cpu_cores", 0.5, 0.0, "better", "b is 0.5 cores lower (95 % CI −0.5 to −0.5 cores)"),
        ("throughput_gbit_s", 0.0, 0.0, "equivalent", "Equal within 5 %"),
    ],
)
def test_the_verdict_on_a_difference(
    metric: str, base: float, other: float, kind: str, sentence: str
) -> None:
    found = paired([base] * 8, [other] * 8)
    judged = verdict(METRICS[metric], "b", found, found.p_adjusted or 0, 0.05, None)
    assert judged.kind == kind
    assert judged.sentence.startswith(sentence)


def test_an_open_difference_says_which_differences_remain() -> None:
    found = paired([0, 0, 2, 0, 0, 0, 1, 0], [0, 3, 0, 0, 0, 0, 0, 2])
    judged = verdict(METRICS["retransmits"], "b", found, found.p_adjusted or 0, 0.05, None)
    assert judged.kind == "no_difference_shown"
    assert judged.sentence.startswith("No answer: differences between −")
