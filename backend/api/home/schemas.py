"""The response of GET /home."""

from __future__ import annotations

from typing import Literal

from backend.api.library.schemas import LibraryRun
from backend.api.runs.schemas import Run
from backend.api.schema import Body, Line, Timestamp
from backend.core.plan.states import RunState


class HomeHost(Body):
    """A host with the trials that run and wait there, of all teams."""

    name: str
    access: Literal["server", "joined", "revoked"]
    online: bool
    drained: bool
    last_seen_at: Timestamp
    queued_trials: int
    running_trials: int


class EndedRun(Body):
    """The newest of so many `runs` of an experiment that ended in the same state since the last visit."""

    id: str
    title: Line
    state: RunState
    finished_at: Timestamp
    runs: int = 1


class ChangedExclusion(Body):
    """A trial that was excluded for a reason; without one it was included again."""

    run_id: str
    title: Line
    trial_id: str
    reason: str | None
    by: str
    at: Timestamp


class ChangedNote(Body):
    """A run whose note or tags were changed."""

    run_id: str
    title: Line
    by: str
    at: Timestamp


class ChangedHost(Body):
    """A host, and when it came or was last seen."""

    name: str
    at: Timestamp


class ChangedHistory(Body):
    """A history that shows `changes` new change points: the largest of them.

    `ratio` is after ÷ before, `direction` says whether that is better. `run_id` is the first run after it and
    `run_at` the start of that run.
    """

    experiment_id: str
    title: Line
    host: str
    cell_id: str
    label: str
    metric: str
    metric_label: str
    basis: Literal["ratios", "values"]
    direction: Literal["better", "worse"]
    ratio: float
    run_id: str
    run_at: Timestamp
    changes: int
    at: Timestamp


class Changes(Body):
    """What changed since the account's last visit: numbers of ended runs, and the newest 10 of each kind."""

    since: Timestamp
    done: int
    incomplete: int
    cancelled: int
    runs: tuple[EndedRun, ...]
    exclusions: tuple[ChangedExclusion, ...]
    notes: tuple[ChangedNote, ...]
    hosts_new: tuple[ChangedHost, ...]
    hosts_gone: tuple[ChangedHost, ...]
    histories: tuple[ChangedHistory, ...] = ()


class Home(Body):
    """What runs and waits, the newest results with their verdicts, and what changed since the last visit.

    `active` are the runs that have not ended, oldest first, 50 at most. `recent` has the newest run of each
    experiment on each host, 12 at most, among the 200 that ended last. `changes` is null before the account's
    first visit.
    """

    hosts: tuple[HomeHost, ...]
    active: tuple[Run, ...]
    recent: tuple[LibraryRun, ...]
    changes: Changes | None


class HomeVisit(Body):
    """A visit of the page; with `all_seen`, the next response contains later changes only."""

    all_seen: bool = False
