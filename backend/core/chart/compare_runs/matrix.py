"""Several runs, or several cells, side by side: each column against one reference column.

A column is compared with the reference exactly as `run_comparison` compares two runs: cells of two runs are
two samples widened by the spread between runs, cells of one run are paired by round. What differs is the
family, which is all ratios of the matrix.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from backend.core.chart.cells.corrected_estimate import CorrectedEstimate
from backend.core.chart.compare_runs.matching import CellRow
from backend.core.chart.compare_runs.matrix_columns import (
    LETTERS,
    Column,
    ColumnPair,
    check_columns,
    matrix_differences,
    pair_of,
    rows_of,
)
from backend.core.chart.compare_runs.matrix_entries import (
    ColumnTable,
    RatioKey,
    compared_entry,
    own_entry,
    ratios_of_family,
    table_of,
)
from backend.core.chart.compare_runs.matrix_model import (
    ComparisonMatrix,
    MatrixColumn,
    MatrixEntry,
    MatrixMetric,
    MatrixRow,
)
from backend.core.chart.compare_runs.matrix_warnings import matrix_warnings
from backend.core.chart.compare_runs.own_ratios import OwnRatios, own_ratios
from backend.core.chart.compare_runs.run_comparison import checked_metric
from backend.core.chart.compare_runs.run_comparison_model import Basis
from backend.core.chart.compare_runs.run_comparison_rows import yields
from backend.core.chart.model.axes import decimals
from backend.core.chart.model.model_base import Interval
from backend.core.chart.model.rounding import rounded
from backend.core.definition.metrics import METRICS, Metric
from backend.core.errors import Invalid

MOST_ENTRIES: Final = 3_000


@dataclass(frozen=True)
class MatrixQuery:
    """The index of the reference column, the basis (None: values on one host, else ratios) and the metric.

    `override` shows columns that are not comparable, with a warning.
    """

    reference: int = 0
    basis: Basis | None = None
    override: bool = False
    metric: str | None = None


def compare_columns(columns: Sequence[Column], query: MatrixQuery = MatrixQuery()) -> ComparisonMatrix:
    """The columns against the reference, in one metric. Raises Invalid, and NotFound for a cell."""
    check_columns([(one.run.figures.run_id, one.cell_id) for one in columns], query.reference)
    rows = rows_of(columns)
    if len(rows) * len(columns) > MOST_ENTRIES:
        detail = (
            f"{len(rows)} cells in {len(columns)} runs are more than {MOST_ENTRIES:,} entries: "
            "choose fewer runs, or single cells"
        )
        raise Invalid.at("/run", "too_many_entries", detail)
    basis: Basis = query.basis or ("values" if len({one.run.host for one in columns}) == 1 else "ratios")
    metrics = _metrics(columns, rows, query)
    metric = next(iter(metrics), None)
    pairs = [
        pair_of(columns, index, query.reference, rows, basis, metric, query.override)
        for index in range(len(columns))
        if index != query.reference
    ]
    return rounded(_Matrix(columns, query, basis, rows, pairs, metric).model(_offered(columns, rows, metric)))


def _metrics(columns: Sequence[Column], rows: Sequence[CellRow], query: MatrixQuery) -> list[str]:
    """The metric of the query, or those of the experiments that can be compared."""
    if query.metric is not None:
        return [checked_metric(query.metric)]
    return _in_common(columns, rows, query.reference)


def _in_common(columns: Sequence[Column], rows: Sequence[CellRow], reference: int) -> list[str]:
    """The reference's metrics that it and another column have values of."""

    def has(index: int, metric: str) -> bool:
        return any(cell.values(metric) for row in rows if (cell := row.cells[index]) is not None)

    others = [index for index in range(len(columns)) if index != reference]
    return [
        metric
        for metric in columns[reference].run.figures.metrics
        if has(reference, metric) and any(has(index, metric) for index in others)
    ]


def _offered(
    columns: Sequence[Column], rows: Sequence[CellRow], chosen: str | None
) -> tuple[MatrixMetric, ...]:
    """The metrics to choose from: those that any two columns share, and the chosen one."""
    names = dict.fromkeys(m for index in range(len(columns)) for m in _in_common(columns, rows, index))
    if chosen is not None and chosen not in names:
        names[chosen] = None
    return tuple(MatrixMetric(metric=name, label=METRICS[name].label) for name in names)


@dataclass(frozen=True)
class _Matrix:
    columns: Sequence[Column]
    query: MatrixQuery
    basis: Basis
    rows: Sequence[CellRow]
    pairs: Sequence[ColumnPair]
    metric: str | None

    @property
    def reference(self) -> Column:
        return self.columns[self.query.reference]

    def model(self, metrics: tuple[MatrixMetric, ...]) -> ComparisonMatrix:
        tables = self._tables()
        ratios, family, methods = ratios_of_family(list(tables.values()))
        rows = tuple(self._rows(tables, ratios)) if tables else ()
        shown = METRICS.get(self.metric or "")
        return ComparisonMatrix(
            columns=tuple(self._column(index, tables) for index in range(len(self.columns))),
            reference=self.query.reference,
            basis=self.basis,
            margin=self.reference.run.figures.margin,
            overridden=any(p.judged.comparable == "not" and not p.refused for p in self.pairs),
            refused=not tables,
            differences=tuple(matrix_differences(self.pairs, self.query.reference)),
            metrics=metrics,
            metric=self.metric,
            label=shown.label if shown else "",
            unit=shown.unit if shown else "",
            better=shown.better if shown else "higher",
            decimals=_decimals(rows),
            family=family,
            methods=methods if tables else (),
            rows=rows,
            warnings=tuple(matrix_warnings(self.columns, self.pairs, self.basis, not tables)),
        )

    def _tables(self) -> dict[str, ColumnTable]:
        """The columns that may be compared, by letter."""
        letter = LETTERS[self.query.reference]
        return {
            pair.letter: table_of(pair, self.reference, letter, self.basis, self.metric)
            for pair in self.pairs
            if self.metric is not None and not pair.refused
        }

    def _rows(
        self, tables: Mapping[str, ColumnTable], ratios: Mapping[RatioKey, CorrectedEstimate]
    ) -> Iterator[MatrixRow]:
        metric = METRICS[self.metric or ""]
        for place, row in enumerate(self.rows):
            cells = [cell for cell in row.cells if cell is not None]
            is_baseline = all(cell.cell.is_baseline for cell in cells)
            if not yields(cells, metric) or (is_baseline and self.basis == "ratios"):
                continue
            entries = tuple(
                self._entry(
                    row, index, metric, tables.get(LETTERS[index]), ratios.get((LETTERS[index], place))
                )
                for index in range(len(self.columns))
            )
            yield MatrixRow(label=row.label, levels=row.levels, is_baseline=is_baseline, entries=entries)

    def _entry(
        self,
        row: CellRow,
        index: int,
        metric: Metric,
        one: ColumnTable | None,
        ratio: CorrectedEstimate | None,
    ) -> MatrixEntry | None:
        cell, reference = row.cells[index], self.query.reference
        if cell is None or (one is None and index != reference):
            return None
        if one is None:
            return own_entry(cell, metric, self._own_of_reference)
        return compared_entry(cell, one, row.cells[reference] is not None, ratio)

    @cached_property
    def _own_of_reference(self) -> OwnRatios:
        return own_ratios(self.reference.run.figures, self.metric or "")

    def _column(self, index: int, tables: Mapping[str, ColumnTable]) -> MatrixColumn:
        column, letter = self.columns[index], LETTERS[index]
        figures, cell = column.run.figures, column.cell
        pair = next((one for one in self.pairs if one.letter == letter), None)
        table = tables.get(letter)
        spread = None if table is None else table.spread
        return MatrixColumn(
            run_id=figures.run_id,
            name=figures.name,
            title=figures.title,
            host=column.run.host,
            started_at=column.run.started_at,
            origin=figures.origin,
            rounds=figures.rounds,
            letter=letter,
            state=figures.state,
            cell_id=column.cell_id,
            cell_label=None if cell is None else cell.cell.label,
            is_reference=pair is None,
            comparable="comparable" if pair is None else pair.judged.comparable,
            reasons=() if pair is None else pair.judged.reasons,
            overridable=pair is not None and pair.judged.overridable,
            refused=pair is not None and pair.refused,
            run_spread=None if spread is None else spread.shown,
        )


@dataclass(frozen=True)
class _Median:
    """The interval of a median."""

    interval: Interval | None


def _decimals(rows: Sequence[MatrixRow]) -> int:
    entries = [entry for row in rows for entry in row.entries if entry is not None]
    shown = [_Median(entry.median_interval) for entry in entries]
    return decimals(shown, max((e.median for e in entries if e.median is not None), default=0.0))
