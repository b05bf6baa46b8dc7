"""Disagreement between hosts: golden vectors, agreement of interval and p, and the limits of the input."""

from __future__ import annotations

import math
from statistics import fmean, stdev
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from backend.core.statistics import family as family_module
from backend.core.statistics.between_hosts import HostSample, count_pairs, heterogeneity, host_sample
from backend.core.statistics.family import Group, estimates_of_groups, family_intervals
from backend.core.statistics.paired import RatioEstimate, Undefined
from backend.core.statistics.verdict import excludes_one

A = (-0.21, -0.19, -0.20, -0.22, -0.18, -0.20)
B = (-0.10, -0.13, -0.11, -0.09, -0.12, -0.11, -0.12, -0.10)
C = (-0.205, -0.17, -0.22, -0.19, -0.24, -0.18, -0.20)


def sample(logs: tuple[float, ...]) -> HostSample:
    found = host_sample(logs)
    assert found is not None
    return found


def test_two_hosts_are_welchs_t_test() -> None:
    """The p and the interval of two hosts are scipy's, without correction for a family of one."""
    found = heterogeneity({"a": sample(A), "b": sample(B)}, 1)
    welch = ttest_ind(B, A, equal_var=False)
    bounds = welch.confidence_interval(0.95)
    assert found is not None
    (pair,) = found.pairs
    assert (pair.p, pair.p_adjusted) == (pytest.approx(welch.pvalue), pytest.approx(welch.pvalue))
    assert pair.ratio == pytest.approx(math.exp(fmean(B) - fmean(A)))
    assert pair.interval == (pytest.approx(math.exp(bounds.low)), pytest.approx(math.exp(bounds.high)))
    assert found.differs


def test_three_hosts_have_three_pairs_and_the_golden_q() -> None:
    """Q by hand: weights n ÷ s² around their weighted mean; the family of six corrects every p."""
    hosts = {"a": sample(A), "b": sample(B), "c": sample(C)}
    found = heterogeneity(hosts, 6)
    weights = [len(x) / stdev(x) ** 2 for x in (A, B, C)]
    means = [fmean(x) for x in (A, B, C)]
    centre = sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights)
    assert found is not None
    q = sum(w * (m - centre) ** 2 for w, m in zip(weights, means, strict=True))
    assert found.q == pytest.approx(q)
    assert (found.q, found.df) == (pytest.approx(180.5025, abs=1e-4), 2)
    assert found.i_squared == pytest.approx(1 - 2 / found.q)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("a", "b"), ("b", "c"), ("a", "c")]
    assert found.pairs[0].p_adjusted == pytest.approx(6 * found.pairs[0].p)
    assert found.spread_interval[0] < found.spread < found.spread_interval[1]
    noise = fmean(stdev(x) ** 2 / len(x) for x in (A, B, C))
    assert (
        found.spread
        == pytest.approx(math.sqrt(stdev(means) ** 2 - noise))
        == pytest.approx(0.05173, abs=1e-5)
    )


def test_a_host_with_few_or_equal_values_takes_no_part() -> None:
    assert host_sample((0.1, 0.2, 0.3, 0.1, 0.2)) is None
    assert host_sample((0.1,) * 10) is None
    assert heterogeneity({"a": sample(A)}, 1) is None
    assert heterogeneity({}, 1) is None
    assert count_pairs([{"a": sample(A)}, {"a": sample(A), "b": sample(B)}, {}]) == 1


def test_ratios_beyond_every_number_stay_finite() -> None:
    far = HostSample(690.0, 1.0, 6), HostSample(-690.0, 1.0, 6)
    found = heterogeneity({"a": far[0], "b": far[1]}, 1)
    assert found is not None and all(map(math.isfinite, (found.pairs[0].ratio, *found.pairs[0].interval)))
    assert math.isfinite(found.spread)


LOGS = st.lists(st.floats(-0.3, 0.3), min_size=6, max_size=9).map(tuple)


@given(st.lists(LOGS, min_size=2, max_size=5), st.integers(1, 200))
def test_interval_p_and_spread_never_contradict_each_other(
    values: list[tuple[float, ...]], more: int
) -> None:
    hosts = {str(i): found for i, own in enumerate(values) if (found := host_sample(own)) is not None}
    family = count_pairs([hosts]) + more
    found = heterogeneity(hosts, family)
    if found is None:
        return
    for pair in found.pairs:
        if abs(pair.p_adjusted - 0.05) > 1e-9:
            assert excludes_one(pair.interval) == (pair.p_adjusted <= 0.05)
    assert found.differs == (found.spread_interval[0] > 0)
    assert found.spread_interval[0] <= found.spread <= found.spread_interval[1]


def rounds(values: tuple[float, ...]) -> dict[int, float]:
    return dict(enumerate(values, start=1))


def test_the_family_of_several_hosts_is_the_sum_of_their_corrections() -> None:
    """Two hosts with one comparison of ten rounds each: twice the p of one host; a family of two."""
    base = rounds(tuple(100.0 + i for i in range(10)))
    cell = {r: value * (0.9 + 0.001 * r) for r, value in base.items()}
    own = Group((base,), (cell,))
    ((one,), (other,)) = estimates_of_groups((own, own))
    (alone,) = family_intervals((base,), (cell,))
    assert isinstance(one, RatioEstimate) and isinstance(alone, RatioEstimate)
    assert one == other and one.family == 2
    assert one.p_adjusted == pytest.approx(2 * (alone.p_adjusted or 0))
    assert one.interval and alone.interval and one.interval[0] <= alone.interval[0]
    ((same,),) = estimates_of_groups((own,))
    assert isinstance(same, RatioEstimate) and same.p_adjusted == pytest.approx(alone.p_adjusted)


def test_a_host_without_a_ratio_is_no_member_of_the_family() -> None:
    base = rounds((100.0,) * 8)
    other = rounds(tuple(90.0 + i for i in range(8)))
    found = estimates_of_groups((Group((base,), ({},)), Group((base,), (other,))))
    assert isinstance(found[0][0], Undefined)
    assert isinstance(found[1][0], RatioEstimate) and found[1][0].family == 1
    assert estimates_of_groups(()) == ()


def test_what_cells_of_one_run_share_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 64 hosts and 50 cells, once for each cell would be 4 s instead of 0.1 s."""
    of = Mock(side_effect=family_module._AdjustedSample.of)
    monkeypatch.setattr(family_module._AdjustedSample, "of", of)
    base = {r: 1.0 + r / 100 for r in range(8)}
    cells = [{r: 1.1 + (r * place % 7) / 100 for r in range(8)} for place in range(1, 6)]
    estimates_of_groups([Group([base] * 5, cells), Group([base] * 5, cells)])
    assert of.call_count == 2  # a run has all of its cells in one sample
