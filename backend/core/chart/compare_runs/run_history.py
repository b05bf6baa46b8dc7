"""The spread between runs of a host, estimated from its other runs of the same cells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from backend.core.chart.compare_runs.compared_cells import ComparedCells, Levels
from backend.core.chart.compare_runs.matching import levels_of, same_cells
from backend.core.chart.compare_runs.run_centres import CellCentres, RunCentres, centres_of
from backend.core.chart.compare_runs.run_comparison_model import Basis, SpreadBetweenRuns
from backend.core.messages.message import message
from backend.core.statistics.between_runs import (
    FEWEST_RUNS,
    LARGEST_LOG,
    RunSpread,
    of_difference,
    run_spread,
)


@dataclass(frozen=True)
class RunToRunSpread:
    """The spread between runs, for the statistics and as it is shown.

    `difference` is (variance, degrees of freedom) of the difference of two single runs; None where it is not
    known.
    """

    difference: tuple[float, float] | None
    shown: SpreadBetweenRuns


def history_of(run: RunCentres, others: Sequence[RunCentres]) -> tuple[RunCentres, ...]:
    """The runs from which a host's spread is estimated: the others, and with a single other one this run too.

    With two and more others neither of the compared runs is used, so that a real difference between them
    does not widen the intervals.
    """
    return tuple(others) if len(others) >= FEWEST_RUNS or not others else (run, *others)


class OtherRun(Protocol):
    """A further run, from which the spread between runs is estimated."""

    @property
    def host(self) -> str:
        """The name of its host."""

    @property
    def centres(self) -> RunCentres:
        """The centres of its cells."""


@dataclass(frozen=True)
class Compared:
    """One of two compared runs, with the centres of other runs on its host."""

    cells: ComparedCells
    others: tuple[RunCentres, ...] = ()

    @cached_property
    def history(self) -> tuple[tuple[RunCentres, dict[str, str]], ...]:
        """The runs of the host with the ids of their cells by those of this run."""
        if not self.others:
            return ()
        levels = levels_of(self.cells)
        own = centres_of(self.cells) if len(self.others) < FEWEST_RUNS else {}
        same = _SameCells(levels)
        found = ((run, same.of(run)) for run in history_of(own, self.others))
        imported = any(not cell.proof_needed for cell in self.cells.values())
        return tuple(_without_copies(found) if imported else found)

    def spread(self, metric: str, basis: Basis) -> RunSpread | None:
        """The spread between the host's runs in a metric."""
        return run_spread(list(_centres(self.history, metric, basis)))

    def spread_of_cell(self, cell_id: str, metric: str, basis: Basis) -> RunSpread | None:
        """The spread of one cell between the host's runs, in the metric's unit."""
        medians = (run[ids[cell_id]].amount(metric, basis) for run, ids in self.history if cell_id in ids)
        return run_spread([{cell_id: median} for median in medians if median is not None])


def _without_copies(
    runs: Iterable[tuple[RunCentres, dict[str, str]]],
) -> Iterator[tuple[RunCentres, dict[str, str]]]:
    """Imported runs without those that have every centre of an earlier one.

    The same logs, imported again, are no evidence of spread.
    """
    seen: list[dict[str, CellCentres]] = []
    for run, ids in runs:
        centres = {own: run[id_] for own, id_ in ids.items()}
        if centres and centres in seen:
            continue
        seen.append(centres)
        yield run, ids


class _SameCells:
    """The ids of other runs' cells by those of one run; computed once for runs with equal cells."""

    def __init__(self, levels: Mapping[str, Levels]) -> None:
        self._levels = levels
        self._found: list[tuple[dict[str, Levels], dict[str, str]]] = []

    def of(self, run: RunCentres) -> dict[str, str]:
        theirs = {id_: cell.levels for id_, cell in run.items()}
        for known, ids in self._found:
            if known == theirs:
                return ids
        ids = same_cells(self._levels, theirs)
        self._found.append((theirs, ids))
        return ids


def run_to_run_spread(a: Compared, b: Compared | None, metric: str, basis: Basis) -> RunToRunSpread:
    """The spread between single runs of `a` and `b`; `b` is None where both are of one host."""
    of_a = a.spread(metric, basis)
    of_b = of_a if b is None else b.spread(metric, basis)
    if of_a is None or of_b is None:
        return RunToRunSpread(None, _unknown(both=b is not None))
    return RunToRunSpread(of_difference(of_a, of_b), _estimated(of_a, of_b))


def spread_of_difference(
    a: Compared, b: Compared | None, cell_ids: tuple[str, str], metric: str, basis: Basis
) -> tuple[float, float] | None:
    """Variance and degrees of freedom of the difference of two cells in single runs; None if not known.

    In the metric's unit, whose spread differs from cell to cell, so that only runs of the same cell are used.
    """
    of_a = a.spread_of_cell(cell_ids[0], metric, basis)
    of_b = of_a if b is None else b.spread_of_cell(cell_ids[1], metric, basis)
    return None if of_a is None or of_b is None else of_difference(of_a, of_b)


def _centres(
    runs: Iterable[tuple[RunCentres, Mapping[str, str]]], metric: str, basis: Basis
) -> Iterator[dict[str, float]]:
    """Each run's logarithmic medians by ids of the compared run's cells; runs without any are left out."""
    for run, ids in runs:
        found = {own: run[id_].centre(metric, basis) for own, id_ in ids.items()}
        if known := {own: centre for own, centre in found.items() if centre is not None}:
            yield known


def _estimated(a: RunSpread, b: RunSpread) -> SpreadBetweenRuns:
    widest = max(a, b, key=lambda spread: spread.variance)
    percent = 100 * math.expm1(min(widest.deviation, LARGEST_LOG))
    return SpreadBetweenRuns(
        percent=percent,
        runs=widest.runs,
        cells=widest.cells,
        sentence=message(
            "spreadEstimated", percent=f"{percent:.2g}", runs=str(widest.runs), count=widest.cells
        ),
    )


def _unknown(both: bool) -> SpreadBetweenRuns:
    return SpreadBetweenRuns(
        percent=None,
        runs=0,
        cells=0,
        sentence=message("spreadUnknownOneOf" if both else "spreadUnknown"),
    )
