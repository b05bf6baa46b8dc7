"""Disagreement between hosts in simulated runs: found where there is none, and where there is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.core.statistics.between_hosts import Heterogeneity, count_pairs, heterogeneity, host_sample
from backend.core.statistics.family import Group, estimates_of_groups
from backend.core.statistics.paired import RatioEstimate
from backend.core.statistics.verdict import excludes_one

pytestmark = pytest.mark.full  # small forms: tests/core/statistics/test_simulated_errors.py
Floats = NDArray[np.float64]
Shape = Callable[[np.random.Generator, tuple[int, ...]], Floats]
NOISE: Final = 0.02
REPEATED: Final = 300
CELLS: Final = 4


def normal(generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
    return generator.normal(0, NOISE, size)


def heavy(generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
    return NOISE * generator.standard_t(3, size)


def bimodal(generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
    return generator.choice((-NOISE, NOISE), size) + generator.normal(0, NOISE / 5, size)


def skewed(generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
    return NOISE * (generator.exponential(1, size) - 1)


def slow_rounds(generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
    """One value in ten is 25 % lower."""
    return generator.normal(0, NOISE, size) - 0.25 * (generator.random(size) < 0.1)


def autocorrelated(generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
    """AR(1) 0.7 of the whole host from round to round: the same in all cells, as order is shuffled."""
    own = generator.normal(0, NOISE, (1, size[-1]))
    for r in range(1, size[-1]):
        own[:, r] = 0.7 * own[:, r - 1] + own[:, r] * math.sqrt(1 - 0.7**2)
    return own + generator.normal(0, NOISE / 4, size)


def drifting(generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
    """10 % over the run, plus what the place in the round adds."""
    ramp = np.linspace(0, 0.1, size[-1])[None, :]
    place = np.tile(np.linspace(0, 0.1 / size[-1], size[0])[:, None], (1, size[-1]))
    within = generator.permuted(place, axis=0)
    return ramp + within + generator.normal(0, NOISE, size)


SHAPES: Final = (normal, heavy, bimodal, skewed, slow_rounds, autocorrelated, drifting)


def one_group(
    generator: np.random.Generator,
    shape: Shape,
    hosts: int,
    rounds: int,
    apart: float = 0.0,
    unequal: bool = False,
) -> list[Floats]:
    """Logarithms by host: the baseline in row 0, then cells; the first cell of the first host is apart."""
    found = []
    for host in range(hosts):
        noise = shape(generator, (CELLS + 1, rounds)) * (3**host / 3 ** (hosts - 1) if unequal else 1)
        noise[1:] += np.linspace(-0.2, 0.1, CELLS)[:, None]
        noise[1] += apart if host == 0 else 0.0
        found.append(noise + generator.normal(5, 1))
    return found


def judged(group: list[Floats]) -> list[Heterogeneity]:
    cells = []
    for cell in range(1, CELLS + 1):
        samples = {str(h): host_sample((own[cell] - own[0]).tolist()) for h, own in enumerate(group)}
        cells.append({h: sample for h, sample in samples.items() if sample is not None})
    family = count_pairs(cells)
    return [found for own in cells if (found := heterogeneity(own, family)) is not None]


def allowed(share: float) -> float:
    """The share with chance (z = 2.5)."""
    return share + 2.5 * math.sqrt(share * (1 - share) / REPEATED)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("hosts", "rounds"), [(2, 6), (3, 10), (8, 6)])
def test_equal_hosts_disagree_in_at_most_5_percent(shape: Shape, hosts: int, rounds: int) -> None:
    generator = np.random.default_rng(hosts * rounds)
    groups = (one_group(generator, shape, hosts, rounds) for _ in range(REPEATED))
    wrong = sum(any(one.differs for one in judged(own)) for own in groups)
    assert wrong / REPEATED <= allowed(0.05)


@pytest.mark.parametrize("hosts", [2, 4])
def test_hosts_of_unequal_noise_disagree_in_at_most_5_percent(hosts: int) -> None:
    """Each host has three times the noise of the one before."""
    generator = np.random.default_rng(hosts)
    groups = (one_group(generator, normal, hosts, 8, unequal=True) for _ in range(REPEATED))
    assert sum(any(one.differs for one in judged(own)) for own in groups) / REPEATED <= allowed(0.05)


def test_the_spread_between_hosts_lies_in_its_interval() -> None:
    """Three hosts, one 8 % apart in one cell: SD of the true logarithms ln 1.08 ÷ √3."""
    generator = np.random.default_rng(5)
    true = 0.08 / math.sqrt(3)
    missed = 0
    for _ in range(REPEATED):
        first = judged(one_group(generator, normal, 3, 10, apart=0.08))[0]
        missed += not first.spread_interval[0] <= true <= first.spread_interval[1]
    assert missed / REPEATED <= allowed(0.05)


@pytest.mark.parametrize(("rounds", "apart", "least"), [(10, 0.08, 0.9), (20, 0.05, 0.9), (6, 0.15, 0.9)])
def test_the_stated_power(rounds: int, apart: float, least: float) -> None:
    """Three hosts, four cells, noise 2 % of every value: one host apart in one cell is found."""
    generator = np.random.default_rng(rounds)
    found = sum(judged(one_group(generator, normal, 3, rounds, apart))[0].differs for _ in range(REPEATED))
    assert found / REPEATED >= least


@pytest.mark.parametrize("shape", (normal, heavy, slow_rounds))
def test_intervals_hold_over_hosts_and_cells(shape: Shape) -> None:
    """Any of the 12 intervals of three hosts and four cells misses its true ratio in at most 5 %."""
    generator = np.random.default_rng(11)
    missed = 0
    for _ in range(REPEATED):
        group = one_group(generator, shape, 3, 12)
        # Divided by the true ratio, so that the truth is 1 everywhere.
        true = np.linspace(-0.2, 0.1, CELLS)
        parts = [
            Group(
                [dict(enumerate(np.exp(own[0]).tolist()))] * CELLS,
                [dict(enumerate(np.exp(own[c + 1] - true[c]).tolist())) for c in range(CELLS)],
            )
            for own in group
        ]
        found = [one for own in estimates_of_groups(parts) for one in own]
        missed += any(isinstance(one, RatioEstimate) and excludes_one(one.interval) for one in found)
    assert missed / REPEATED <= allowed(0.05)
