"""Rate and CPU over each numeric factor: cells that differ in that factor alone make a series."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.cell_models import Axis
from backend.core.chart.panels.panel_figures import axis_of, figure
from backend.core.chart.panels.panel_models import PanelFigure, Sweep, SweepLevel, SweepSeries
from backend.core.definition.factors import FACTORS, Level
from backend.core.definition.metrics import RATES
from backend.core.plan.labels import cell_label, factor_label, level_label

CPU: Final = ("cpu_us_per_txn", "cpu_cores", "proxy_cpu_cores")
"""The metrics below the rate, where trials report them."""
MAX_SWEEPS: Final = 8
MAX_SERIES: Final = 42
COLORS: Final = 7
"""Colours of the page's palette; series beyond them have another shape."""

_Others = tuple[tuple[str, Level], ...]


def build_sweeps(cells: Sequence[CellTrials]) -> Iterator[Sweep]:
    """One sweep for each numeric factor with several levels and each rate.

    `cells` are feasible and no duplicates.
    """
    for factor in FACTORS:
        if _is_numeric(factor):
            by_rate: defaultdict[str, list[CellTrials]] = defaultdict(list)
            for trials in cells:
                if factor in trials.cell.levels:
                    by_rate[rate_of(trials)].append(trials)
            for rate, found in by_rate.items():
                if len({_level(trials, factor) for trials in found}) > 1:
                    yield _sweep(factor, rate, found)


def rate_of(trials: CellTrials) -> str:
    """The metric of the rate that the cell's tool reports."""
    return RATES[str(trials.cell.levels["tool"])]


def _is_numeric(factor: str) -> bool:
    row = FACTORS[factor]
    return row.maximum > 0 and not row.choices and not row.pattern


def _level(trials: CellTrials, factor: str) -> int:
    return int(trials.cell.levels[factor])


def _sweep(factor: str, rate: str, found: Sequence[CellTrials]) -> Sweep:
    levels = sorted(
        {_level(trials, factor) for trials in found}, key=lambda level: (_word(factor, level), level)
    )
    groups: defaultdict[_Others, dict[int, CellTrials]] = defaultdict(dict)
    for trials in found:
        others = tuple((name, level) for name, level in trials.cell.levels.items() if name != factor)
        groups[others][_level(trials, factor)] = trials
    several = {others: group for others, group in groups.items() if len(group) > 1}
    kept = dict(list(several.items())[:MAX_SERIES])
    varied = [name for name in FACTORS if len({dict(others).get(name) for others in groups}) > 1]
    series = [
        _series(
            cell_label(dict(others), varied) if varied else factor_label(rate),
            at,
            [group.get(each) for each in levels],
            rate,
        )
        for at, (others, group) in enumerate(kept.items())
    ]
    return Sweep(
        factor=factor,
        label=factor_label(factor),
        levels=tuple(SweepLevel(level=level, label=_word(factor, level)) for level in levels),
        axes=tuple(_axes((rate, *CPU), series)),
        series=tuple(series),
        left_out=len(several) - len(kept),
    )


def _word(factor: str, level: int) -> str:
    """The label of a level that is no quantity, such as an unlimited rate; else empty."""
    label = level_label(factor, level)
    return label if level == 0 and str(level) not in label else ""


def _series(label: str, at: int, cells: Sequence[CellTrials | None], rate: str) -> SweepSeries:
    figures: Mapping[str, tuple[PanelFigure | None, ...]] = {
        metric: tuple(None if trials is None else figure(trials, metric) for trials in cells)
        for metric in (rate, *CPU)
    }
    return SweepSeries(
        label=label,
        color=at % COLORS,
        shape=at // COLORS,
        cells=tuple(None if trials is None else trials.cell.id for trials in cells),
        figures={metric: own for metric, own in figures.items() if any(own) or metric == rate},
    )


def _axes(metrics: Sequence[str], series: Sequence[SweepSeries]) -> Iterator[Axis]:
    for metric in metrics:
        found = [one for each in series for one in each.figures.get(metric, ()) if one is not None]
        if found or metric == metrics[0]:
            yield axis_of(metric, found)
