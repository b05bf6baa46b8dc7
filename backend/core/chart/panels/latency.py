"""Latency across cells, apart for open and for closed loops: their latencies are not comparable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from backend.core.chart.cells.layout import Layout
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.axes import decimals
from backend.core.chart.panels.panel_figures import domain_of, figure, values_of
from backend.core.chart.panels.panel_models import LatencyPanel, LatencyRow, Loop

METRICS_OF: Final[Mapping[Loop, Mapping[str, str]]] = {
    "open": {
        "mean": "open_latency_avg_ms",
        "p50": "open_latency_p50_ms",
        "p90": "open_latency_p90_ms",
        "p99": "open_latency_p99_ms",
        "p99.9": "open_latency_p999_ms",
    },
    "closed": {"mean": "latency_avg_ms", "p50": "latency_p50_ms", "p99": "latency_p99_ms"},
}
"""The metrics by name and kind of loop: what the tools report."""
MAX_ROWS: Final = 200


def build_latencies(cells: Sequence[CellTrials], layout: Layout) -> Iterator[LatencyPanel]:
    """One panel for each kind of loop of which any cell has a latency."""
    for loop, metrics in METRICS_OF.items():
        rows = [row for trials in cells if (row := _row(trials, metrics, layout)).figures]
        if rows:
            kept = rows[:MAX_ROWS]
            figures = [one for row in kept for one in row.figures.values()]
            yield LatencyPanel(
                loop=loop,
                names=tuple(name for name in metrics if any(name in row.figures for row in kept)),
                domain=domain_of(figures),
                decimals=decimals(figures, max([0.0, *values_of(figures)])),
                rows=tuple(kept),
                left_out=len(rows) - len(kept),
            )


def _row(trials: CellTrials, metrics: Mapping[str, str], layout: Layout) -> LatencyRow:
    found = {name: figure(trials, metric) for name, metric in metrics.items()}
    return LatencyRow(
        cell_id=trials.cell.id,
        label=trials.cell.label,
        color=layout.color(trials.cell),
        shape=layout.color(trials.cell),
        figures={name: one for name, one in found.items() if one is not None},
    )
