"""The time series of one cell."""

from __future__ import annotations

from sqlalchemy.orm import Session

from backend.core.chart.cell_series.build_series import MAX_TRIALS, build_series
from backend.core.chart.cell_series.series_models import CellSeries
from backend.store.repositories import series_rows
from backend.store.repositories.chart_inputs import read_cell


def read_series(session: Session, run_id: str, cell_id: str) -> CellSeries:
    """The recorded trials of a cell over their time, bounded in size. Raises NotFound."""
    data = read_cell(session, run_id, cell_id)
    done = sorted((row for row in data.trials if row.state == "done"), key=lambda row: row.round)
    recorded = series_rows.of_trials(session, [row.trial_id for row in done[:MAX_TRIALS]])
    return build_series(data, cell_id, recorded)
