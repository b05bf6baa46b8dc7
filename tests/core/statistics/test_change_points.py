"""Change points: the energy distance against hand and library, families in simulation, and positions."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.core.statistics.change_points import FEWEST_RUNS, LEVEL, change_points, energy, positions

SERIES = (0.1, 0.3, 0.2, 0.15, 1.1, 1.3, 1.2, 0.9, 0.2, 0.25)
GOLDEN = {(4, 8): 3.1, (4, 10): 1.492, (8, 10): 0.5114285714285719}
"""Q(τ, κ) of SERIES by apache-otava 0.8.0, `PairDistanceCalculator._get_Q_vals`."""


def distances(values: tuple[float, ...] | NDArray[np.float64]) -> NDArray[np.float64]:
    given = np.asarray(values, dtype=float)
    return np.abs(given[:, None] - given[None, :])


def steps(*levels: tuple[int, float], noise: float = 0.01, seed: int = 0) -> list[float | None]:
    """Values around levels, each for so many runs."""
    generator = np.random.default_rng(seed)
    return [level + noise * generator.normal() for runs, level in levels for _ in range(runs)]


def test_the_energy_distance_by_hand() -> None:
    found = energy(distances((0, 0, 1, 1)))
    assert found[2, 4] == 2.0
    assert np.isneginf(found[1, 4]) and np.isneginf(found[3, 4]) and np.isneginf(found[2, 3])


@pytest.mark.parametrize("at", GOLDEN)
def test_the_energy_distance_is_that_of_otava(at: tuple[int, int]) -> None:
    assert energy(distances(SERIES))[at] == pytest.approx(GOLDEN[at], rel=1e-12)


def test_ten_runs_are_the_fewest_that_can_show_a_change() -> None:
    """Exact: the share of all orders of a perfect step whose distance reaches that of the step."""

    def smallest_p(before: int, after: int) -> float:
        size = before + after
        observed = energy(distances((0.0,) * before + (1.0,) * after)).max()
        orders = [
            [float(run in after_it) for run in range(size)] for after_it in combinations(range(size), after)
        ]
        reached = sum(energy(distances(np.array(order))).max() >= observed - 1e-9 for order in orders)
        return reached / len(orders)

    assert min(smallest_p(n, 9 - n) for n in range(2, 8)) > LEVEL
    assert smallest_p(5, 5) == pytest.approx(2 / math.comb(10, 5))
    assert smallest_p(5, 5) <= LEVEL
    assert FEWEST_RUNS == 10


def test_a_step_is_found_with_its_position() -> None:
    found = change_points([steps((6, 0.0), (6, 0.1))], seed=1)
    ((change,),) = found.of_series
    assert (change.at, change.first <= 6 <= change.last) == (6, True)
    assert change.p_adjusted == pytest.approx(1 / 500, abs=0.01)


def test_a_change_that_was_undone_is_two_changes() -> None:
    found = change_points([steps((8, 0.0), (8, 0.2), (8, 0.0))], seed=1)
    assert [change.at for change in found.of_series[0]] == [8, 16]


def test_too_few_runs_show_nothing_and_missing_runs_keep_their_index() -> None:
    assert change_points([steps((3, 0.0), (4, 1.0))], seed=1).of_series == ((),)
    values = steps((6, 0.0), (6, 1.0))
    values[2] = values[6] = None
    ((change,),) = change_points([values], seed=1).of_series
    assert change.at == 7 and change.first <= 7 <= change.last


def test_equal_values_show_nothing() -> None:
    assert change_points([[1.0] * 12, [0.0] * 12], seed=1).of_series == ((), ())


def test_the_same_seed_gives_the_same_result() -> None:
    series = [steps((6, 0.0), (6, 0.02), seed=seed) for seed in range(3)]
    assert change_points(series, seed=4) == change_points(series, seed=4)


def test_the_scale_of_a_series_does_not_count() -> None:
    one = steps((6, 0.0), (6, 0.1))
    scaled = [value * 1e6 for value in one if value is not None]
    first, second = change_points([one, scaled], seed=1).of_series
    assert first == second


@pytest.mark.parametrize("shared", [0.0, 0.95])
def test_no_change_is_shown_in_a_family_without_one_in_at_least_99_percent(shared: float) -> None:
    """Ten cells over twelve runs without a change, independent or moved by a common effect of the run."""
    histories = 120
    generator = np.random.default_rng(7)
    wrong = 0
    for number in range(histories):
        common = generator.normal(size=12)
        noise = generator.normal(size=(10, 12))
        series = (math.sqrt(shared) * common + math.sqrt(1 - shared) * noise).tolist()
        wrong += any(change_points(series, seed=number).of_series)
    # 1.2 are expected; 6 or more of 120 come with a chance of 0.2 %.
    assert wrong < 6


def test_the_confidence_set_holds_the_position() -> None:
    """In 150 steps of two standard deviations after run 7 of 15."""
    generator = np.random.default_rng(11)
    held = 0
    for _ in range(150):
        values = generator.normal(size=15) + 2.0 * (np.arange(15) >= 7)
        held += 7 in positions(distances(values), generator)
    # 142.5 are expected at least; fewer than 135 come with a chance of 0.5 %.
    assert held >= 135
