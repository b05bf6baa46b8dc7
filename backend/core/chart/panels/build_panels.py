"""ChartInput to ResultPanels."""

from __future__ import annotations

from itertools import islice

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.layout import lay_out
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.model.rounding import rounded
from backend.core.chart.panels.latency import build_latencies
from backend.core.chart.panels.panel_models import ResultPanels
from backend.core.chart.panels.sweep import MAX_SWEEPS, build_sweeps
from backend.core.chart.panels.trade_off import build_trade_offs


def build_panels(data: ChartInput) -> ResultPanels:
    """The panels of a run as far as it has come; numbers have six significant digits.

    A/A duplicates and cells that cannot run are not there. Metrics do not depend on the experiment's.
    """
    layout = lay_out(data.plan.cells, data.plan.varied)
    cells = [
        trials
        for trials in by_cell(data).values()
        if trials.cell.infeasible is None and not trials.cell.is_duplicate
    ]
    return rounded(
        ResultPanels(
            run_id=data.run_id,
            sweeps=tuple(islice(build_sweeps(cells), MAX_SWEEPS)),
            trade_offs=tuple(build_trade_offs(cells, layout)),
            latencies=tuple(build_latencies(cells, layout)),
        )
    )
