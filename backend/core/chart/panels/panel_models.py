"""Parts of ResultPanels: figures of cells over numeric factors, against each other, and by percentile."""

from __future__ import annotations

from typing import Literal

from backend.core.chart.model.cell_models import Axis
from backend.core.chart.model.model_base import Interval, Part

Loop = Literal["open", "closed"]


class PanelFigure(Part):
    """The median over `n` trials that count, and its 95 % interval; null where n allows none."""

    n: int
    median: float
    interval: Interval | None


class SweepLevel(Part):
    """A level of the swept factor; `label` is set where it is no quantity, such as "unlimited rate"."""

    level: int
    label: str


class SweepSeries(Part):
    """The cells that differ in the swept factor alone, by level; null where the plan has no such cell.

    `figures` are by metric and level; null where the cell has no figure. `color` and `shape` index the
    page's palettes.
    """

    label: str
    color: int
    shape: int
    cells: tuple[str | None, ...]
    figures: dict[str, tuple[PanelFigure | None, ...]]


class Sweep(Part):
    """Cells over the levels of one numeric factor, for tools with the same rate.

    Levels are ascending, those that are no quantity last. The first of `axes` is the rate. `left_out` series
    are not there.
    """

    factor: str
    label: str
    levels: tuple[SweepLevel, ...]
    axes: tuple[Axis, ...]
    series: tuple[SweepSeries, ...]
    left_out: int


class TradeOffPoint(Part):
    """One cell's CPU cost and rate; `dominated`: another cell has at most its cost and at least its rate.

    Both are compared by medians: where the intervals of two cells overlap, this run does not show which
    of them dominates.
    """

    cell_id: str
    label: str
    color: int
    shape: int
    cost: PanelFigure
    rate: PanelFigure
    dominated: bool


class TradeOff(Part):
    """Rate against CPU cost for tools with the same rate; `frontier` names the cells that none dominates.

    The frontier ascends in cost. `left_out` dominated cells are not there.
    """

    cost_axis: Axis
    rate_axis: Axis
    points: tuple[TradeOffPoint, ...]
    frontier: tuple[str, ...]
    left_out: int


class LatencyRow(Part):
    """One cell's latencies in ms by name ("mean", "p50", "p99.9"); one without figures is not there."""

    cell_id: str
    label: str
    color: int
    shape: int
    figures: dict[str, PanelFigure]


class LatencyPanel(Part):
    """Latency across the cells of one kind of loop; `names` ascend, and `left_out` rows are not there.

    Open loop: measured from the scheduled start of each transaction. Closed loop: from its actual start, so
    that a slow answer delays the next request and hides the waiting of those that were not sent
    (coordinated omission).
    """

    loop: Loop
    names: tuple[str, ...]
    domain: tuple[float, float]
    decimals: int
    rows: tuple[LatencyRow, ...]
    left_out: int


class ResultPanels(Part):
    """The panels of a run's result, bounded in size however many cells the run has."""

    run_id: str
    sweeps: tuple[Sweep, ...]
    trade_offs: tuple[TradeOff, ...]
    latencies: tuple[LatencyPanel, ...]
