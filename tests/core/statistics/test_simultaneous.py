"""Simultaneous intervals of a family: they and their adjusted p-values never contradict each other."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.core.plan.power import ALPHA, rounds_needed
from backend.core.statistics.compared_pair import Series
from backend.core.statistics.family import family_differences, family_intervals
from backend.core.statistics.paired import RatioEstimate, Undefined, paired_ratio
from backend.core.statistics.paired_difference import DifferenceEstimate
from backend.core.statistics.signed_rank import EXACT_LIMIT, smaller_count_p, walsh_order
from backend.core.statistics.simultaneous import median_member, sign_count_p, walsh_sample
from backend.core.statistics.verdict import excludes_one

coarse = st.sampled_from([96.0, 98.0, 100.0, 101.0, 102.0, 103.0, 105.0])
fine = st.floats(50, 200)


@st.composite
def families(draw: st.DrawFn, value: st.SearchStrategy[float] = coarse | fine) -> list[Series]:
    """A baseline and up to seven cells with ties, equal values, effects, and rounds that are missing."""
    rounds, cells = draw(st.integers(5, 13)), draw(st.integers(2, 8))
    found: list[Series] = []
    for _ in range(cells):
        shift = draw(st.sampled_from([1.0, 1.0, 1.02, 1.5]))
        values = draw(st.lists(value, min_size=rounds, max_size=rounds))
        kept = draw(st.integers(max(1, rounds - 2), rounds))
        found.append({round_: shift * own for round_, own in enumerate(values[:kept], start=1)})
    return found


def ratios(series: list[Series], analyses: int = 1) -> list[RatioEstimate]:
    baseline, *cells = series
    found = family_intervals([baseline] * len(cells), cells, analyses)
    return [one for one in found if isinstance(one, RatioEstimate)]


def verdicts(found: list[RatioEstimate]) -> list[bool]:
    """Whether each is different by its interval; asserts that its adjusted p agrees."""
    by_interval = [excludes_one(one.interval) for one in found]
    assert by_interval == [one.p_adjusted is not None and one.p_adjusted <= ALPHA for one in found]
    return by_interval


@settings(max_examples=50)
@given(families(), st.sampled_from([1, 2, 4]))
def test_an_interval_excludes_1_exactly_where_the_adjusted_p_is_at_most_5_percent(
    series: list[Series], analyses: int
) -> None:
    verdicts(ratios(series, analyses))


@settings(max_examples=50)
@given(families(), st.sampled_from([1e-9, 1e9, 3.7]))
def test_a_change_of_unit_changes_no_verdict(series: list[Series], factor: float) -> None:
    scaled: list[Series] = [{r: value * factor for r, value in one.items()} for one in series]
    before, after = ratios(series), ratios(scaled)
    assert verdicts(before) == verdicts(after)
    assert [one.p_adjusted for one in before] == [one.p_adjusted for one in after]


def test_bounds_see_the_ties_that_p_sees() -> None:
    a, b = [96.0, 105, 101, 102, 100, 103, 102], [103.0, 100, 100, 95, 102, 99, 105]
    excluded = {excludes_one(paired_ratio([f * x for x in a], [f * y for y in b]).interval) for f in (1, 1e9)}
    assert len(excluded) == 1
    for n, factor in product((7, 70), (1.0, 1e9, 1e-9)):
        base, other = (dict(enumerate([factor * x for x in (10 * values)[:n]])) for values in (a, b))
        verdicts(ratios([base, other, base]))


@settings(max_examples=50)
@given(families())
def test_swapping_all_cells_with_their_baselines_inverts_the_intervals(series: list[Series]) -> None:
    baseline, *cells = series
    forth = family_intervals([baseline] * len(cells), cells)
    back = family_intervals(cells, [baseline] * len(cells))
    for one, other in zip(forth, back, strict=True):
        assert isinstance(one, RatioEstimate) and isinstance(other, RatioEstimate)
        assert one.p_adjusted == other.p_adjusted
        if one.interval is not None:
            assert other.interval == pytest.approx((1 / one.interval[1], 1 / one.interval[0]), rel=1e-9)


@settings(max_examples=50)
@given(families())
def test_swapping_one_cell_with_its_baseline_changes_no_adjusted_p(series: list[Series]) -> None:
    baseline, *cells = series
    bases: list[Series] = [baseline] * len(cells)
    forth = family_intervals(bases, cells)
    back = family_intervals([cells[0], *bases[1:]], [baseline, *cells[1:]])
    for one, other in zip(forth, back, strict=True):
        assert isinstance(one, RatioEstimate) and isinstance(other, RatioEstimate)
        assert one.p_adjusted == other.p_adjusted


@settings(max_examples=50)
@given(families(), st.sampled_from([1, 3]))
def test_the_adjusted_p_lies_between_the_p_of_one_alone_and_bonferroni(
    series: list[Series], analyses: int
) -> None:
    found = ratios(series, analyses)
    for place, one in enumerate(found, start=1):
        own = ratios([series[0], series[place]])[0].p_adjusted
        assert own is not None and one.p_adjusted is not None
        assert analyses * own <= one.p_adjusted * (1 + 1e-9) or one.p_adjusted == 1.0
        assert one.p_adjusted <= len(found) * analyses * own * (1 + 1e-9)


@settings(max_examples=50)
@given(families())
def test_no_interval_is_narrower_than_that_of_the_comparison_alone(series: list[Series]) -> None:
    for one in ratios(series):
        if one.interval is not None:
            assert one.interval_unadjusted is not None
            assert one.interval[0] <= one.interval_unadjusted[0]
            assert one.interval_unadjusted[1] <= one.interval[1]
        if one.interval is not None and one.interval_90 is not None:
            assert one.interval[0] <= one.interval_90[0] and one.interval_90[1] <= one.interval[1]


@given(st.integers(6, 14), st.integers(1, 12), st.integers(1, 3))
def test_bonferronis_rounds_are_always_enough_for_an_interval(n: int, m: int, analyses: int) -> None:
    values = np.random.default_rng([n, m]).normal(0, 0.02, (m + 1, n))
    found = ratios([dict(enumerate(np.exp(own).tolist())) for own in values], analyses)
    if n >= rounds_needed(m * analyses):
        assert all(one.interval is not None for one in found)


@settings(max_examples=50)
@given(families(st.integers(-3, 3).map(float)))
def test_an_interval_of_a_difference_excludes_0_exactly_where_its_p_is_significant(
    series: list[Series],
) -> None:
    base, *others = series
    for one in family_differences([base] * len(others), others):
        assert isinstance(one, DifferenceEstimate) and one.p_adjusted is not None
        excluded = one.interval is not None and not one.interval[0] <= 0 <= one.interval[1]
        assert excluded == (one.p_adjusted <= ALPHA)


def test_what_has_no_ratio_is_no_member_of_the_family() -> None:
    sound: Series = {r: 100.0 + r % 3 for r in range(10)}
    lost, found = family_intervals(
        [sound] * 2, [dict.fromkeys(range(10), 0.0), {r: 2 * v for r, v in sound.items()}]
    )
    assert isinstance(lost, Undefined) and str(lost) == "a median is zero"
    assert isinstance(found, RatioEstimate) and found.family == 1
    assert found.interval == pytest.approx((2, 2))


def test_equal_comparisons_cost_nothing_and_independent_ones_what_bonferroni_asks() -> None:
    """With one and the same cell five times the family is as one; the sign patterns of others all count."""
    base: Series = dict.fromkeys(range(8), 100.0)
    cell: Series = {r: 103.0 + math.sin(r) for r in range(8)}
    same = ratios([base, *[cell] * 5])
    assert [one.p_adjusted for one in same] == [2 / 2**8] * 5
    assert same[0].interval == same[0].interval_unadjusted
    others: list[Series] = [{r: 103.0 + math.sin(k + r * k) for r in range(8)} for k in range(1, 6)]
    apart = [one.p_adjusted for one in ratios([base, *others])]
    assert apart == [5 * 2 / 2**8] * 5


def test_the_same_data_give_the_same_answer_also_where_flips_are_sampled() -> None:
    values = np.exp(np.random.default_rng(3).normal(0, 0.02, (7, 30)))
    series: list[Series] = [dict(enumerate(own.tolist())) for own in values]
    assert ratios(series) == ratios(series)


@pytest.mark.parametrize("n", [1, 5, 6, 8, 10, 20, EXACT_LIMIT])
def test_the_table_of_counts_gives_the_walsh_orders(n: int) -> None:
    table = smaller_count_p(n)
    assert len(table) == n * (n + 1) // 4 + 1
    assert (int((table <= 0.05).sum()) or None) == walsh_order(n, 0.95)


def test_beyond_the_exact_limit_the_table_is_normal() -> None:
    """The exact distribution of 60, summed up here, is within three thousandths of it."""
    n = EXACT_LIMIT + 10
    density = np.zeros(n * (n + 1) // 2 + 1)
    density[0] = 1.0
    for rank in range(1, n + 1):
        shifted = np.zeros_like(density)
        shifted[rank:] = density[:-rank]
        density = (density + shifted) / 2
    exact = np.minimum(1, 2 * np.cumsum(density)[: n * (n + 1) // 4 + 1])
    assert np.abs(smaller_count_p(n) - exact).max() < 3e-3


def test_averages_of_zero_count_on_both_sides() -> None:
    sample = walsh_sample(np.array([[0, 0, 1, 2, 3, 4], [-1, 1, 2, 3, 4, 5]]))
    assert sample.counts.tolist() == [3, 2]


def test_a_median_is_a_member_by_its_signs() -> None:
    member = median_member([1, 2, 3, 4], [10.0, 12.0, 9.0, 13.0])
    assert member.weights.tolist() == [-1, 1, -1, 1]
    assert sign_count_p(6).tolist() == pytest.approx([2 / 64, 14 / 64, 44 / 64, 1.0])
