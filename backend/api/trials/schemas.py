"""Responses of /trials."""

from __future__ import annotations

from backend.api.schema import Body, Timestamp
from backend.core.definition.factors import Level
from backend.core.plan.states import TrialState
from backend.core.sample.record import EvidenceVerdict, ImportedRecord, TrialRecord


class Trial(Body):
    """One cell in one round, run once.

    The cost of a transaction in `metrics` has the current definition, also for older records. `invalid` lists
    the physical bounds that the trial violates, `contaminated` how the host disturbed it; neither kind is in
    a statistic. The state `spared` means skipped: the trial was not run, because its comparison was decided
    at an interim analysis or the budget was spent.
    """

    id: str
    run_id: str
    cell_id: str
    round: int
    position: int
    seq: int
    state: TrialState
    failure_code: str | None
    failure_detail: str | None
    attempts: int
    started_at: Timestamp | None
    finished_at: Timestamp | None
    metrics: dict[str, float] | None
    evidence_verdict: EvidenceVerdict | None
    invalid: tuple[str, ...] = ()
    contaminated: tuple[str, ...] = ()


class TrialList(Body):
    """The trials of a run, in the plan's order."""

    data: tuple[Trial, ...]


class Attempt(Body):
    """One claim of the trial by a worker, and how it ended; `outcome` is null while it runs."""

    fence: int
    worker: str
    outcome: str | None
    started_at: Timestamp
    ended_at: Timestamp | None
    detail: str | None


class TrialDetail(Trial):
    """A trial with its record and the log of its attempts.

    A trial of an imported run has the values of its log in `imported`, and no `record`.
    """

    run_title: str
    cell_label: str
    cell_levels: dict[str, Level]
    record: TrialRecord | None
    imported: ImportedRecord | None
    history: tuple[Attempt, ...]
