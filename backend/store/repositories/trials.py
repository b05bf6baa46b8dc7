"""The trial queue: claim, heartbeat, record, fail, cancel and requeue, with leases and fencing tokens.

A claim increments the trial's fence; every later statement of the attempt names its fence and has no effect
after another claim. Times are `clock_timestamp()`, not `now()`: a transaction may have waited for a lock
since it began. Every function may be called again after a lost connection.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Any, Final, Literal

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.core.plan.claimed import Beat, ClaimedTrial, replica_in
from backend.core.plan.matrix import quality_of
from backend.core.plan.restarts import ServedCell
from backend.store.models import Run, Trial
from backend.store.repositories import (
    admission,
    events,
    interim_analyses,
    restored_claims,
    runs,
    trial_sql,
)
from backend.store.repositories.trial_sql import TrialTransition

logger = logging.getLogger(__name__)

LEASE_S: Final = 60
MAX_ATTEMPTS: Final = 3
Outcome = Literal["recorded", "already", "superseded"]
RELEASED: Final = "released"
"""The outcome of an attempt that its worker gave up because the worker was stopped: it is not counted."""


def claim(session: Session, host_id: str, worker: str, last: Collection[str] = ()) -> ClaimedTrial | None:
    """Claim the host's next trial for LEASE_S seconds, or None: oldest run first, in the plan's order.

    A trial in `last` is claimed only if its run has no other. A trial with an expired lease is claimed
    again; after MAX_ATTEMPTS lost attempts it fails as poison, and in a cancelled run it is cancelled. Does a
    due interim analysis first; no trial of a later round is claimed before it. A drained host claims none,
    nor one outside the hours of its policy; the same holds for the run's client host.
    """
    blocked: list[str] = []
    takes_trials = admission.takes_trials(session, host_id)
    while (run_id := trial_sql.next_run(session, host_id, blocked)) is not None:
        try:
            run = runs.lock(session, run_id)
        except NotFound:
            continue  # it was cancelled and deleted meanwhile
        _end_abandoned(session, run_id, run.cancel_requested)
        if run.cancel_requested:
            continue
        client = run.client_host_id
        if not takes_trials or (client is not None and not admission.takes_trials(session, client)):
            blocked.append(run_id)
            continue
        until = None if run.next_interim_round is None else interim_analyses.run_due(session, run_id)
        claimed = _claim_in(session, run_id, host_id, worker, until, last)
        if claimed is not None:
            return claimed
        # Another worker claimed it, runs the last trial before an analysis, or no trial of the run is left.
        if until is not None:
            blocked.append(run_id)
    return None


def _claim_in(
    session: Session, run_id: str, host_id: str, worker: str, until: int | None, last: Collection[str]
) -> ClaimedTrial | None:
    """Claim the first open trial of a run in the rounds up to `until`; the caller holds the run's lock."""
    row = session.execute(
        trial_sql.CLAIM,
        {
            "run_id": run_id,
            "host_id": host_id,
            "worker": worker,
            "lease": LEASE_S,
            "cap": MAX_ATTEMPTS,
            "until": until,
            "last": list(last),
        },
    ).one_or_none()
    if row is None:
        return None
    if row.was == "running":
        trial_sql.log_end(session, row.id, row.fence - 1, "lost", "the lease expired; claimed again")
    trial_sql.log_claim(session, row.id, row.fence, worker)
    runs.mark_running(session, run_id)
    _append_events(session, TrialTransition(row.id, run_id, row.cell_id, row.round, "running"))
    return as_claimed(session, run_id, row, until)


def as_claimed(session: Session, run_id: str, trial: Any, until: int | None) -> ClaimedTrial:
    """A claimed trial of a run as its worker gets it; `until` is the round of the next interim analysis."""
    stored = session.execute(text(trial_sql.DEFINITION), {"run_id": run_id}).one()
    return ClaimedTrial(
        trial.id,
        run_id,
        trial.cell_id,
        trial.round,
        trial.fence,
        trial.attempts,
        trial.levels,
        stored.definition,
        until,
        stored.restart_every,
        stored.client_host,
    )


def open_cells(session: Session, run_id: str) -> list[ServedCell]:
    """The cells with open trials, in the plan's order."""
    rows = session.execute(
        select(Trial.cell_id, Trial.levels)
        .where(Trial.run_id == run_id, Trial.state.in_(("queued", "running")))
        .order_by(Trial.seq)
    )
    every = session.execute(text(trial_sql.DEFINITION), {"run_id": run_id}).one().restart_every
    found: dict[str, ServedCell] = {}
    for row in rows:
        found.setdefault(row.cell_id, ServedCell(row.levels, replica_in(row.cell_id, row.levels, every)))
    return list(found.values())


def claimable(session: Session, host_id: str) -> int:
    """The number of trials that a worker of this host could claim now, with expired leases included."""
    number: int = session.execute(trial_sql.CLAIMABLE, {"host_id": host_id}).scalar_one()
    return number


def end_leases(session: Session, host_id: str) -> int:
    """Expire the leases of a host's running trials, so that they can be claimed; returns how many.

    For a worker at its start that knows that no other worker of this host runs a trial. Its client sessions
    end.
    """
    session.execute(trial_sql.END_SESSIONS, {"host_id": host_id})
    return len(session.execute(trial_sql.END_LEASES, {"host_id": host_id}).all())


def heartbeat(session: Session, trial_id: str, fence: int) -> Beat:
    """Extend the lease. `cancel`: stop and call `cancel_running`. `stale`: the attempt lost its trial."""
    cancel: bool | None = session.execute(
        trial_sql.HEARTBEAT, {"id": trial_id, "fence": fence, "lease": LEASE_S}
    ).scalar_one_or_none()
    if cancel is None:
        return "stale"
    return "cancel" if cancel else "ok"


def record(
    session: Session,
    trial_id: str,
    fence: int,
    payload: dict[str, Any],
    sha256: str,
    failure: tuple[str, str] | None,
) -> Outcome:
    """Store a trial's record and end the trial: `done`, or `failed` if a failure is given.

    `payload` is a TrialRecord as JSON, `sha256` the hash of its spool file. `already`: the same file was
    recorded before. `superseded`: the attempt lost its trial; the caller drops the record.

    A fence above the trial's was given by this server before it was restored from an older backup: the record
    counts if the trial has not ended, and whichever attempt the restored server knows loses it.
    """
    run_id = _lock_run_of(session, trial_id)
    restored_claims.restore(session, run_id, trial_id, fence)
    code, detail = failure if failure is not None else (None, None)
    state = "done" if failure is None else "failed"
    quality = quality_of(payload)
    row = session.execute(
        trial_sql.RECORD,
        {
            "id": trial_id,
            "fence": fence,
            "state": state,
            "code": code,
            "detail": trial_sql.storable(detail),
            "quality": quality,
            "outcome": "recorded" if failure is None else "failed",
            "sha": sha256,
            "payload": trial_sql.storable(payload),
        },
    ).one_or_none()
    if row is None:
        kept = session.execute(text(trial_sql.KEPT_SHA), {"id": trial_id}).scalar_one_or_none()
        if kept == sha256:
            return "already"
        logger.warning("trial %s: the record of fence %d is superseded and dropped", trial_id, fence)
        return "superseded"
    _append_events(
        session,
        TrialTransition(trial_id, run_id, row.cell_id, row.round, state, payload["metrics"], code, quality),
    )
    return "recorded"


def fail(session: Session, trial_id: str, fence: int, code: str, detail: str) -> bool:
    """End a trial without a record, with a short stable code. False: the attempt is stale."""
    return _finish(session, trial_id, fence, "failed", "failed", code, detail)


def cancel_running(session: Session, trial_id: str, fence: int) -> bool:
    """End a trial that its worker stopped after a cancel. False: the attempt is stale."""
    return _finish(session, trial_id, fence, "cancelled", "cancelled", None, None)


def requeue(
    session: Session, trial_id: str, fence: int, outcome: str, detail: str, counts: bool = True
) -> bool:
    """Return a trial to the queue after an attempt without a result. False: the attempt is stale.

    `outcome` is logged, for example `engine_lost`. With `counts` False (a fault of the host) or RELEASED, the
    attempt does not count towards MAX_ATTEMPTS. The last counted attempt fails the trial as poison; a trial
    of a cancelled run is cancelled.
    """
    if trial_sql.is_stale(session, trial_id, fence):
        return False
    run_id = _lock_run_of(session, trial_id)
    if session.get_one(Run, run_id, populate_existing=True).cancel_requested:
        return _finish(session, trial_id, fence, "cancelled", outcome, None, detail)
    trial = session.get_one(Trial, trial_id, populate_existing=True)
    counts = counts and outcome != RELEASED
    if counts and trial.attempts >= MAX_ATTEMPTS:
        return _finish(session, trial_id, fence, "failed", outcome, "poison", _poison(detail))
    return _finish(session, trial_id, fence, "queued", outcome, None, detail, given_back=not counts)


def _poison(detail: str) -> str:
    return f"{MAX_ATTEMPTS} attempts were lost; the last one: {detail}"


def _finish(
    session: Session,
    trial_id: str,
    fence: int,
    state: str,
    outcome: str,
    code: str | None,
    detail: str | None,
    given_back: bool = False,
) -> bool:
    """Move a running trial of this fence to another state and log the attempt's outcome."""
    run_id = _lock_run_of(session, trial_id)
    row = session.execute(
        trial_sql.FINISH,
        {
            "id": trial_id,
            "fence": fence,
            "state": state,
            "code": code,
            "detail": trial_sql.storable(detail) if code is not None else None,
            "given_back": int(given_back),
        },
    ).one_or_none()
    if row is None:
        return False
    trial_sql.log_end(session, trial_id, fence, outcome, trial_sql.storable(detail))
    _append_events(session, TrialTransition(trial_id, run_id, row.cell_id, row.round, state, None, code))
    return True


def _end_abandoned(session: Session, run_id: str, cancelled: bool) -> None:
    """End the trials with expired leases that may not be claimed again; the caller holds the run's lock."""
    detail = "the lease expired"
    for row in session.execute(trial_sql.ABANDONED, {"run_id": run_id}).all():
        if cancelled:
            _finish(session, row.id, row.fence, "cancelled", "lost", None, detail)
        elif row.attempts >= MAX_ATTEMPTS:
            _finish(session, row.id, row.fence, "failed", "lost", "poison", _poison(detail))


def _lock_run_of(session: Session, trial_id: str) -> str:
    run_id = trial_sql.run_of(session, trial_id)
    runs.lock(session, run_id)
    return run_id


def _append_events(session: Session, moved: TrialTransition) -> None:
    """Append the trial's event, then the run's: its end after the last trial, else its progress."""
    event = runs.trial_event(
        moved.trial_id,
        moved.cell_id,
        moved.round,
        moved.state,
        moved.metrics,
        moved.failure_code,
        moved.quality,
    )
    events.append(session, moved.run_id, "trial", [event])
    if not runs.end_if_complete(session, moved.run_id):
        runs.append_run_event(session, moved.run_id)
