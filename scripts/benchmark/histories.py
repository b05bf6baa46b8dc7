"""How long the search for changes in a history takes on one core."""

from __future__ import annotations

import random
import statistics
import time
from typing import Any, Final

from backend.core.statistics.change_points import change_points

SIZES: Final = ((10, 12), (50, 40), (200, 40))
"""Series and runs."""
REPEATS: Final = 5
NOISE: Final = 0.02
STEP: Final = 0.93
"""What a change in the middle of the history multiplies a third of the series by."""


def measure() -> list[dict[str, Any]]:
    """Process seconds of change_points, median and range, and the number of permutations."""
    return [_measured(series, runs) for series, runs in SIZES]


def _measured(series: int, runs: int) -> dict[str, Any]:
    values = _values(series, runs)
    seconds = []
    for _ in range(REPEATS):
        began = time.process_time()
        found = change_points(values, seed=1)
        seconds.append(time.process_time() - began)
    return {
        "series": series,
        "runs": runs,
        "permutations": found.permutations,
        "series_with_a_change": sum(map(bool, found.of_series)),
        "cpu_s": round(statistics.median(seconds), 3),
        "cpu_s_range": [round(min(seconds), 3), round(max(seconds), 3)],
    }


def _values(series: int, runs: int) -> list[list[float]]:
    draw = random.Random(1)
    return [
        [
            100 * draw.lognormvariate(0, NOISE) * (STEP if index % 3 == 0 and run >= runs // 2 else 1)
            for run in range(runs)
        ]
        for index in range(series)
    ]
