"""Drift of a cell's values over the rounds: Kendall's τ against time, and the Theil-Sen slope.

Blocks cancel drift in comparisons. It is reported because it widens intervals, and because it may indicate
other load on the host. (Mann 1945, Kendall 1975; Sen 1968.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import scipy

from backend.core.plan.power import ALPHA

MINIMUM_ROUNDS: Final = 6
Values = npt.NDArray[np.float64]
_LARGEST: Final = 700.0
"""The largest logarithm whose exponential is still finite, about."""


@dataclass(frozen=True)
class Drift:
    """Relative change from the first to the last round along the Theil-Sen line, and its p."""

    change: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether p is at most 5 %."""
        return self.p <= ALPHA


def drift(values_by_round: Mapping[int, float]) -> Drift | None:
    """The drift of positive values, by round.

    None for fewer than MINIMUM_ROUNDS values, a value of zero or below, or a change that is not finite.
    """
    rounds = sorted(values_by_round)
    values = np.asarray([values_by_round[r] for r in rounds], dtype=float)
    if len(rounds) < MINIMUM_ROUNDS or np.any(values <= 0):
        return None
    if np.all(values == values[0]):
        return Drift(0.0, 1.0)
    logs = np.log(values)
    change = _slope(np.asarray(rounds, dtype=float), logs) * (rounds[-1] - rounds[0])
    if change > _LARGEST:
        return None
    return Drift(float(np.expm1(change)), float(scipy.stats.kendalltau(rounds, logs).pvalue))


def _slope(rounds: Values, logs: Values) -> float:
    """The median of the slopes between all pairs (Theil-Sen).

    Without the checks of `scipy.stats.theilslopes`, which take longer than the median.
    """
    apart, changes = np.subtract.outer(rounds, rounds), np.subtract.outer(logs, logs)
    later = apart > 0
    return float(np.median(changes[later] / apart[later]))
