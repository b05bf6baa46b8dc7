"""CellSeries as they were when a result was made."""

from __future__ import annotations

from backend.core.chart.cell_series.series_models import CellSeries
from backend.core.chart.model.chart_model import ChartModel


def as_of(series: CellSeries, model: ChartModel) -> CellSeries:
    """The series with the trials that count and are excluded in `model`, which may be older."""
    cell = next((cell for cell in model.cells if cell.id == series.cell_id), None)
    if cell is None:
        return series
    reasons = {
        trial.round: trial.reason for trial in model.excluded_trials if trial.cell_id == series.cell_id
    }
    trials = tuple(
        trial.model_copy(
            update={
                "used": trial.round not in cell.left_out,
                "excluded": reasons.get(trial.round, "") if trial.round in cell.excluded else None,
            }
        )
        for trial in series.trials
        if trial.round in cell.rounds
    )
    return series.model_copy(update={"trials": trials})
