"""The columns of a matrix: which cells are matched, and how each column compares with the reference."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.compare_runs.comparable import Judgement, Side, judge_comparable
from backend.core.chart.compare_runs.compared_cells import ComparedCell
from backend.core.chart.compare_runs.matching import CellRow, Match, match_rows
from backend.core.chart.compare_runs.matrix_model import DifferenceEntry, MatrixDifference
from backend.core.chart.compare_runs.run_comparison import (
    ComparedRun,
    differences_of,
    in_both,
    with_equal_operations,
)
from backend.core.chart.compare_runs.run_comparison_model import Basis, EnvironmentDifference, Relevance
from backend.core.chart.compare_runs.run_history import OtherRun
from backend.core.errors import Invalid, NotFound

FEWEST_COLUMNS: Final = 2
MOST_COLUMNS: Final = 12
LETTERS: Final = string.ascii_uppercase[:MOST_COLUMNS]
CHOSEN_CELLS: Final = "Chosen cells"
"""The label of the one row of cells that were named, where their own labels differ."""
_ORDER: Final[tuple[Relevance, ...]] = ("blocking", "relevant", "minor")


@dataclass(frozen=True)
class Column:
    """A run, or one of its cells. `others` are the further runs that the spread between this run and the
    reference's is estimated from."""

    run: ComparedRun
    cell_id: str | None = None
    others: Sequence[OtherRun] = ()

    @property
    def cell(self) -> ComparedCell | None:
        """The chosen cell. Raises NotFound."""
        if self.cell_id is None:
            return None
        found = self.run.cells.get(self.cell_id)
        if found is None:
            raise NotFound("a run has no such cell; its cells are c1, c2 … as its plan numbers them")
        return found


@dataclass(frozen=True)
class ColumnPair:
    """A column against the reference: a match for each row of the matrix, the differences, and whether it may
    be compared."""

    letter: str
    column: Column
    matches: tuple[Match, ...]
    differences: tuple[EnvironmentDifference, ...]
    judged: Judgement
    refused: bool


def check_columns(columns: Sequence[tuple[str, str | None]], reference: int) -> None:
    """Raise Invalid unless these runs and cells can be the columns of a matrix."""
    if not FEWEST_COLUMNS <= len(columns) <= MOST_COLUMNS:
        detail = f"choose {FEWEST_COLUMNS} to {MOST_COLUMNS} columns; these are {len(columns)}"
        raise Invalid.at("/run", "number_of_columns", detail)
    if len({cell is None for _, cell in columns}) > 1:
        raise Invalid.at("/cell", "cells_incomplete", "name a cell of every run, or of none")
    for index, (run_id, cell) in enumerate(columns):
        if (run_id, cell) in columns[:index]:
            first, again = LETTERS[columns.index((run_id, cell))], LETTERS[index]
            detail = (
                f"columns {first} and {again} are the same {'run' if cell is None else 'cell'}: remove one"
            )
            raise Invalid.at("/run" if cell is None else "/cell", "same_column", detail)
    if not 0 <= reference < len(columns):
        detail = f"the reference is the number of a column, 0 to {len(columns) - 1}"
        raise Invalid.at("/reference", "no_such_column", detail)


def rows_of(columns: Sequence[Column]) -> tuple[CellRow, ...]:
    """The matching cells of all columns; the chosen cells are one row, whatever they differ in."""
    cells = [column.cell for column in columns]
    chosen = tuple(cell for cell in cells if cell is not None)
    if not chosen:
        return match_rows([column.run.cells for column in columns])
    first, *others = (cell.levels for cell in chosen)
    shared = {name: level for name, level in first.items() if all(o.get(name) == level for o in others)}
    labels = {cell.cell.label for cell in chosen}
    return (CellRow(labels.pop() if len(labels) == 1 else CHOSEN_CELLS, shared, chosen),)


def pair_of(
    columns: Sequence[Column],
    index: int,
    reference: int,
    rows: Sequence[CellRow],
    basis: Basis,
    metric: str | None,
    override: bool,
) -> ColumnPair:
    """The column at `index` against the reference."""
    ours, theirs = columns[reference], columns[index]
    names = LETTERS[reference], LETTERS[index]
    matches = tuple(Match(row.label, row.levels, row.cells[reference], row.cells[index]) for row in rows)
    chosen = None if theirs.cell_id is None else matches[0]
    differences = tuple(differences_of(ours.run, theirs.run, chosen, basis, names))
    metrics, operations = with_equal_operations([metric] if metric else [], chosen, basis, names)
    judged = judge_comparable(
        Side(names[0], ours.run.cells),
        Side(names[1], theirs.run.cells),
        basis,
        matches,
        chosen is not None,
        [one for one in metrics if in_both(one, matches)],
        operations,
        differences,
    )
    refused = judged.comparable == "not" and not (override and judged.overridable)
    return ColumnPair(names[1], theirs, matches, differences, judged, refused)


def matrix_differences(pairs: Sequence[ColumnPair], reference: int) -> Iterator[MatrixDifference]:
    """Every key in which some column differs from the reference, the most relevant ones first."""
    by_key: dict[str, dict[int, EnvironmentDifference]] = {}
    for index, pair in enumerate(pairs):
        for one in pair.differences:
            by_key.setdefault(one.key, {})[index] = one
    rows = [_difference(key, found, len(pairs), reference) for key, found in by_key.items()]
    yield from sorted(rows, key=lambda row: _ORDER.index(row.relevance))


def _difference(
    key: str, found: dict[int, EnvironmentDifference], pairs: int, reference: int
) -> MatrixDifference:
    own = next(iter(found.values())).a
    same = DifferenceEntry(value=own, relevance=None, remark=None)
    entries = [
        DifferenceEntry(value=found[i].b, relevance=found[i].relevance, remark=found[i].remark)
        if i in found
        else same
        for i in range(pairs)
    ]
    entries.insert(reference, same)
    relevance = min((one.relevance for one in found.values()), key=_ORDER.index)
    return MatrixDifference(key=key, relevance=relevance, entries=tuple(entries))
