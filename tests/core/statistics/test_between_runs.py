"""The spread between runs: components of variance, degrees of freedom, and wider intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.statistics.between_runs import RunSpread, of_difference, run_spread, widened
from backend.core.statistics.unpaired import moses_order, moses_p, unpaired_ratio
from backend.core.statistics.verdict import excludes_one


def test_one_run_shows_no_spread() -> None:
    assert run_spread([]) is None
    assert run_spread([{"a": 1.0}]) is None
    assert run_spread([{"a": 1.0}, {"b": 1.0}]) is None


def test_the_components_by_hand() -> None:
    """Two runs of two cells: one moves by 0.02, the other by −0.02, runs have no effect of their own."""
    found = run_spread([{"a": 0.0, "b": 0.02}, {"a": 0.02, "b": 0.0}])
    assert found is not None and (found.runs, found.cells) == (2, 2)
    assert found.variance == pytest.approx(2e-4)  # each cell's own variance: (0.02)² ÷ 2
    together = run_spread([{"a": 0.0, "b": 1.0}, {"a": 0.02, "b": 1.02}])
    assert together is not None
    assert (together.variance, together.freedom) == (pytest.approx(2e-4), pytest.approx(1.0))


def test_degrees_of_freedom_are_those_of_all_cells_where_they_vary_by_themselves() -> None:
    generator = np.random.default_rng(1)
    found = [
        run_spread([{str(c): generator.normal() for c in range(20)} for _ in range(4)]) for _ in range(200)
    ]
    freedoms = [one.freedom for one in found if one]
    assert 45 < float(np.median(freedoms)) <= 60
    assert float(np.mean([one.variance for one in found if one])) == pytest.approx(1, rel=0.05)


def test_two_hosts_add_up_and_one_host_counts_once() -> None:
    one, other = RunSpread(1e-4, 5.0, 3, 4), RunSpread(4e-4, 3.0, 2, 4)
    assert of_difference(one, one) == (2e-4, 5.0)
    variance, freedom = of_difference(one, other)
    assert variance == pytest.approx(5e-4) and 3 < freedom < 8


@given(
    st.lists(st.floats(90, 110), min_size=4, max_size=10),
    st.lists(st.floats(90, 110), min_size=4, max_size=10),
    st.integers(1, 20),
    st.floats(0, 0.01),
)
def test_interval_and_adjusted_p_agree_and_widening_never_narrows(
    a: list[float], b: list[float], family: int, variance: float
) -> None:
    found = unpaired_ratio(a, b, family)
    for one in (found, widened(found, variance, 3.0)):
        assert one.p_adjusted is not None
        if one.interval is not None:
            assert excludes_one(one.interval) == (one.p_adjusted <= 0.05)
            assert found.interval is not None
            assert one.interval[0] <= found.interval[0] and found.interval[1] <= one.interval[1]
        else:
            assert one.p_adjusted > 0.05


@pytest.mark.parametrize(("n1", "n2"), [(4, 5), (10, 10), (60, 60), (1, 80), (52, 3)])
def test_p_of_pairs_is_the_order_of_the_interval_the_other_way_round(n1: int, n2: int) -> None:
    for confidence in (0.9, 0.95, 0.99, 0.9975):
        order = moses_order(n1, n2, confidence) or 0
        assert moses_p(n1, n2, order) > 1 - confidence
        if order:
            assert moses_p(n1, n2, order - 1) <= 1 - confidence + 1e-9


def test_a_spread_beyond_every_number_widens_to_a_finite_interval() -> None:
    """Two further runs, one degree of freedom, a large family: the quantile is in the hundreds."""
    found = replace(
        unpaired_ratio([1.0, 1.1, 1.2, 1.3] * 3, [2.0, 2.2, 2.4, 2.6] * 3), family=50, p_adjusted=0.5
    )
    wide = widened(found, 8.0, 1.0)
    assert wide.interval is not None and found.interval is not None
    assert 0 < wide.interval[0] < found.interval[0] and found.interval[1] < wide.interval[1] < 1e200
