"""The order of comparisons of one metric by the size of their effect."""

from __future__ import annotations

import math

from backend.core.chart.model.cell_models import Comparison

EffectSize = tuple[bool, float]


def effect_size(comparison: Comparison) -> EffectSize:
    """A sort key, larger for larger effects: |ln ratio|; a difference, which is from or to zero, is larger.

    Differences, in the metric's unit, are compared among themselves.
    """
    if comparison.difference is not None:
        return True, abs(comparison.difference.value)
    return False, abs(math.log(comparison.ratio)) if comparison.ratio else 0.0
