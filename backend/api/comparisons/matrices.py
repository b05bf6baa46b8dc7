"""Comparisons of several stored runs in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.api.compared_runs import compared_runs
from backend.api.comparisons.kept import RunVersion
from backend.api.comparisons.service import (
    Earlier,
    OtherVersions,
    earlier,
    kept_of,
    others_of,
    versions_of,
)
from backend.core.chart.compare_runs.matrix import MatrixQuery, compare_columns
from backend.core.chart.compare_runs.matrix_columns import Column, check_columns
from backend.core.chart.compare_runs.matrix_model import ComparisonMatrix
from backend.core.errors import Invalid
from backend.settings import Settings
from backend.store.repositories import result_rows
from backend.store.repositories.derived import RunDocument
from backend.store.session import session_scope

Chosen = tuple[tuple[str, str | None], ...]
"""The id of the run and of the cell (None: all its cells) of each column."""


@dataclass(frozen=True)
class _Key:
    """Everything that a matrix depends on; `others` are those of each column."""

    columns: Chosen
    query: MatrixQuery
    versions: tuple[RunVersion, ...]
    others: tuple[OtherVersions, ...]


@dataclass(frozen=True)
class NeededMatrix:
    """A matrix that has to be computed. `others` are the further runs for each column."""

    settings: Settings
    key: _Key
    others: Sequence[Sequence[RunDocument]]

    def compute(self) -> bytes:
        """The matrix as JSON, kept in memory where all runs have ended. Raises as `matrix` does."""
        body = self.matrix().model_dump_json().encode()
        if all(ended for _event, ended, _trials, _exclusion in self.key.versions):
            kept_of(self.settings).put(self.key, body)
        return body

    def matrix(self) -> ComparisonMatrix:
        """The matrix. Raises Invalid for a choice that has none, NotFound for a run or cell."""
        ids = [run_id for run_id, _ in self.key.columns]
        ended = {run_id: version[1] for run_id, version in zip(ids, self.key.versions, strict=True)}
        with session_scope(self.settings) as session:
            runs = compared_runs(session, ended, self.key.query.metric)
        centres: dict[str, Earlier] = {}
        columns = [
            Column(runs[run_id], cell, [self._earlier(centres, one) for one in others])
            for (run_id, cell), others in zip(self.key.columns, self.others, strict=True)
        ]
        return compare_columns(columns, self.key.query)

    def _earlier(self, known: dict[str, Earlier], one: RunDocument) -> Earlier:
        """Its centres, read once where several columns need them."""
        if one.run_id not in known:
            known[one.run_id] = earlier(self.settings, one)
        return known[one.run_id]


def chosen_columns(runs: Sequence[str], cells: Sequence[str]) -> Chosen:
    """The columns of a query. Raises Invalid unless there are as many cells as runs, or none."""
    if cells and len(cells) != len(runs):
        detail = f"name one cell for each run, in the same order: {len(runs)} runs, {len(cells)} cells"
        raise Invalid.at("/cell", "cells_incomplete", detail)
    return tuple((run, cells[index] if cells else None) for index, run in enumerate(runs))


def find(settings: Settings, columns: Chosen, query: MatrixQuery) -> bytes | NeededMatrix:
    """The matrix as JSON if it is kept, else what has to be computed. Raises Invalid and NotFound."""
    needed = need(settings, columns, query)
    return kept_of(settings).find(needed.key) or needed


def need(settings: Settings, columns: Chosen, query: MatrixQuery) -> NeededMatrix:
    """What a matrix is computed from. Raises Invalid and NotFound."""
    check_columns(columns, query.reference)
    reference = columns[query.reference][0]
    with session_scope(settings) as session:
        versions = tuple(result_rows.version(session, run_id) for run_id, _ in columns)
        others = [others_of(session, reference, run_id) for run_id, _ in columns]
    key = _Key(columns, query, versions, tuple(map(versions_of, others)))
    return NeededMatrix(settings, key, others)


def read(settings: Settings, columns: Chosen, query: MatrixQuery) -> ComparisonMatrix:
    """The matrix, the kept one where there is one. Raises Invalid and NotFound."""
    found = find(settings, columns, query)
    return ComparisonMatrix.model_validate_json(found if isinstance(found, bytes) else found.compute())
