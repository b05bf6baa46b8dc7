"""Runs: creation with all trials, views, cancellation and end.

Lock order in all repositories: the run's row first (`lock`), then its trials, then its events. State changes
of one run are serialised, and its events get their ids in the order of commit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import func, insert, select, text, tuple_, update
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, Contended, NotFound, Refused
from backend.core.plan.matrix import TrialQualityState
from backend.core.plan.states import RUN_ENDED, end_of_run
from backend.core.sample.environment import of_client_host
from backend.store.ids import is_id, new_id
from backend.store.models import Experiment, Host, Run, RunStar, Trial
from backend.store.repositories import cell_profiles, events, make_up, run_ends, run_entries, usage
from backend.store.repositories.run_view import RunView, read_views


@dataclass(frozen=True)
class LockedRun:
    """The fields of a locked run that a claim needs."""

    cancel_requested: bool
    next_interim_round: int | None
    client_host_id: str | None


@dataclass(frozen=True)
class RunFilter:
    """Which runs of a team to list: with a tag, starred by an account; None does not limit."""

    tag: str | None = None
    starred_by: str | None = None


ALL: Final = RunFilter()
MOST_FACTS: Final = 4 * 1024 * 1024
"""Characters of all facts of a run: a request brings at most one MiB, and a run has those of two hosts."""


def create(
    session: Session,
    experiment_id: str,
    host_id: str,
    plan: dict[str, Any],
    trials: Sequence[dict[str, Any]],
    group_id: str | None = None,
    client_host_id: str | None = None,
    author_id: str | None = None,
    schedule_id: str | None = None,
    extends_run_id: str | None = None,
) -> RunView:
    """Queue a run: the run, all of its trials, its entry in the library and its first event.

    `trials` are rows of cell_id, round, position, seq and levels. Raises Conflict for a plan without a trial.
    """
    if not trials:
        raise Conflict("no cell of this plan can run on this host")
    run_id = new_id("run")
    session.execute(
        insert(Run).values(
            id=run_id,
            team_id=team_of(session, experiment_id),
            experiment_id=experiment_id,
            host_id=host_id,
            group_id=group_id,
            client_host_id=client_host_id,
            schedule_id=schedule_id,
            extends_run_id=extends_run_id,
            plan=plan,
            next_interim_round=interim_round_after(plan.get("interim_rounds", ()), 0),
        )
    )
    session.execute(
        insert(Trial),
        [{"id": new_id("trl"), "run_id": run_id, "host_id": host_id, **trial} for trial in trials],
    )
    run_entries.add(session, run_id, author_id)
    return append_run_event(session, run_id)


def team_of(session: Session, experiment_id: str) -> str:
    """The team of an experiment, which is that of its runs. Raises Contended if it was deleted meanwhile."""
    found = session.scalar(select(Experiment.team_id).where(Experiment.id == experiment_id))
    if found is None:
        raise Contended("the experiment was deleted meanwhile; try again")
    return found


def interim_round_after(interim_rounds: Sequence[int], round_: int) -> int | None:
    """The next interim round that can still skip trials; after the last one, no trial is left to skip."""
    return next((found for found in interim_rounds[:-1] if found > round_), None)


def lock(session: Session, run_id: str) -> LockedRun:
    """Take the run's row lock until the end of the transaction. Raises NotFound."""
    found = session.execute(
        select(Run.cancel_requested, Run.next_interim_round, Run.client_host_id)
        .where(Run.id == run_id)
        .with_for_update()
    ).one_or_none()
    if found is None:
        raise NotFound("there is no such run")
    return LockedRun(*found)


def view(session: Session, run_id: str) -> RunView:
    """One run with its progress. Raises NotFound."""
    found = read_views(session, [run_id]) if is_id("run", run_id) else []
    if not found:
        raise NotFound("there is no such run")
    return found[0]


def page(
    session: Session, team_id: str, limit: int, after_id: str | None, wanted: RunFilter = ALL
) -> list[RunView]:
    """The views of a team's runs older than `after_id`, newest first. Raises NotFound for an unknown one."""
    query = select(Run.id).where(Run.team_id == team_id)
    if wanted.tag is not None:
        query = query.where(Run.tags.contains([wanted.tag]))
    if wanted.starred_by is not None:
        starred = select(RunStar.run_id).where(RunStar.account_id == wanted.starred_by)
        query = query.where(Run.id.in_(starred))
    query = query.order_by(Run.created_at.desc(), Run.id.desc()).limit(limit)
    if after_id is not None:
        last = get(session, after_id)
        if last.team_id != team_id:
            raise NotFound("there is no such run")
        query = query.where(tuple_(Run.created_at, Run.id) < (last.created_at, last.id))
    return read_views(session, list(session.scalars(query)))


def get(session: Session, run_id: str) -> Run:
    """One run. Raises NotFound."""
    found = session.get(Run, run_id) if is_id("run", run_id) else None
    if found is None:
        raise NotFound("there is no such run")
    return found


def append_run_event(session: Session, run_id: str) -> RunView:
    """Append the run's view as an event and return it; the caller holds the lock."""
    current = view(session, run_id)
    (event_id,) = events.append(session, run_id, "run", [current.as_event()])
    return replace(current, last_event_id=event_id)


def end_if_complete(session: Session, run_id: str) -> bool:
    """End the run (state, finished_at, event) if no trial is queued or running; returns whether it did.

    A run that lost trials to the host gets its make-up trials first, and goes on.
    """
    lock(session, run_id)
    by_state = select(Trial.state, func.count().label("number")).where(Trial.run_id == run_id)
    counts = {row.state: row.number for row in session.execute(by_state.group_by(Trial.state))}
    if counts.get("queued") or counts.get("running"):
        return False
    if not counts.get("cancelled") and make_up.add(session, run_id):
        return False
    state = end_of_run(counts.get("done", 0), counts.get("failed", 0), counts.get("cancelled", 0))
    ended = session.execute(
        update(Run)
        .where(Run.id == run_id, Run.state.not_in(RUN_ENDED))
        .values(state=state, finished_at=func.clock_timestamp())
        .returning(Run.id)
    ).scalar_one_or_none()
    if ended is None:
        return False
    append_run_event(session, run_id)
    if state != "cancelled":
        cell_profiles.request(session, run_id)
    usage.set_stored_bytes(session, run_id)
    run_ends.add(session, run_id)
    return True


def mark_running(session: Session, run_id: str) -> None:
    """Mark a queued run as running; the caller holds the lock."""
    session.execute(
        update(Run)
        .where(Run.id == run_id, Run.state == "queued")
        .values(state="running", started_at=func.clock_timestamp())
    )


def set_environment(session: Session, run_id: str, environment: dict[str, Any]) -> bool:
    """Store facts of the host, at first also of the client host; returns whether the run had none before.

    A fact keeps its first value; later values are in the records of the trials. New facts, for example of a
    Docker daemon that a later cell starts, are added. Raises Refused beyond MOST_FACTS.
    """
    known = session.execute(select(Run.environment).where(Run.id == run_id)).scalar_one_or_none()
    if known is None:
        environment = environment | _of_client_host(session, run_id)
    if known is None or environment.keys() - known.keys():
        merged = environment | (known or {})
        size = sum(len(name) + len(str(value)) for name, value in merged.items())
        if known is not None and size > MOST_FACTS:
            raise Refused.at(
                "/environment", "too_large", f"a run has at most {MOST_FACTS:,} characters of facts"
            )
        session.execute(update(Run).where(Run.id == run_id).values(environment=merged))
    return known is None


def _of_client_host(session: Session, run_id: str) -> dict[str, Any]:
    query = select(Host.name, Host.environment).join(Run, Run.client_host_id == Host.id)
    found = session.execute(query.where(Run.id == run_id)).one_or_none()
    return {} if found is None else of_client_host(found.name, found.environment)


CANCEL_QUEUED = text("""
    UPDATE trial SET state = 'cancelled', lease_until = NULL, finished_at = clock_timestamp()
     WHERE run_id = :run_id
       AND (state = 'queued' OR (state = 'running' AND lease_until < clock_timestamp()))
    RETURNING id, cell_id, round, fence, worker, seq
""")
LOSE_ATTEMPTS = text("""
    INSERT INTO attempt (trial_id, fence, entry, worker, outcome, detail)
    SELECT a.trial_id, a.fence, 'ended', a.worker, 'lost', 'the lease expired and the run was cancelled'
      FROM attempt a
     WHERE a.trial_id = ANY(:ids) AND a.entry = 'claimed'
       AND NOT EXISTS (SELECT FROM attempt e
                        WHERE e.trial_id = a.trial_id AND e.fence = a.fence AND e.entry = 'ended')
""")


def cancel(session: Session, run_id: str) -> RunView:
    """Cancel queued and abandoned trials at once, and request the worker to stop the running one.

    Idempotent. Of an ended run it cancels the CPU profiles that are not taken yet. Raises Conflict if the run
    ended in another state and has none, and NotFound.
    """
    if not is_id("run", run_id):
        raise NotFound("there is no such run")
    lock(session, run_id)
    run = get(session, run_id)
    if run.state == "cancelled":
        return view(session, run_id)
    if run.state in RUN_ENDED:
        if cell_profiles.cancel(session, run_id):
            return view(session, run_id)
        raise Conflict(f"the run has already ended: {run.state}")
    session.execute(update(Run).where(Run.id == run_id).values(cancel_requested=True))
    rows = sorted(session.execute(CANCEL_QUEUED, {"run_id": run_id}), key=lambda row: row.seq)
    if rows:
        session.execute(LOSE_ATTEMPTS, {"ids": [row.id for row in rows]})
    events.append(
        session, run_id, "trial", [trial_event(row.id, row.cell_id, row.round, "cancelled") for row in rows]
    )
    if not end_if_complete(session, run_id):
        append_run_event(session, run_id)
    return view(session, run_id)


def trial_event(
    trial_id: str,
    cell_id: str,
    round_: int,
    state: str,
    metrics: dict[str, Any] | None = None,
    failure_code: str | None = None,
    quality: TrialQualityState | None = None,
) -> dict[str, Any]:
    """The data of a `trial` event."""
    return {
        "trial_id": trial_id,
        "cell_id": cell_id,
        "round": round_,
        "state": state,
        "metrics": metrics,
        "failure_code": failure_code,
        "quality": quality,
    }
