"""The paired difference of two cells in the same rounds, in the metric's own unit.

Estimate: the Hodges-Lehmann median of the n(n+1)/2 Walsh averages of the differences by round; interval
by inverting the exact signed-rank test (Hollander and Wolfe, sections 3.2 and 3.4); p: `signed_rank`.
Unlike the ratio of `paired` it has a unit, so that the costs of several hops can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backend.core.statistics.difference_estimate import DifferenceEstimate as DifferenceEstimate

METHOD = "paired by round: exact Wilcoxon signed-rank on differences, Hodges-Lehmann difference"
UNIT = 1e-12
"""Resolution, as a share of the largest value: differences that differ by less, by rounding, are ties."""


def in_unit(value: float, unit: float) -> float:
    """A multiple of the unit without the digits that are finer than it: 1 and not 1.000000000002."""
    return round(value, -math.floor(math.log10(unit)) - 1)


def difference_units(base: Sequence[float], other: Sequence[float]) -> tuple[NDArray[np.int64], float]:
    """The differences other − base by round as whole multiples of a unit, and that unit.

    Raises ValueError where the two are empty or not equally long.
    """
    if len(base) != len(other):
        raise ValueError(f"{len(base)} values cannot be paired with {len(other)}")
    if len(base) == 0:
        raise ValueError("no round has a value of both")
    both = np.asarray((base, other), dtype=float)
    scale = float(np.abs(both).max()) or 1.0
    return np.rint((both[1] / scale - both[0] / scale) / UNIT).astype(np.int64), scale * UNIT
