"""The centres of a run's cells: all that a comparison of two other runs needs of it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from pydantic import TypeAdapter

from backend.core.chart.compare_runs.compared_cells import ComparedCell, ComparedCells, Levels
from backend.core.chart.compare_runs.matching import levels_of
from backend.core.chart.compare_runs.run_comparison_model import Basis
from backend.core.messages.message import message
from backend.core.statistics.paired import Undefined

Values = Mapping[int, float]
"""Values of one cell by round."""


@dataclass(frozen=True)
class CellCentres:
    """A cell's complete levels, and its medians above 0 by metric: of its values, and of their ratios to the
    baseline of its run in the same round.

    `amounts` and `differences` are for metrics that can be zero: the medians of the values whatever their
    sign, and of their differences to the baseline in the same round.
    """

    levels: Levels
    values: dict[str, float]
    ratios: dict[str, float]
    amounts: dict[str, float] = field(default_factory=dict)
    differences: dict[str, float] = field(default_factory=dict)

    def centre(self, metric: str, basis: Basis) -> float | None:
        """The logarithm of a median; None where there is none."""
        found = (self.values if basis == "values" else self.ratios).get(metric)
        return None if found is None else math.log(found)

    def amount(self, metric: str, basis: Basis) -> float | None:
        """The median in the metric's unit, of values or differences to the baseline; None without one."""
        return (self.amounts if basis == "values" else self.differences).get(metric)


RunCentres = dict[str, CellCentres]
"""The cells of one run by id, without A/A duplicates."""
_CENTRES: Final[TypeAdapter[RunCentres]] = TypeAdapter(RunCentres)


def centres_of(cells: ComparedCells) -> RunCentres:
    """The centres of a run in every metric that it has."""
    return {
        id_: CellCentres(
            levels,
            dict(_medians(cells[id_], cells, "values")),
            dict(_medians(cells[id_], cells, "ratios")),
            dict(_amounts(cells[id_], cells, values_of, "values")),
            dict(_amounts(cells[id_], cells, differences_to_baseline, "ratios")),
        )
        for id_, levels in levels_of(cells).items()
    }


def to_json(centres: RunCentres) -> bytes:
    """The centres as JSON."""
    return _CENTRES.dump_json(centres)


def from_json(text: bytes) -> RunCentres:
    """The centres of what `to_json` returned in the same version."""
    return _CENTRES.validate_json(text)


def values_of(metric: str, basis: Basis, cell: ComparedCell, cells: ComparedCells, side: str) -> Values:
    """The values to compare, by round: the metric itself, or its ratio to the run's own baseline.

    Raises Undefined with a reason that names the `side`.
    """
    found = _own_values(cell, metric, side)
    if basis == "values":
        return found
    if cell.cell.baseline_id is None:
        raise _undefined(side, message("baselineToItself"))
    base = _own_values(cells[cell.cell.baseline_id], metric, message("sideItsBaseline", side=side))
    rounds = sorted(found.keys() & base.keys())
    if not rounds:
        raise _undefined(side, message("noRoundWithBaseline"))
    if any(base[r] == 0 for r in rounds):
        raise _undefined(side, message("baselineValueZero"))
    return {r: found[r] / base[r] for r in rounds}


def differences_to_baseline(
    metric: str, _basis: Basis, cell: ComparedCell, cells: ComparedCells, side: str
) -> Values:
    """The metric minus that of the run's own baseline, by round; raises Undefined as `values_of`."""
    if cell.cell.baseline_id is None:
        raise _undefined(side, message("baselineToItself"))
    own = _own_values(cell, metric, side)
    base = _own_values(cells[cell.cell.baseline_id], metric, message("sideItsBaseline", side=side))
    rounds = sorted(own.keys() & base.keys())
    if not rounds:
        raise _undefined(side, message("noRoundWithBaseline"))
    return {r: own[r] - base[r] for r in rounds}


def _amounts(
    cell: ComparedCell, cells: ComparedCells, own: Callable[..., Values], basis: Basis
) -> Iterator[tuple[str, float]]:
    for metric in cell.by_metric:
        try:
            yield metric, statistics.median(own(metric, basis, cell, cells, "").values())
        except Undefined:
            continue


def _undefined(side: str, reason: str) -> Undefined:
    return Undefined(message("sideReason", side=side, reason=reason))


def _medians(cell: ComparedCell, cells: ComparedCells, basis: Basis) -> Iterator[tuple[str, float]]:
    for metric in cell.by_metric:
        try:
            centre = statistics.median(values_of(metric, basis, cell, cells, "").values())
        except Undefined:
            continue
        if math.isfinite(centre) and centre > 0:
            yield metric, centre


def _own_values(cell: ComparedCell, metric: str, side: str) -> Values:
    """The values that count, at least one; raises Undefined where there is none."""
    if cell.missing is not None:
        raise _undefined(side, cell.missing)
    if metric in cell.not_judged:
        raise _undefined(side, cell.not_judged[metric])
    values = cell.values(metric)
    if not values:
        raise _undefined(side, message("noTrialYieldedMetric", metric=metric))
    return values
