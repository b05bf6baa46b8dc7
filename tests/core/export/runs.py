"""Made-up runs for the exports: one with every kind of trial, and texts that some format would interpret."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.plan.model import Cell
from tests.core.chart.runs import failed, is_cell, made_up, study_experiment

HOSTILE = "=<script>alert(1)</script> & \"x\" 'y' | 代价 ](z)"


def spoiled(row: TrialRow, cell: Cell) -> TrialRow:
    """One failed trial, one whose path is not proven, and rates with ties."""
    if is_cell(cell, "sibling_container", True) and row.round == 3:
        return failed(row, detail=HOSTILE)
    if is_cell(cell, "sibling_container", False) and row.round == 4:
        return replace(row, evidence="not_proven")
    if row.metrics is None:
        return row
    return replace(row, metrics=dict(row.metrics) | {"tps": float(round(row.metrics["tps"], -2))})


def hostile_run(state: str = "done", **changes: Any) -> ChartInput:
    """The study's shape with all of that."""
    data = made_up(study_experiment(title=HOSTILE, **changes), change=spoiled, state=state)
    return replace(
        data, environment={"host": "bench-a", "kernel": "6.1", "pgbench": "pgbench 15.20", "note": HOSTILE}
    )
