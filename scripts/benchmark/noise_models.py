"""Models of the variation between trials, one generator for each kind of host.

Each returns ln x by (cell, round) of equal cells. `order` has the same shape and is each trial's position in
the run, from 0, so that effects of time follow the order of the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

SD: Final = 0.02
"""The default standard deviation of ln x: 2 %."""

Values = NDArray[np.float64]
Order = NDArray[np.int64]
Model = Callable[[np.random.Generator, Order], Values]


def normal(generator: np.random.Generator, order: Order) -> Values:
    """Log-normal noise of 2 %, equal for all."""
    return np.asarray(generator.normal(0, SD, order.shape))


def heavy_tails(generator: np.random.Generator, order: Order) -> Values:
    """Student's t with three degrees of freedom, scaled to 2 %."""
    return np.asarray(SD / np.sqrt(3) * generator.standard_t(3, order.shape))


def bimodal(generator: np.random.Generator, order: Order) -> Values:
    """Two modes 6 % apart, the slower one in three of ten trials: threads that share a core or do not."""
    return generator.normal(0, SD / 2, order.shape) - 0.06 * (generator.random(order.shape) < 0.3)


def autocorrelated(generator: np.random.Generator, order: Order) -> Values:
    """AR(1) with coefficient 0.7 from trial to trial, 2 % in all."""
    shocks = generator.normal(0, SD * np.sqrt(1 - 0.7**2), order.size)
    series = np.empty(order.size)
    series[0] = generator.normal(0, SD)
    for place in range(1, order.size):
        series[place] = 0.7 * series[place - 1] + shocks[place]
    return series[order]


def drifting(generator: np.random.Generator, order: Order) -> Values:
    """A host that gets 10 % faster from the first trial to the last, beside 2 % noise."""
    return generator.normal(0, SD, order.shape) + np.log1p(0.10 * order / (order.size - 1))


def one_slow_round(generator: np.random.Generator, order: Order) -> Values:
    """Noise of 20 % in one round with another tenant, and of 2 % in all others."""
    noise = generator.normal(0, SD, order.shape)
    noise[:, generator.integers(order.shape[1])] *= 10
    return noise


def unequal(generator: np.random.Generator, order: Order) -> Values:
    """Cells whose noise lies between 0.5 % and 8 %, in no order."""
    spreads = generator.permutation(np.geomspace(0.005, 0.08, order.shape[0]))
    return np.asarray(generator.normal(0, 1, order.shape) * spreads[:, None])


def by_starts(deviation: float) -> Model:
    """Each cell has its own server, restarted for each round; the effect of a start has this SD of ln x."""

    def drawn(generator: np.random.Generator, order: Order) -> Values:
        return generator.normal(0, SD, order.shape) + generator.normal(0, deviation, order.shape)

    return drawn


MODELS: Final[Mapping[str, Model]] = {
    "normal": normal,
    "log-t3": heavy_tails,
    "bimodal": bimodal,
    "AR(1) 0.7": autocorrelated,
    "drift 10 %": drifting,
    "one slow round": one_slow_round,
    "unequal noise": unequal,
    "starts 0.5 %": by_starts(0.005),
    "starts 1 %": by_starts(0.01),
    "starts 2 %": by_starts(0.02),
}
