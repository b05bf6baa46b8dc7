"""Comparison of two stored runs."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy.orm import Session

from backend.api.schema import rfc3339
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.compare_runs.run_comparison import ComparedRun, RunComparisonQuery, compare_runs
from backend.core.chart.compare_runs.run_comparison_model import RunComparison
from backend.settings import Settings
from backend.store.repositories.chart_inputs import read_chart_input, read_figures
from backend.store.repositories.other_runs import other_runs
from backend.store.repositories.run_view import read_views
from backend.store.session import session_scope


def compare(settings: Settings, a: str, b: str, query: RunComparisonQuery) -> RunComparison:
    """Compare run `b` with run `a`. Raises NotFound for a run or cell, Invalid for a metric."""
    with session_scope(settings) as session:
        first = _read(session, a)
        second = first if a == b else _read(session, b)
        others = [] if a == b else [_read(session, id_, read_figures) for id_ in other_runs(session, (a, b))]
    return compare_runs(first, second, query, others)


def _read(
    session: Session, run_id: str, read: Callable[[Session, str], ChartInput] = read_chart_input
) -> ComparedRun:
    data = read(session, run_id)
    (view,) = read_views(session, [run_id])
    started_at = None if view.started_at is None else rfc3339(view.started_at)
    return ComparedRun(data, host=view.host, started_at=started_at)
