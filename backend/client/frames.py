"""Rows of plain values, and pandas data frames of them where pandas is installed."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .errors import Misconfigured
from .models import (
    ChartCell,
    ChartModel,
    ComparisonMatrix,
    Difference,
    Interval,
    MatrixColumn,
    MatrixEntry,
    RunComparison,
    RunComparisonCell,
    Trial,
)

if TYPE_CHECKING:
    import pandas

Row = dict[str, Any]


def frame(rows: Sequence[Row]) -> pandas.DataFrame:
    """The rows as a data frame. Raises Misconfigured without pandas."""
    try:
        module = importlib.import_module("pandas")
    except ImportError as error:
        raise Misconfigured(
            "data frames need pandas: pip install pandas; rows() has the same as a list of dictionaries"
        ) from error
    made: pandas.DataFrame = module.DataFrame.from_records(rows)
    return made


def result_rows(model: ChartModel) -> list[Row]:
    """One row for each cell and metric; `ratio` is cell ÷ baseline, its interval simultaneous."""
    units = {axis.metric: axis.unit for axis in model.axes}
    return [row for cell in model.cells for row in _cell_rows(cell, units)]


def _cell_rows(cell: ChartCell, units: dict[str, str]) -> Iterator[Row]:
    head = _prefixed(cell.levels) | {"cell": cell.id, "label": cell.label, "state": cell.state}
    for metric, summary in cell.summaries.items():
        compared = cell.comparisons.get(metric)
        low, high = _ends(summary.interval)
        row = head | {"metric": metric, "unit": units.get(metric, ""), "n": summary.n}
        row |= {"median": summary.median, "low": low, "high": high}
        ratio_low, ratio_high = _ends(None if compared is None else compared.interval)
        row |= {
            "ratio": None if compared is None else compared.ratio,
            "ratio_low": ratio_low,
            "ratio_high": ratio_high,
            "p_adjusted": None if compared is None else compared.p_adjusted,
            "verdict": None if compared is None else compared.verdict,
        }
        row |= _difference(None if compared is None else compared.difference)
        yield row


def trial_rows(trials: Iterable[Trial], levels: dict[str, dict[str, Any]]) -> list[Row]:
    """One row for each trial, with the levels of its cell and one column for each metric."""
    return [
        _prefixed(levels.get(trial.cell_id, {}))
        | {
            "trial": trial.id,
            "cell": trial.cell_id,
            "round": trial.round,
            "state": trial.state,
            "evidence": trial.evidence_verdict,
            "in_statistics": _counts(trial),
        }
        | (trial.metrics or {})
        for trial in trials
    ]


def _counts(trial: Trial) -> bool:
    """Whether the statistics use the trial."""
    proven = trial.evidence_verdict in (None, "proven")
    clean = not trial.invalid and not trial.contaminated and trial.excluded is None
    return trial.state == "done" and proven and clean


def comparison_rows(model: RunComparison) -> list[Row]:
    """One row for each metric and cell; `ratio` is b ÷ a."""
    rows = []
    for table in model.tables:
        for each in table.rows:
            low, high = _ends(each.interval)
            row: Row = _prefixed(each.levels) | {
                "label": each.label,
                "metric": table.metric,
                "unit": table.unit,
            }
            row |= _side("a", each.a) | _side("b", each.b)
            row |= {"ratio": each.ratio, "ratio_low": low, "ratio_high": high}
            row |= {"p_adjusted": each.p_adjusted, "verdict": each.verdict}
            rows.append(row | _difference(each.difference))
    return rows


def matrix_rows(model: ComparisonMatrix) -> list[Row]:
    """One row for each cell and column that has it; `ratio` is the column ÷ the reference."""
    return [
        _prefixed(row.levels)
        | {"label": row.label, "metric": model.metric, "unit": model.unit}
        | _column(column)
        | _entry(entry)
        for row in model.rows
        for column, entry in zip(model.columns, row.entries, strict=True)
        if entry is not None
    ]


def _column(column: MatrixColumn) -> Row:
    return {"column": column.letter, "run": column.run_id, "host": column.host}


def _entry(entry: MatrixEntry) -> Row:
    low, high = _ends(entry.interval)
    row: Row = {"cell": entry.cell_id, "n": entry.n, "median": entry.median}
    row |= {"ratio": entry.ratio, "ratio_low": low, "ratio_high": high}
    row |= {"p_adjusted": entry.p_adjusted, "verdict": entry.verdict}
    return row | _difference(entry.difference)


def _difference(found: Difference | None) -> Row:
    """A difference in the metric's unit, where there is no ratio because a value is zero."""
    low, high = _ends(None if found is None else found.interval)
    value = None if found is None else found.value
    return {"difference": value, "difference_low": low, "difference_high": high}


def _side(name: str, cell: RunComparisonCell | None) -> Row:
    if cell is None:
        return {f"{name}_cell": None, f"{name}_median": None, f"{name}_n": 0}
    return {f"{name}_cell": cell.cell_id, f"{name}_median": cell.median, f"{name}_n": cell.n}


def _prefixed(levels: dict[str, Any]) -> Row:
    """The levels under the names of their factors."""
    return {f"factor.{name}": level for name, level in levels.items()}


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)
