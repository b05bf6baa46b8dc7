"""What waits and runs on a host: in numbers for everybody, by run for members of its team."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from backend.store.models import Experiment, Run, Trial

_RUNS: Final = text("""
    SELECT r.id, e.title, r.state, r.team_id, t.name AS team,
           count(*) FILTER (WHERE trial.state = 'queued') AS queued_trials,
           count(*) FILTER (WHERE trial.state = 'running') AS running_trials
      FROM trial
      JOIN run r ON r.id = trial.run_id
      JOIN experiment e ON e.id = r.experiment_id
      JOIN team t ON t.id = r.team_id
     WHERE trial.host_id = :host_id AND trial.state IN ('queued', 'running')
     GROUP BY r.id, e.title, r.state, r.team_id, t.name, r.created_at
     ORDER BY r.created_at, r.id
""")
_CURRENT: Final = text("""
    SELECT trial.id AS trial_id, trial.run_id, r.team_id, e.title,
           trial.cell_id, trial.round, trial.started_at,
           coalesce((SELECT cell ->> 'label' FROM jsonb_array_elements(r.plan -> 'cells') cell
                      WHERE cell ->> 'id' = trial.cell_id LIMIT 1), trial.cell_id) AS label
      FROM trial
      JOIN run r ON r.id = trial.run_id
      JOIN experiment e ON e.id = r.experiment_id
     WHERE trial.host_id = :host_id AND trial.state = 'running' AND trial.lease_until > clock_timestamp()
     ORDER BY trial.started_at DESC LIMIT 1
""")


@dataclass(frozen=True)
class QueuedRun:
    """One run with trials that have not ended."""

    id: str
    title: str
    state: str
    team_id: str
    team: str
    queued_trials: int
    running_trials: int


@dataclass(frozen=True)
class HostQueue:
    """The runs of these teams, oldest first, and of all teams the numbers."""

    queued_trials: int
    running_trials: int
    runs: tuple[QueuedRun, ...]
    other_runs: int


@dataclass(frozen=True)
class RunningTrial:
    """The trial that a host runs now, with the team of its run."""

    trial_id: str
    run_id: str
    team_id: str
    title: str
    cell_id: str
    label: str
    round: int
    started_at: datetime


@dataclass(frozen=True)
class OpenTrials:
    """How many trials of a host have not ended."""

    queued: int
    running: int


NONE_OPEN: Final = OpenTrials(0, 0)


def open_trials(session: Session) -> dict[str, OpenTrials]:
    """The trials that have not ended of every host that has any, by the host's id."""
    running = func.count().filter(Trial.state == "running").label("running")
    rows = session.execute(
        select(Trial.host_id, func.count().label("open"), running)
        .where(Trial.state.in_(("queued", "running")))
        .group_by(Trial.host_id)
    )
    return {row.host_id: OpenTrials(row.open - row.running, row.running) for row in rows}


def queue_of(session: Session, host_id: str, teams: Collection[str]) -> HostQueue:
    """What waits and runs on a host, for a member of these teams."""
    found = [QueuedRun(**row._mapping) for row in session.execute(_RUNS, {"host_id": host_id})]
    own = tuple(run for run in found if run.team_id in teams)
    return HostQueue(
        queued_trials=sum(run.queued_trials for run in found),
        running_trials=sum(run.running_trials for run in found),
        runs=own,
        other_runs=len(found) - len(own),
    )


def current_trial(session: Session, host_id: str) -> RunningTrial | None:
    """The trial that a host runs now: one with a lease that has not expired."""
    row = session.execute(_CURRENT, {"host_id": host_id}).one_or_none()
    return None if row is None else RunningTrial(**row._mapping)


def titles(session: Session, runs: Collection[str]) -> dict[str, str]:
    """The title of each of these runs."""
    query = select(Run.id, Experiment.title).join(Experiment, Experiment.id == Run.experiment_id)
    rows = session.execute(query.where(Run.id.in_(list(runs))))
    return {row.id: row.title for row in rows}
