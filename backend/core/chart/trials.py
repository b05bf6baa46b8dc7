"""The trials of one cell: which of them count, and what state that leaves the cell in."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from backend.core.chart.inputs import ChartInput, TrialRow
from backend.core.chart.model import CellState, EvidenceCount
from backend.core.plan.model import Cell

TERMINAL = frozenset(("done", "cancelled", "incomplete"))
"""States of a run in which no trial is still to come."""


@dataclass(frozen=True)
class CellTrials:
    """A cell with its trials in the order of rounds; `planned` is how many there are to be."""

    cell: Cell
    rows: tuple[TrialRow, ...]
    planned: int
    run_ended: bool

    @cached_property
    def done(self) -> tuple[TrialRow, ...]:
        """Trials that were recorded."""
        return tuple(row for row in self.rows if row.state == "done")

    @cached_property
    def failed(self) -> tuple[TrialRow, ...]:
        """Trials that ended without a sample."""
        return tuple(row for row in self.rows if row.state == "failed")

    @cached_property
    def used(self) -> tuple[TrialRow, ...]:
        """Trials that take part in statistics: recorded, their path proven, none contradicted."""
        if self._contradicted:
            return ()
        return tuple(row for row in self.done if row.evidence == "proven" and row.metrics is not None)

    @cached_property
    def _contradicted(self) -> int:
        return sum(
            row.evidence == "contradicted" or row.failure_code == "path_contradicted" for row in self.rows
        )

    @cached_property
    def state(self) -> CellState:
        """One word for the cell. One contradicted trial is enough to contradict it."""
        if self.cell.infeasible is not None:
            return "infeasible"
        if self._contradicted:
            return "contradicted"
        if self.used:
            return "measured" if len(self.used) >= self.planned else "partial"
        if self.done:
            return "not_proven"
        if not self.run_ended and len(self._ended) < self.planned:
            return "waiting"
        if self.failed:
            return "failed"
        return "cancelled" if self.run_ended else "waiting"

    @cached_property
    def _ended(self) -> tuple[TrialRow, ...]:
        return tuple(row for row in self.rows if row.state in ("done", "failed", "cancelled"))

    @cached_property
    def reason(self) -> str | None:
        """Why the cell is not simply measured."""
        if self.cell.infeasible is not None:
            return self.cell.infeasible
        parts = []
        if self._contradicted:
            parts.append(
                f"{self._contradicted} of {len(self._ended)} trials contradict the path of the label"
            )
        elif unproven := len(self.done) - len(self.used):
            parts.append(f"{unproven} of {len(self._ended)} trials did not prove their path")
        if self.failed:
            parts.append(f"{len(self.failed)} of {len(self._ended)} trials failed: {_failures(self.failed)}")
        return "; ".join(parts) or None

    @cached_property
    def evidence(self) -> EvidenceCount:
        """How the evidence of the trials came out."""
        count = Counter(row.evidence for row in self.rows)
        return EvidenceCount(
            proven=count["proven"], not_proven=count["not_proven"], contradicted=count["contradicted"]
        )

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """The trials' own warnings by what stands before the colon, with the first one's figures."""
        texts = [text for row in self.rows for text in dict.fromkeys(row.warnings)]
        first = {_kind(text): text for text in reversed(texts)}
        count = Counter(_kind(text) for text in texts)
        return tuple(
            f"{n} of {len(self._ended)} trials: {'for example ' if n > 1 else ''}{first[kind]}"
            if first[kind] != kind
            else f"{n} of {len(self._ended)} trials: {kind}"
            for kind, n in count.items()
        )

    def values(self, metric: str) -> dict[int, float]:
        """The metric of the trials that count, by round; missing is missing."""
        found = ((row.round, value_of(row, metric)) for row in self.used)
        return {round_: value for round_, value in found if value is not None}


def _kind(warning: str) -> str:
    return warning.partition(":")[0]


def value_of(row: TrialRow, metric: str) -> float | None:
    """One trial's value, or None where it has none; never NaN or infinite."""
    value = None if row.metrics is None else row.metrics.get(metric)
    return float(value) if value is not None and math.isfinite(value) else None


def _failures(rows: Sequence[TrialRow]) -> str:
    """The failures by code, with the words of the first of each."""
    first = {row.failure_code or "unknown": row.failure_detail for row in reversed(rows)}
    return "; ".join(f"{code}: {detail}" if detail else code for code, detail in sorted(first.items()))


def by_cell(data: ChartInput) -> dict[str, CellTrials]:
    """Every cell of the plan with its trials, by id and in the plan's order."""
    rows: defaultdict[str, list[TrialRow]] = defaultdict(list)
    for row in data.trials:
        rows[row.cell_id].append(row)
    ended = data.state in TERMINAL
    return {
        cell.id: CellTrials(
            cell=cell,
            rows=_ordered(rows[cell.id]),
            planned=0 if cell.infeasible is not None else data.experiment.rounds,
            run_ended=ended,
        )
        for cell in data.plan.cells
    }


def _ordered(rows: Iterable[TrialRow]) -> tuple[TrialRow, ...]:
    return tuple(sorted(rows, key=lambda row: (row.round, row.trial_id)))


def rounds_complete(cells: Iterable[CellTrials]) -> int:
    """How many rounds have every one of their trials recorded."""
    feasible = [cell for cell in cells if cell.planned]
    count = Counter(round_ for cell in feasible for round_ in {row.round for row in cell.done})
    return sum(n == len(feasible) for n in count.values())
