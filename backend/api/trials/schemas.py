"""What comes out of /trials."""

from __future__ import annotations

from backend.api.schema import Body, Timestamp
from backend.core.definition.factors import Level
from backend.core.plan.states import TrialState
from backend.core.sample.record import EvidenceVerdict, ImportedRecord, TrialRecord


class Trial(Body):
    """One cell in one round, run once.

    `metrics` have the cost of a transaction by today's definition, whatever the age of the record. A trial
    whose figures break a physical bound names each in `invalid`, one that the host disturbed names how in
    `contaminated`; neither is in a statistic.
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

    A trial of an imported run has no record of a measurement, but what its log says, in `imported`.
    """

    run_title: str
    cell_label: str
    cell_levels: dict[str, Level]
    record: TrialRecord | None
    imported: ImportedRecord | None
    history: tuple[Attempt, ...]
