"""What must hold for all samples: scaling, swapping, order, monotone transforms, and the family."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from backend.core.statistics.holm import holm
from backend.core.statistics.interim import adjust
from backend.core.statistics.median import median_interval
from backend.core.statistics.paired import Bounds, RatioEstimate, paired_ratio
from backend.core.statistics.unpaired import mann_whitney_p, unpaired_ratio

rates = st.floats(0.5, 2e6)
pairs = st.lists(st.tuples(rates, rates), min_size=1, max_size=14)
samples = st.lists(rates, min_size=4, max_size=9)
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=40)
factors = st.floats(1e-6, 1e6)


def paired(drawn: list[tuple[float, float]], analyses: int = 1) -> RatioEstimate:
    return paired_ratio([a for a, _ in drawn], [b for _, b in drawn], analyses)


def apart(drawn: list[tuple[float, float]]) -> bool:
    """Whether no two absolute log ratios are so close that rounding could swap their ranks."""
    logs = sorted(abs(math.log(b) - math.log(a)) for a, b in drawn)
    return logs[0] > 1e-9 and all(b - a > 1e-9 for a, b in pairwise(logs))


def inverse(bounds: Bounds) -> Bounds:
    return 1 / bounds[1], 1 / bounds[0]


@given(pairs, factors)
def test_scaling_all_values_leaves_the_paired_ratio_and_its_p(
    drawn: list[tuple[float, float]], factor: float
) -> None:
    assume(apart(drawn))
    found, scaled = paired(drawn), paired([(a * factor, b * factor) for a, b in drawn])
    assert scaled.ratio == pytest.approx(found.ratio, rel=1e-12)
    assert scaled.p == found.p
    assert (scaled.interval is None) == (found.interval is None)
    if found.interval is not None:
        assert scaled.interval == pytest.approx(found.interval, rel=1e-12)


@given(samples, samples, st.integers(-30, 30))
def test_scaling_all_values_leaves_the_ratio_of_two_samples_and_its_p(
    a: list[float], b: list[float], power: int
) -> None:
    """By a power of two, because any other factor can make a tie of two values that were apart."""
    found = unpaired_ratio(a, b)
    scaled = unpaired_ratio([x * 2.0**power for x in a], [x * 2.0**power for x in b])
    assert scaled.ratio == pytest.approx(found.ratio, rel=1e-12)
    assert (scaled.p, scaled.interval) == (found.p, found.interval)


@given(pairs, st.integers(1, 6))
def test_swapping_inverts_the_paired_ratio_and_its_intervals(
    drawn: list[tuple[float, float]], analyses: int
) -> None:
    forth, back = paired(drawn, analyses), paired([(b, a) for a, b in drawn], analyses)
    assert back.p == forth.p
    assert back.ratio == pytest.approx(1 / forth.ratio, rel=1e-12)
    for one, other in ((forth.interval, back.interval), (forth.interval_90, back.interval_90)):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert other == pytest.approx(inverse(one), rel=1e-12)


@given(st.integers(4, 9), st.data())
def test_swapping_inverts_the_ratio_of_two_samples_of_one_size(n: int, data: st.DataObject) -> None:
    sample = st.lists(rates, min_size=n, max_size=n)
    a, b = data.draw(sample), data.draw(sample)
    forth, back = unpaired_ratio(a, b), unpaired_ratio(b, a)
    assert back.p == pytest.approx(forth.p, abs=1e-12)
    assert back.ratio == pytest.approx(1 / forth.ratio, rel=1e-12)
    assert forth.interval is not None and back.interval is not None
    assert back.interval == pytest.approx(inverse(forth.interval), rel=1e-12)


@given(
    st.lists(st.integers(1, 40), min_size=2, max_size=9), st.lists(st.integers(1, 40), min_size=2, max_size=9)
)
def test_a_monotone_transform_keeps_the_p_of_the_u_test(a: list[int], b: list[int]) -> None:
    p = mann_whitney_p(a, b)
    assert mann_whitney_p([x**3 for x in a], [x**3 for x in b]) == p
    assert mann_whitney_p([math.log(x) for x in a], [math.log(x) for x in b]) == p
    assert mann_whitney_p([7 - 2**-x for x in a], [7 - 2**-x for x in b]) == p


@given(st.data(), pairs)
def test_the_order_of_rounds_changes_nothing(data: st.DataObject, drawn: list[tuple[float, float]]) -> None:
    order = data.draw(st.permutations(range(len(drawn))))
    shuffled = [drawn[i] for i in order]
    assert paired(shuffled) == paired(drawn)
    values = [a for a, _ in drawn]
    assert median_interval([values[i] for i in order]) == median_interval(values)


@given(p_values)
def test_holm_is_monotone_and_never_below_p(p: list[float]) -> None:
    adjusted = holm(p)
    assert all(raw <= new <= 1 for raw, new in zip(p, adjusted, strict=True))
    order = sorted(range(len(p)), key=p.__getitem__)
    ranked = [adjusted[i] for i in order]
    assert ranked == sorted(ranked)


@given(p_values, st.floats(0, 1), st.integers(1, 6))
def test_one_more_cell_never_makes_a_corrected_p_smaller(p: list[float], more: float, analyses: int) -> None:
    assert all(
        new >= old for old, new in zip(adjust(p, analyses), adjust([*p, more], analyses), strict=False)
    )


@given(p_values, st.integers(1, 6), st.data())
@example([0.2, 0.03], 3, None)
def test_analyses_multiply_p_and_rejected_ones_pass_on_their_share(
    p: list[float], analyses: int, data: st.DataObject | None
) -> None:
    place = data.draw(st.integers(0, len(p) - 1)) if data else 1
    once, helped = adjust(p, analyses), adjust(p, analyses, {place})
    assert all(new >= raw for raw, new in zip(p, once, strict=True))
    assert once == tuple(min(1.0, analyses * x) for x in holm(p))
    assert helped[place] == 0
    assert all(with_help <= alone for with_help, alone in zip(helped, once, strict=True))


@given(pairs, st.integers(2, 8))
def test_more_analyses_never_make_an_interval_narrower(
    drawn: list[tuple[float, float]], analyses: int
) -> None:
    one, several = paired(drawn), paired(drawn, analyses)
    assert (several.ratio, several.p) == (one.ratio, one.p)
    for narrow, wide in ((one.interval, several.interval), (one.interval_90, several.interval_90)):
        if wide is not None:
            assert narrow is not None
            assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]


def test_the_level_of_two_analyses() -> None:
    """Two analyses at 95 % each need an interval at 97.5 %, and its 90 % companion at 95 %."""
    drawn = [(100.0, 101.0 + n**1.5) for n in range(10)]
    assert paired(drawn, 2).interval_90 == paired(drawn).interval
    assert paired([*drawn[:6]], 2).interval is None
