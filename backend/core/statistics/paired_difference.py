"""Two cells in the same rounds as a difference in the metric's own unit: what the one costs more.

Estimate: the Hodges-Lehmann median of the n(n+1)/2 Walsh averages of the differences by round; interval
by inverting the exact signed-rank test (Hollander and Wolfe, sections 3.2 and 3.4); p: `signed_rank`.
Unlike the ratio of `paired`, it has a unit, and prices of several steps can be set side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.core.statistics.signed_rank import signed_rank_less_p, signed_rank_p, walsh_order

METHOD = "paired by round: exact Wilcoxon signed-rank on differences, Hodges-Lehmann difference"


@dataclass(frozen=True)
class DifferenceEstimate:
    """other − base over n rounds, in the values' unit; the interval is None where n is too small for one."""

    n: int
    estimate: float
    interval: tuple[float, float] | None
    p: float


def paired_difference(
    base: Sequence[float], other: Sequence[float], confidence: float = 0.95
) -> DifferenceEstimate:
    """The difference other − base from values of the same rounds, in the same order.

    Raises ValueError where no round has a value of both, or the two are not equally long.
    """
    differences, told_apart = _differences(base, other)
    first, second = np.triu_indices(differences.size)
    walsh = np.sort((differences[first] + differences[second]) / 2)
    order = walsh_order(int(differences.size), confidence)
    return DifferenceEstimate(
        n=int(differences.size),
        estimate=float(np.median(walsh)),
        interval=None if order is None else (float(walsh[order - 1]), float(walsh[-order])),
        p=signed_rank_p(told_apart),
    )


def paired_difference_less_p(base: Sequence[float], other: Sequence[float]) -> float:
    """One-sided p that the differences other − base do not lie below 0; raises as `paired_difference`."""
    return signed_rank_less_p(_differences(base, other)[1])


def _differences(
    base: Sequence[float], other: Sequence[float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The differences by round, and the same as shares of the largest value, for their ranks alone.

    Equal differences are ties in every unit: a difference of decimals has noise in its last digits.
    """
    if len(base) != len(other):
        raise ValueError(f"{len(base)} values cannot be paired with {len(other)}")
    if len(base) == 0:
        raise ValueError("no round has a value of both")
    both = np.asarray((base, other), dtype=float)
    differences: NDArray[np.float64] = both[1] - both[0]
    scale = float(np.abs(both).max()) or 1.0
    return differences, np.round(differences / scale, 12)
