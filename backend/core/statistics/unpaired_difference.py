"""Two independent samples compared by a difference, where no ratio exists.

Estimate: the Hodges-Lehmann median of all n₁n₂ differences; interval by Moses (Hollander and Wolfe, section
4.3); p: the exact Mann-Whitney test of `unpaired` on the values themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backend.core.messages.message import message
from backend.core.statistics.difference_estimate import DifferenceEstimate
from backend.core.statistics.paired_difference import in_unit
from backend.core.statistics.ratio_estimate import Bounds, Undefined
from backend.core.statistics.unpaired import mann_whitney_p, moses_order, moses_p

METHOD = "two samples: exact Mann-Whitney U with ties, Hodges-Lehmann difference with Moses interval"
UNIT = 1e-12
"""Resolution, as a share of the largest value: values that differ by less, by rounding, are ties."""


def unpaired_difference(
    baseline: Sequence[float], other: Sequence[float], family: int = 1
) -> DifferenceEstimate:
    """The difference other − baseline of two independent samples; `family` as in `unpaired_ratio`.

    `interval` excludes 0 exactly where `p_adjusted` is at most 5 %. Raises Undefined where a side has no
    values, or one that is not finite.
    """
    if not baseline or not other:
        raise Undefined("one side has no values")
    if not all(map(math.isfinite, (*baseline, *other))):
        raise Undefined(message("valueNotFinite"))
    n1, n2 = len(baseline), len(other)
    scale = max(map(abs, (*baseline, *other))) or 1.0
    ours, theirs = (
        np.rint(np.asarray(values, dtype=float) / scale / UNIT).astype(np.int64)
        for values in (baseline, other)
    )
    gaps = np.sort(np.subtract.outer(theirs, ours).ravel())
    sides = int(np.count_nonzero(gaps <= 0)), int(np.count_nonzero(gaps >= 0))
    unit = scale * UNIT
    return DifferenceEstimate(
        n=min(n1, n2),
        estimate=in_unit(int(gaps[(gaps.size - 1) // 2] + gaps[gaps.size // 2]) * unit / 2, unit),
        interval=_bounds(gaps, moses_order(n1, n2, 1 - 0.05 / family), unit),
        interval_90=_bounds(gaps, moses_order(n1, n2, 1 - 0.10 / family), unit),
        p=mann_whitney_p(ours.tolist(), theirs.tolist()),
        p_adjusted=min(1.0, family * moses_p(n1, n2, min(*sides, n1 * n2 // 2))),
        interval_unadjusted=_bounds(gaps, moses_order(n1, n2, 0.95), unit),
        family=family,
        method=METHOD,
    )


def _bounds(gaps: NDArray[np.int64], order: int | None, unit: float) -> Bounds | None:
    if order is None:
        return None
    return in_unit(float(gaps[order - 1] * unit), unit), in_unit(float(gaps[-order] * unit), unit)
