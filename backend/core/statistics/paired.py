"""The primary comparison: two cells in the same rounds, as a ratio with its interval.

Differences are taken between logarithms, so the estimate is a ratio and swapping the two cells
inverts it exactly. Estimate: exp of the Hodges-Lehmann median of Walsh averages; interval by
inverting the signed-rank test; p: `signed_rank`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from backend.core.statistics.signed_rank import signed_rank_p, walsh_order

METHOD = "paired by round: exact Wilcoxon signed-rank on logarithms, Hodges-Lehmann ratio"

_LARGEST = 700.0
"""The largest logarithm whose exponential is still finite, about."""

Bounds = tuple[float, float]


@dataclass(frozen=True)
class RatioEstimate:
    """A ratio with its 95 % and 90 % intervals; None where n is too small for one."""

    n: int
    ratio: float
    interval: Bounds | None
    interval_90: Bounds | None
    p: float
    method: str


class Undefined(ValueError):
    """No ratio exists; the text says why."""


def paired_ratio(baseline: Sequence[float], cell: Sequence[float]) -> RatioEstimate:
    """The ratio cell ÷ baseline from values of the same rounds, in the same order.

    Raises Undefined where the logarithm of a ratio does not exist, as benchstat prints "?".
    """
    differences = _log_ratios(np.asarray(baseline, dtype=float), np.asarray(cell, dtype=float))
    if np.max(np.abs(differences)) > _LARGEST:
        raise Undefined("the ratio is beyond all bounds")
    n = int(differences.size)
    first, second = _triangle(n)
    walsh = np.sort((differences[first] + differences[second]) / 2)
    return RatioEstimate(
        n=n,
        ratio=float(np.exp(_middle(walsh))),
        interval=_bounds(walsh, walsh_order(n, 0.95)),
        interval_90=_bounds(walsh, walsh_order(n, 0.90)),
        p=signed_rank_p(differences),
        method=METHOD,
    )


def _log_ratios(baseline: NDArray[np.float64], cell: NDArray[np.float64]) -> NDArray[np.float64]:
    if baseline.size == 0:
        raise Undefined("no round has a value of both")
    if not (np.all(baseline) and np.all(cell)):
        zero = np.median(baseline) == 0 or np.median(cell) == 0
        raise Undefined("a median is zero" if zero else "a value is zero")
    if np.any((baseline > 0) != (cell > 0)):
        raise Undefined("the sign changes")
    return np.asarray(np.log(np.abs(cell)) - np.log(np.abs(baseline)))


@cache
def _triangle(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The index pairs i ≤ j of the n(n+1)/2 Walsh averages."""
    first, second = np.triu_indices(n)
    return first, second


def _middle(ordered: NDArray[np.float64]) -> float:
    """The median of sorted values."""
    size = ordered.size
    return float(ordered[(size - 1) // 2] + ordered[size // 2]) / 2


def _bounds(walsh: NDArray[np.float64], order: int | None) -> Bounds | None:
    if order is None:
        return None
    return float(np.exp(walsh[order - 1])), float(np.exp(walsh[-order]))
