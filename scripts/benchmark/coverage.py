"""The coverage and error rates of the statistics: simulated runs with a known truth, analysed by the product.

Every row is a rate with its nominal value: intervals that hold the truth, families with a false answer,
best cells left out. Methods are the product's own functions, called as the chart calls them. Values are
log-normal with 2 % noise. The seed is fixed, so that the table is the same wherever it is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backend.core.chart.cells.best import best_groups
from backend.core.chart.cells.comparisons import compare_all
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.cells.trials import CellTrials
from backend.core.plan.model import Cell
from backend.core.plan.power import ALPHA
from backend.core.statistics.equivalence import is_equivalent
from backend.core.statistics.family import family_differences
from backend.core.statistics.holm import holm
from backend.core.statistics.interim import adjust
from backend.core.statistics.median import median_interval, median_orders
from backend.core.statistics.paired import Bounds, paired_ratio
from backend.core.statistics.paired_difference import DifferenceEstimate
from backend.core.statistics.unpaired import unpaired_ratio
from backend.core.statistics.verdict import excludes_one

SEED: Final = 20261121
TRIALS: Final = 4000
NOISE: Final = 0.02
DRIFT: Final = 0.05
TRUE_RATIO: Final = 0.97
MARGIN: Final = 0.05
PRICE: Final = 10.0
"""Microseconds that one more hop costs."""
SIZES: Final = (6, 8, 10, 20)
FAMILIES: Final = (6, 20)
ANALYSES: Final = (8, 12, 16, 20)
CELLS: Final = 6
"""The number of candidates for the best cell."""

Values = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, int], Values]
"""(generator, cells, rounds) to values by cell and round; the first cell is the baseline."""


@dataclass(frozen=True)
class Row:
    """One row of the table: the simulation, its nominal value and its result.

    `at_least`: on which side of the nominal value the result may be.
    """

    question: str
    design: str
    nominal: float
    at_least: bool
    found: float
    trials: int

    @property
    def error(self) -> float:
        """Standard error of the simulation."""
        return math.sqrt(max(self.found * (1 - self.found), 1 / self.trials) / self.trials)


def rows(trials: int = TRIALS, seed: int = SEED) -> Iterator[Row]:
    """The whole table."""
    generator = np.random.default_rng(seed)
    for n in SIZES:
        yield median_coverage(generator, n, trials)
    for n in SIZES:
        yield paired_coverage(generator, n, trials)
    for n in SIZES:
        yield moses_coverage(generator, n, trials)
    for m in FAMILIES:
        yield family_error(generator, m, trials, level, "no drift")
        yield family_error(generator, m, trials, in_blocks, "5 % drift, randomised blocks")
        yield family_error(generator, m, trials, in_plain_order, "5 % drift, plain order (contrast)")
    for m in FAMILIES:
        yield looks_error(generator, m, trials, level, "no drift")
        yield looks_error(generator, m, trials, in_blocks, "5 % drift, randomised blocks")
    for lead in (0.0, 0.01):
        yield best_excluded(generator, trials // 2, lead)
    yield duplicate_suspect(generator, trials)
    for n in (10, 20):
        yield equivalence_error(generator, n, trials)
    for n in (6, 10):
        yield difference_coverage(generator, n, trials)
    yield looks_coverage(generator, trials)


def noise(generator: np.random.Generator, *shape: int) -> Values:
    """Log-normal values around 1."""
    return np.exp(generator.normal(0, NOISE, shape))


def level(generator: np.random.Generator, cells: int, rounds: int) -> Values:
    """Equal cells on a host that does not change."""
    return noise(generator, cells, rounds)


def in_blocks(generator: np.random.Generator, cells: int, rounds: int) -> Values:
    """Equal cells, every round in an order of its own, while the host gets faster."""
    order = np.argsort(generator.random((rounds, cells)), axis=1).T
    seq = order + cells * np.arange(rounds)
    return noise(generator, cells, rounds) * (1 + DRIFT * seq / (cells * rounds - 1))


def in_plain_order(generator: np.random.Generator, cells: int, rounds: int) -> Values:
    """Equal cells, one wholly after the other, while the host gets faster: what Plimsoll never does."""
    seq = np.arange(cells * rounds).reshape(cells, rounds)
    return noise(generator, cells, rounds) * (1 + DRIFT * seq / (cells * rounds - 1))


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found)


def _holds(bounds: Bounds | None, truth: float) -> bool:
    return bounds is not None and bounds[0] <= truth <= bounds[1]


def median_coverage(generator: np.random.Generator, n: int, trials: int) -> Row:
    """How often the order-statistic interval holds the true median; its exact confidence is nominal."""
    found = [median_interval(values.tolist()) for values in noise(generator, trials, n)]
    held = [one.low is not None and one.high is not None and one.low <= 1 <= one.high for one in found]
    return Row("median: 95 % interval holds it", f"n = {n}", median_orders(n)[2], True, _share(held), trials)


def paired_coverage(generator: np.random.Generator, n: int, trials: int) -> Row:
    """How often the paired interval holds the true ratio, with what a round's cells share."""
    shared = np.exp(generator.normal(0, DRIFT, (trials, n)))
    a, b = shared * noise(generator, trials, n), TRUE_RATIO * shared * noise(generator, trials, n)
    held = [_holds(paired_ratio(x, y).interval, TRUE_RATIO) for x, y in zip(a, b, strict=True)]
    return Row("ratio, paired: 95 % interval holds it", f"n = {n}", 0.95, True, _share(held), trials)


def moses_coverage(generator: np.random.Generator, n: int, trials: int) -> Row:
    """How often the interval of two separate samples holds the true ratio."""
    a, b = noise(generator, trials, n), TRUE_RATIO * noise(generator, trials, n)
    held = [
        _holds(unpaired_ratio(x.tolist(), y.tolist()).interval, TRUE_RATIO) for x, y in zip(a, b, strict=True)
    ]
    return Row("ratio, two runs: Moses interval holds it", f"n = {n}", 0.95, True, _share(held), trials)


def difference_coverage(generator: np.random.Generator, n: int, trials: int) -> Row:
    """How often the interval of a hop's cost holds the true difference in the metric's own unit."""
    shared = np.exp(generator.normal(0, DRIFT, (trials, n)))
    a = 50 * shared * noise(generator, trials, n)
    b = a * noise(generator, trials, n) / noise(generator, trials, n) + PRICE
    held = []
    for base, other in zip(a.tolist(), b.tolist(), strict=True):
        (found,) = family_differences([dict(enumerate(base))], [dict(enumerate(other))])
        held.append(isinstance(found, DifferenceEstimate) and _holds(found.interval, PRICE))
    return Row("difference, paired: 95 % interval holds it", f"n = {n}", 0.95, True, _share(held), trials)


def looks_coverage(generator: np.random.Generator, trials: int) -> Row:
    """How often the true ratio lies in the intervals of all interim analyses, wherever a run may stop."""
    held = []
    for _ in range(trials):
        a = noise(generator, ANALYSES[-1]).tolist()
        b = (TRUE_RATIO * noise(generator, ANALYSES[-1])).tolist()
        held.append(
            all(_holds(paired_ratio(a[:n], b[:n], len(ANALYSES)).interval, TRUE_RATIO) for n in ANALYSES)
        )
    text = f"interim analyses after {', '.join(map(str, ANALYSES))} rounds"
    return Row("ratio: intervals of all interim analyses hold it", text, 0.95, True, _share(held), trials)


def family_error(generator: np.random.Generator, m: int, trials: int, draw: Draw, design: str) -> Row:
    """How often any of m comparisons of equal cells is called different, after Holm."""
    wrong = [_any_different(draw(generator, m + 1, 10)) for _ in range(trials)]
    text = f"{m} comparisons, n = 10, {design}"
    return Row("any false difference in the family", text, ALPHA, False, _share(wrong), trials)


def _any_different(values: Values) -> bool:
    found = [paired_ratio(values[0], cell) for cell in values[1:]]
    adjusted = holm([one.p for one in found])
    return any(p <= ALPHA and excludes_one(one.interval) for p, one in zip(adjusted, found, strict=True))


def looks_error(generator: np.random.Generator, m: int, trials: int, draw: Draw, design: str) -> Row:
    """How often any of m comparisons of equal cells is called different at any interim analysis."""
    wrong = [_any_difference(draw(generator, m + 1, ANALYSES[-1])) for _ in range(trials)]
    text = f"{m} comparisons, interim analyses after {', '.join(map(str, ANALYSES))} rounds, {design}"
    return Row("any false difference at any interim analysis", text, ALPHA, False, _share(wrong), trials)


def _any_difference(values: Values) -> bool:
    for n in ANALYSES:
        baseline, *cells = values[:, :n].tolist()
        found = [paired_ratio(baseline, cell, len(ANALYSES)).p for cell in cells]
        if min(adjust(found, len(ANALYSES))) <= ALPHA:
            return True
    return False


def best_excluded(generator: np.random.Generator, trials: int, lead: float) -> Row:
    """How often the truly best of some cells is not among those that are tied for best."""
    wrong = []
    for _ in range(trials):
        values = noise(generator, CELLS, 10)
        values[-1] *= 1 + lead
        cells = _cells(values)
        (group,) = best_groups(cells, "tps", compare_all(cells, "tps", MARGIN))
        wrong.append(f"c{CELLS}" in group.out)
    text = f"{CELLS} cells, n = 10, the best leads by {lead:.0%}".replace("%", " %")
    return Row("best cell left out of its group", text, ALPHA, False, _share(wrong), trials)


def _cells(values: Values) -> dict[str, CellTrials]:
    """Cells with these values as the chart knows them; the first is the baseline of the others."""
    cells = {}
    for number, own in enumerate(values.tolist(), start=1):
        id_ = f"c{number}"
        cell = Cell(id_, id_, {}, number == 1, False, None if number == 1 else "c1", None)
        trials = tuple(
            TrialRow(f"{id_}r{n}", id_, n, "done", metrics={"tps": value}, evidence="proven")
            for n, value in enumerate(own, start=1)
        )
        cells[id_] = CellTrials(cell, trials, len(trials), run_ended=True)
    return cells


def duplicate_suspect(generator: np.random.Generator, trials: int) -> Row:
    """How often a run is called suspect although its A/A duplicate is the same cell."""
    wrong = [_any_different(in_blocks(generator, 2, 10)) for _ in range(trials)]
    return Row(
        "A/A duplicate makes the run suspect", "n = 10, 5 % drift", ALPHA, False, _share(wrong), trials
    )


def equivalence_error(generator: np.random.Generator, n: int, trials: int) -> Row:
    """How often a true difference just at the margin is called equivalent."""
    a, b = noise(generator, trials, n), (1 + MARGIN) * noise(generator, trials, n)
    wrong = [is_equivalent(paired_ratio(x, y).interval_90, MARGIN) for x, y in zip(a, b, strict=True)]
    text = f"n = {n}, true difference 5 %, margin 5 %"
    return Row("called equivalent at the margin", text, ALPHA, False, _share(wrong), trials)


def markdown(table: Sequence[Row]) -> str:
    """The table in Markdown, with the simulation's own standard error."""
    lines = [
        "| what | design | nominal | found | ± | runs |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for row in table:
        side = "≥" if row.at_least else "≤"
        lines.append(
            f"| {row.question} | {row.design} | {side} {100 * row.nominal:.1f} % | {100 * row.found:.1f} % "
            f"| {100 * row.error:.1f} | {row.trials:,} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(markdown(list(rows())))
