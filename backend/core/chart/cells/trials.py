"""The trials of one cell: which of them count, and what state that leaves the cell in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.model.cell_models import CellNotice, CellState, EvidenceCount
from backend.core.messages.message import joined, key, message, named, recognised
from backend.core.plan.model import Cell
from backend.core.plan.restarts import replica_of
from backend.core.sample.log_settings import APART
from backend.core.sample.notice import UNSTEADY, Notice
from backend.core.topology.deployment import ServerSpec, server_spec

LARGEST: Final = 1e100
"""No quantity of a trial is so large; larger values are unusable."""
NAMES_SERVER: Final = frozenset(("path", "userland_proxy", "service"))
"""Factors that identify a cell's server."""


@dataclass(frozen=True)
class CellTrials:
    """A cell with its trials in the order of rounds; `planned` is their planned number.

    `proof_needed` is false for imported trials, which count without evidence of their path. `restart_every`
    is the plan's: how many rounds a start of the cell's server serves.
    """

    cell: Cell
    rows: tuple[TrialRow, ...]
    planned: int
    run_ended: bool
    proof_needed: bool = True
    restart_every: int | None = None

    @cached_property
    def server(self) -> ServerSpec | None:
        """The server that serves the cell; None where that is not known."""
        return server_of(self.cell, self.proof_needed, self.restart_every)

    @property
    def every_trial_restarts(self) -> bool:
        """Whether each of its trials has a start of the server to itself."""
        return bool(self.cell.levels.get("fresh_server"))

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
        """Trials that count in statistics: recorded, not excluded, within bounds, undisturbed, path proven.

        None of them count where one contradicts the path.
        """
        if self._contradicted:
            return ()
        return tuple(
            row
            for row in self._included
            if row.metrics is not None and not row.invalid and not row.contaminated and self._has_proof(row)
        )

    @cached_property
    def excluded(self) -> tuple[TrialRow, ...]:
        """Recorded trials that somebody excluded."""
        return tuple(row for row in self.done if row.excluded is not None)

    @cached_property
    def _included(self) -> tuple[TrialRow, ...]:
        return tuple(row for row in self.done if row.excluded is None)

    @cached_property
    def invalid(self) -> tuple[TrialRow, ...]:
        """Recorded trials whose figures break a physical bound."""
        return tuple(row for row in self._included if row.invalid)

    @cached_property
    def contaminated(self) -> tuple[TrialRow, ...]:
        """Valid trials that something outside client, server and proxy disturbed."""
        return tuple(row for row in self._included if row.contaminated and not row.invalid)

    @cached_property
    def _unproven(self) -> int:
        clean = (row for row in self._included if not row.invalid and not row.contaminated)
        return sum(row.metrics is None or not self._has_proof(row) for row in clean)

    def _has_proof(self, row: TrialRow) -> bool:
        return row.evidence == "proven" or not self.proof_needed

    @cached_property
    def left_out(self) -> tuple[int, ...]:
        """The rounds of recorded trials that do not count in statistics."""
        return tuple(row.round for row in self.done if row.trial_id not in self.used_ids)

    @cached_property
    def used_ids(self) -> frozenset[str]:
        """The ids of the trials that count in statistics."""
        return frozenset(row.trial_id for row in self.used)

    @cached_property
    def unsteady(self) -> tuple[int, ...]:
        """The rounds of recorded trials that were flagged as not steady, although they count."""
        return tuple(
            row.round for row in self._included if any(notice.kind == UNSTEADY for notice in row.notices)
        )

    @cached_property
    def other_settings(self) -> Mapping[int, frozenset[Notice]]:
        """By round, the notices of settings that the log of a used trial has otherwise than its cell or other
        logs (`sample.log_settings`)."""
        return {
            row.round: found
            for row in self.used
            if (found := frozenset(notice for notice in row.notices if notice.kind in APART))
        }

    @cached_property
    def _contradicted(self) -> int:
        return sum(
            row.evidence == "contradicted" or row.failure_code == "path_contradicted" for row in self.rows
        )

    @cached_property
    def state(self) -> CellState:
        """The state of the cell; one contradicted trial makes it contradicted."""
        if self.cell.infeasible is not None:
            return "infeasible"
        if self._contradicted:
            return "contradicted"
        if self.used:
            return "measured" if len(self.used) >= self.planned else "partial"
        if self.done:
            return self._without_figures
        if not self.run_ended and len(self._ended) < self.planned:
            return "waiting"
        if self.failed:
            return "failed"
        return "cancelled" if self.run_ended else "waiting"

    @property
    def _without_figures(self) -> CellState:
        """The state of a cell with recorded trials, none of which counts."""
        if self._unproven:
            return "not_proven"
        return "contaminated" if self.contaminated else "invalid" if self.invalid else "excluded"

    @cached_property
    def _ended(self) -> tuple[TrialRow, ...]:
        return tuple(row for row in self.rows if row.state in ("done", "failed", "cancelled"))

    @cached_property
    def reason(self) -> str | None:
        """The reason for a state other than measured, None without one."""
        if self.cell.infeasible is not None:
            return self.cell.infeasible
        imported = None if self.proof_needed or not self.used else message("importedWithoutEvidence")
        return joined((self.losses, imported), "semicolon") or None

    @cached_property
    def losses(self) -> str:
        """Which of the trials do not count, and why."""
        parts, of = [], len(self._ended)
        if self._contradicted:
            parts.append(message("lostContradicted", n=self._contradicted, of=of))
        elif self._unproven:
            parts.append(message("lostUnproven", n=self._unproven, of=of))
        for rows, id_, reasons in (
            (self.excluded, "lostExcluded", [(row.excluded or "",) for row in self.excluded]),
            (self.invalid, "lostInvalid", [row.invalid for row in self.invalid]),
            (self.contaminated, "lostContaminated", [row.contaminated for row in self.contaminated]),
        ):
            if rows:
                first = reasons[0][0] if id_ == "lostExcluded" else recognised(reasons[0][0])
                parts.append(message(id_, n=len(rows), of=of, why=_with_others(first, reasons)))
        if self.failed:
            parts.append(message("lostFailed", n=len(self.failed), of=of, why=_failures(self.failed)))
        return joined(parts, "semicolon")

    @cached_property
    def evidence(self) -> EvidenceCount:
        """How the evidence of the trials came out."""
        count = Counter(row.evidence for row in self.rows)
        return EvidenceCount(
            proven=count["proven"], not_proven=count["not_proven"], contradicted=count["contradicted"]
        )

    @cached_property
    def notices(self) -> tuple[CellNotice, ...]:
        """The trials' own notices by kind, each with the figures of the first trial that has it."""
        found = [notice for row in self.rows for notice in dict.fromkeys(row.notices)]
        first = {notice.kind: notice for notice in reversed(found)}
        return tuple(
            CellNotice(
                kind=kind,
                figures=first[kind].figures,
                advice=first[kind].advice,
                trials=n,
                of=len(self._ended),
            )
            for kind, n in Counter(notice.kind for notice in found).items()
        )

    def values(self, metric: str) -> Mapping[int, float]:
        """The metric of the trials that count, by round, to be judged; empty where some trial lacks it.

        Whatever made it missing may depend on its value, so that the others are no sample (`lacking`).
        """
        return {} if self.lacking(metric) else self.observed(metric)

    def observed(self, metric: str) -> Mapping[int, float]:
        """The metric of the trials that count and have it, by round, to be shown."""
        found = self._values.get(metric)
        if found is None:
            pairs = ((row.round, value_of(row, metric)) for row in self.used)
            found = self._values[metric] = {round_: value for round_, value in pairs if value is not None}
        return found

    @cached_property
    def _values(self) -> dict[str, dict[int, float]]:
        return {}

    def lacking(self, metric: str) -> int:
        """How many trials that count have no usable value of a metric that others have; 0 where none has."""
        known = len(self.observed(metric))
        return len(self.used) - known if known else 0

    def unusable(self, metric: str) -> int:
        """How many trials that count have a value of the metric that is no usable number."""
        if len(self.observed(metric)) == len(self.used):
            return 0
        recorded = sum((row.metrics or {}).get(metric) is not None for row in self.used)
        return recorded - len(self.observed(metric))

    def why_not_judged(self, metric: str) -> str | None:
        """The reason why a metric is not judged, as far as trials lack it; None where none does."""
        lacking = self.lacking(metric)
        if not lacking:
            return None
        known = self.observed(metric)
        kinds: dict[bool, set[str]] = {True: set(), False: set()}
        for row in self.used:
            kinds[row.round in known].update(notice.kind for notice in row.notices)
        reason = min(kinds[False] - kinds[True], default=None)
        why = message("lackingBecause", reason=named(key("notice", reason), reason)) if reason else ""
        return message("trialsLackIt", n=lacking, of=len(self.used), why=why)


def server_of(cell: Cell, proof_needed: bool, restart_every: int | None) -> ServerSpec | None:
    """The server that serves a cell; None where that is not known, as of imported trials.

    In old runs without restarts, A/A duplicates shared their baseline's server.
    """
    levels = cell.levels
    if not proof_needed or not levels.keys() >= NAMES_SERVER:
        return None
    replica = 0 if restart_every is None else replica_of(levels, cell.is_duplicate)
    return server_spec(levels, replica)


def value_of(row: TrialRow, metric: str) -> float | None:
    """One trial's value, or None where it has none; never NaN, infinite or beyond LARGEST."""
    value = None if row.metrics is None else row.metrics.get(metric)
    return float(value) if value is not None and -LARGEST <= value <= LARGEST else None


def _with_others(first: str, reasons: Sequence[Sequence[str]]) -> str:
    """The first reason of the first trial, and how many more there are."""
    others = len({one for each in reasons for one in each}) - 1
    return message("moreReasons", reason=first, count=others) if others else first


def _failures(rows: Sequence[TrialRow]) -> str:
    """The failures by code, with the words of the first of each."""
    first = {row.failure_code or "unknown": row.failure_detail for row in reversed(rows)}
    return "; ".join(f"{code}: {detail}" if detail else code for code, detail in sorted(first.items()))
