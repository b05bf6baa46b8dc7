"""Rate against CPU cost: which cells give the most for what they take."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.cells.layout import Layout
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.panels.panel_figures import axis_of, figure
from backend.core.chart.panels.panel_models import PanelFigure, TradeOff, TradeOffPoint
from backend.core.chart.panels.sweep import rate_of

COST: Final = "cpu_us_per_txn"
MAX_POINTS: Final = 300


@dataclass(frozen=True)
class _Cell:
    trials: CellTrials
    cost: PanelFigure
    rate: PanelFigure


def build_trade_offs(cells: Sequence[CellTrials], layout: Layout) -> Iterator[TradeOff]:
    """One for each rate that two cells or more have together with a CPU cost."""
    by_rate: defaultdict[str, list[_Cell]] = defaultdict(list)
    for trials in cells:
        cost, rate = figure(trials, COST), figure(trials, rate_of(trials))
        if cost is not None and rate is not None:
            by_rate[rate_of(trials)].append(_Cell(trials, cost, rate))
    for metric, found in by_rate.items():
        if len(found) > 1:
            yield _trade_off(metric, found, layout)


def _trade_off(metric: str, found: Sequence[_Cell], layout: Layout) -> TradeOff:
    frontier = frontier_of([(one.cost.median, one.rate.median) for one in found])
    order = [*frontier, *(at for at in range(len(found)) if at not in set(frontier))][:MAX_POINTS]
    kept = [found[at] for at in sorted(order)]
    on_frontier = {found[at].trials.cell.id for at in frontier}
    return TradeOff(
        cost_axis=axis_of(COST, [one.cost for one in kept]),
        rate_axis=axis_of(metric, [one.rate for one in kept]),
        points=tuple(
            TradeOffPoint(
                cell_id=one.trials.cell.id,
                label=one.trials.cell.label,
                color=layout.color(one.trials.cell),
                shape=layout.color(one.trials.cell),
                cost=one.cost,
                rate=one.rate,
                dominated=one.trials.cell.id not in on_frontier,
            )
            for one in kept
        ),
        frontier=tuple(found[at].trials.cell.id for at in frontier[:MAX_POINTS]),
        left_out=len(found) - len(kept),
    )


def frontier_of(points: Sequence[tuple[float, float]]) -> list[int]:
    """The indices of the (cost, rate) that no other point dominates, ascending in cost.

    A point dominates another with at most its cost and at least its rate, one of them better; so equal points
    are on the frontier together.
    """
    ordered = sorted(range(len(points)), key=lambda at: (points[at][0], -points[at][1]))
    frontier: list[int] = []
    for at in ordered:
        if not frontier or points[at][1] > points[frontier[-1]][1] or points[at] == points[frontier[-1]]:
            frontier.append(at)
    return frontier
