"""The primary comparison: two cells in the same rounds, as a ratio with its interval.

Differences are taken between logarithms, so the estimate is a ratio and swapping the two cells
inverts it exactly. Estimate: exp of the Hodges-Lehmann median of Walsh averages; interval by
inverting the signed-rank test; p: `signed_rank`. The estimand is the pseudo-median of the paired ratios.
Logarithms are whole multiples of UNIT, so that p and bounds see the same ties in every unit of the values.

benchstat pairs nothing, so there is nothing of its to match. As there, no ratio exists where a median is
0 or the sign changes ("?"); here also not where a single value is 0, whose logarithm does not exist.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from backend.core.messages.message import message
from backend.core.statistics.ratio_estimate import Bounds as Bounds
from backend.core.statistics.ratio_estimate import RatioEstimate as RatioEstimate
from backend.core.statistics.ratio_estimate import Undefined as Undefined
from backend.core.statistics.signed_rank import signed_rank_p, walsh_order

METHOD = "paired by round: exact Wilcoxon signed-rank on logarithms, Hodges-Lehmann ratio"
UNIT = 1e-12
"""Resolution of the logarithm of a ratio: ratios that differ by less, by rounding, are ties."""
ALPHA_95 = 0.05
ALPHA_90 = 0.10

_LARGEST = 700.0
"""The largest logarithm whose exponential is still finite, about."""
ORDINARY = (1e-150, 1e150)
"""Values between these need no check: none is zero, negative or missing, and no ratio overflows."""


def paired_ratio(baseline: Sequence[float], cell: Sequence[float], analyses: int = 1) -> RatioEstimate:
    """The ratio cell ÷ baseline from values of the same rounds, in the same order.

    The intervals are at 1 − 0.05/`analyses` and 1 − 0.10/`analyses` (Bonferroni over the interim analyses).
    Raises Undefined where the logarithm of a ratio does not exist; benchstat prints "?" there.
    """
    differences = log_ratios(baseline, cell)
    n, walsh = int(differences.size), _walsh_sums(differences)
    return RatioEstimate(
        n=n,
        ratio=_hodges_lehmann(walsh),
        interval=_bounds(walsh, walsh_order(n, 1 - ALPHA_95 / analyses)),
        interval_90=_bounds(walsh, walsh_order(n, 1 - ALPHA_90 / analyses)),
        p=signed_rank_p(differences),
        method=METHOD,
    )


def _walsh_sums(differences: NDArray[np.int64]) -> NDArray[np.int64]:
    """Twice the Walsh averages, sorted."""
    first, second = _triangle(int(differences.size))
    return np.sort(differences[first] + differences[second])


def _hodges_lehmann(walsh: NDArray[np.int64]) -> float:
    """The ratio at the median of the Walsh averages."""
    size = walsh.size
    return math.exp(int(walsh[(size - 1) // 2] + walsh[size // 2]) * UNIT / 4)


def log_ratios(baseline: Sequence[float], cell: Sequence[float]) -> NDArray[np.int64]:
    """The logarithms of cell ÷ baseline in whole UNITs. Raises Undefined where one does not exist."""
    if len(baseline) != len(cell):
        raise ValueError(f"{len(baseline)} values of the baseline cannot be paired with {len(cell)}")
    if len(baseline) == 0:
        raise Undefined(message("noRoundOfBoth"))
    both = np.array((baseline, cell), dtype=float)
    if not (both.min() > ORDINARY[0] and both.max() < ORDINARY[1]):
        _refuse(*both)
    logs: NDArray[np.float64] = np.log(np.abs(both))
    differences: NDArray[np.float64] = logs[1] - logs[0]
    if np.abs(differences).max() > _LARGEST:
        raise Undefined(message("ratioOutOfRange"))
    return np.rint(differences / UNIT).astype(np.int64)


def _refuse(baseline: NDArray[np.float64], cell: NDArray[np.float64]) -> None:
    """Raise Undefined with the reason where the logarithm of a ratio does not exist."""
    if not np.all(np.isfinite((baseline, cell))):
        raise Undefined(message("valueNotFinite"))
    if not (np.all(baseline) and np.all(cell)):
        zero = np.median(baseline) == 0 or np.median(cell) == 0
        raise Undefined(message("medianIsZero" if zero else "valueIsZero"))
    if np.any((baseline > 0) != (cell > 0)):
        raise Undefined(message("signChanges"))


@cache
def _triangle(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The index pairs i ≤ j of the n(n+1)/2 Walsh averages."""
    first, second = np.triu_indices(n)
    return first, second


def _bounds(walsh: NDArray[np.int64], order: int | None) -> Bounds | None:
    """The exponentials of the averages at an order; `walsh` are sorted sums of two logarithms."""
    if order is None:
        return None
    return math.exp(int(walsh[order - 1]) * UNIT / 2), math.exp(int(walsh[-order]) * UNIT / 2)
