"""CSV of a comparison of several runs: one row per cell and column of the matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.chart.compare_runs.matrix_model import ComparisonMatrix, MatrixColumn, MatrixEntry
from backend.core.chart.model.model_base import Difference, Interval
from backend.core.export.csv_text import Value, csv_text, level_columns

_BEFORE = ("metric", "unit", "better", "basis", "cell", "is_baseline", "column", "run", "title", "host")
_ENTRY = (
    *(
        "is_reference",
        "cell_id",
        "n",
        "median",
        "low",
        "high",
        "own_ratio",
        "own_ratio_low",
        "own_ratio_high",
    ),
    *(
        "compared_n",
        "ratio",
        "ratio_low",
        "ratio_high",
        "p_adjusted",
        "family",
        "judged",
        "verdict",
        "sentence",
    ),
    *("difference", "difference_low", "difference_high"),
    *("own_difference", "own_difference_low", "own_difference_high"),
    "missing",
)
NO_CELL = "not in this run"
REFUSED = "not comparable with the reference"


def matrix_csv(model: ComparisonMatrix) -> str:
    """The file of a matrix.

    `low` and `high` are the 95 % interval of the median alone; `ratio` is column ÷ reference, its interval
    and `p_adjusted` hold over the `family`. `missing` is why an entry is empty. Numbers are the matrix's own,
    six significant digits. Where there is no ratio because a value is zero, `difference` is column −
    reference in the metric's unit, and `own_difference` cell − baseline of its own run.
    """
    levels = level_columns(row.levels for row in model.rows)
    return csv_text((*_BEFORE, *levels, *_ENTRY), _rows(model, levels))


def _rows(model: ComparisonMatrix, levels: Sequence[str]) -> Iterator[tuple[Value, ...]]:
    for row in model.rows:
        own = [row.levels.get(name) for name in levels]
        for column, entry in zip(model.columns, row.entries, strict=True):
            yield (
                *(model.metric, model.unit, model.better, model.basis, row.label, row.is_baseline),
                *(column.letter, column.run_id, column.title, column.host),
                *own,
                *_entry(model, column, entry),
            )


def _entry(model: ComparisonMatrix, column: MatrixColumn, one: MatrixEntry | None) -> tuple[Value, ...]:
    if one is None:
        missing = REFUSED if column.refused else NO_CELL
        return (column.is_reference, *(None,) * (len(_ENTRY) - 2), missing)
    return (
        *(column.is_reference, one.cell_id, one.n, one.median, *_ends(one.median_interval)),
        *(one.own_ratio, *_ends(one.own_ratio_interval), one.compared_n, one.ratio, *_ends(one.interval)),
        *(one.p_adjusted, model.family, one.judged, one.verdict, one.sentence),
        *_difference(one.difference),
        *_difference(one.own_difference),
        None,
    )


def _difference(found: Difference | None) -> tuple[float | None, ...]:
    return (None, None, None) if found is None else (found.value, *_ends(found.interval))


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)
