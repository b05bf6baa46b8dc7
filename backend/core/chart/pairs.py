"""Which cells are compared, and the ratio of two of them over the rounds that have both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from backend.core.chart.trials import CellTrials
from backend.core.definition.metrics import METRICS
from backend.core.statistics.paired import RatioEstimate, Undefined, paired_ratio

Cells = Mapping[str, CellTrials]

NOT_COMPARABLE: Final = {
    "contradicted": "the path is contradicted",
    "not_proven": "the path is not proven",
    "failed": "no trial succeeded",
    "cancelled": "cancelled before it was measured",
    "waiting": "not measured yet",
}


def compared(cells: Iterable[CellTrials], metric: str) -> list[CellTrials]:
    """The cells that have a comparison of this metric: feasible, with a baseline, by a tool with it."""
    tools = METRICS[metric].tools
    return [
        c
        for c in cells
        if c.cell.baseline_id is not None
        and c.cell.infeasible is None
        and c.cell.levels.get("tool", tools[0]) in tools
    ]


def pair(cell: CellTrials, cells: Cells, metric: str, looks: int = 1) -> RatioEstimate:
    """The ratio of a cell to its baseline over the rounds that have both; raises Undefined with the reason.

    Its intervals hold over as many looks as are given.
    """
    baseline = cells[cell.cell.baseline_id or cell.cell.id]
    for trials, who in ((baseline, "the baseline: "), (cell, "")):
        if not trials.used:
            raise Undefined(who + NOT_COMPARABLE.get(trials.state, "no trial counts"))
    own, other = cell.values(metric), baseline.values(metric)
    rounds = sorted(own.keys() & other.keys())
    return paired_ratio([other[r] for r in rounds], [own[r] for r in rounds], looks)
