"""Comparisons of two runs with a known spread between runs, simulated."""

from __future__ import annotations

import math

import numpy as np
import pytest

from backend.core.statistics.between_runs import of_difference, run_spread, widened
from backend.core.statistics.paired import RatioEstimate
from backend.core.statistics.unpaired import unpaired_ratio
from backend.core.statistics.verdict import excludes_one

pytestmark = pytest.mark.full  # small forms: tests/core/statistics/test_simulated_errors.py
NOISE = 0.02


ROUNDS = 10


REPEATED = 150


def one_run(generator: np.random.Generator, cells: int, between: float) -> list[list[float]]:
    """One run: each cell's own effect of this run, and the noise of its rounds."""
    return [
        [float(x) for x in generator.lognormal(4.6 + effect, NOISE, ROUNDS)]
        for effect in generator.normal(0, between, cells)
    ]


def compared(runs: list[list[list[float]]]) -> list[RatioEstimate]:
    """The second run against the first, by the spread of the others (with one other: and the first)."""
    a, b, *others = runs
    history = others if len(others) > 1 else [a, *others]
    spread = run_spread([{str(c): math.log(np.median(v)) for c, v in enumerate(run)} for run in history])
    assert spread is not None
    found = [unpaired_ratio(x, y, len(a)) for x, y in zip(a, b, strict=True)]
    return [widened(one, *of_difference(spread, spread)) for one in found]


@pytest.mark.parametrize("others", [1, 2, 4])
@pytest.mark.parametrize("cells", [6, 20])
def test_two_equal_runs_show_no_difference_in_95_percent(cells: int, others: int) -> None:
    """Run-by-cell SD 1 % and 2 % noise, ten rounds: at most 5 % within chance (z = 2.5)."""
    generator = np.random.default_rng(100 * cells + others)
    wrong = without = 0
    for _ in range(REPEATED):
        runs = [one_run(generator, cells, 0.01) for _ in range(2 + others)]
        wrong += any(excludes_one(one.interval) for one in compared(runs))
        pairs = zip(runs[0], runs[1], strict=True)
        without += any(excludes_one(unpaired_ratio(x, y, cells).interval) for x, y in pairs)
    assert wrong / REPEATED <= 0.05 + 2.5 * math.sqrt(0.05 * 0.95 / REPEATED)
    assert without / REPEATED > 0.15


def test_a_real_difference_of_ten_percent_is_found() -> None:
    generator = np.random.default_rng(7)
    found = 0
    for _ in range(100):
        runs = [one_run(generator, 6, 0.01) for _ in range(6)]
        runs[1][0] = [1.1 * value for value in runs[1][0]]
        found += excludes_one(compared(runs)[0].interval)
    assert found >= 95
