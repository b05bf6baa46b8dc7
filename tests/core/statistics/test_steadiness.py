"""Steadiness within a trial."""

from __future__ import annotations

import math

import numpy as np
import pytest

from backend.core.statistics.steadiness import steadiness


def test_a_steady_series() -> None:
    found = steadiness([100, 101, 99, 100, 5_000, 100, 102, 98, 100])
    assert found is not None
    assert (found.first, found.second, found.change, found.steady) == (100, 100, 0, True)


def test_a_series_that_warms_up() -> None:
    found = steadiness([50, 60, 60, 70, 100, 100, 100, 100])
    assert found is not None
    assert found.change == pytest.approx(100 / 60 - 1)
    assert not found.steady


@pytest.mark.parametrize(("points", "noise"), [(10, 0.05), (10, 0.1), (10, 0.2), (30, 0.2)])
def test_noise_from_second_to_second_is_no_unsteadiness(points: int, noise: float) -> None:
    rng = np.random.default_rng(1)
    found = [steadiness(list(rng.lognormal(0, noise, points))) for _ in range(400)]
    assert sum(one is not None and not one.steady for one in found) <= 0.05 * 400
    assert any(one is not None and abs(one.change) > 0.1 for one in found) or noise < 0.1


def test_a_step_of_a_fifth_is_seen_through_noise() -> None:
    rng = np.random.default_rng(2)
    step = np.where(np.arange(10) < 5, 0.8, 1.0)
    found = [steadiness(list(step * rng.lognormal(0, 0.05, 10))) for _ in range(200)]
    assert sum(one is not None and not one.steady for one in found) >= 0.95 * 200


@pytest.mark.parametrize(
    ("series", "steady"),
    [
        ([80, 81, 82, 83, 100, 99, 98, 97], False),
        ([80, 81, 82, 100, 99, 98, 97, 83], True),
        ([100, 100, 101, 102, 105, 104, 103, 106], True),
    ],
)
def test_a_short_series_is_unsteady_where_its_halves_lie_apart(series: list[float], steady: bool) -> None:
    found = steadiness(series)
    assert found is not None
    assert found.steady is steady


@pytest.mark.parametrize(("points", "noise"), [(8, 0.1), (8, 0.2), (9, 0.2)])
def test_the_shortest_series_raise_no_false_alarm(points: int, noise: float) -> None:
    rng = np.random.default_rng(3)
    found = [steadiness(list(rng.lognormal(0, noise, points))) for _ in range(1000)]
    assert sum(one is not None and not one.steady for one in found) <= 0.06 * 1000


def test_a_stalled_half_is_unsteady_on_either_side() -> None:
    stalled, mirrored = steadiness([0] * 4 + [1000] * 4), steadiness([1000] * 4 + [0] * 4)
    assert stalled is not None and mirrored is not None
    assert (stalled.change, stalled.steady) == (math.inf, False)
    assert (mirrored.change, mirrored.steady) == (-1, False)


@pytest.mark.parametrize("series", [[], [1, 2, 3], [5] * 7, [0] * 8])
def test_a_series_that_is_too_short_or_zero(series: list[float]) -> None:
    assert steadiness(series) is None
