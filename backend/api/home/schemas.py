"""The query and the response of GET /home."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from backend.api.library.schemas import LibraryRun
from backend.api.runs.schemas import Run
from backend.api.schema import Body, Line, Timestamp
from backend.core.chart.model.model_base import Difference
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


class HomeQuery(Body):
    """The host of the questions; without one, or with an unknown one, that of the team's newest run."""

    host: Annotated[str, Field(min_length=1, max_length=64)] | None = None


class ActiveRun(Run):
    """A run that has not ended, and who started it; empty where that is not known."""

    author: str = ""


class HomeRun(LibraryRun):
    """An ended run. Of one without an answer, `lost_trials` failed or were disturbed by the host."""

    lost_trials: int = 0


class HomeQuestion(Body):
    """What is known on one host of the question of a preset: its full or its quick form, as they are.

    `preset` is the name of the full form. `answer` is the newest run with an answer, `without_answer` a later
    one without; both null: it was never measured there. `active` is the run that waits or runs.
    """

    preset: str
    answer: HomeRun | None
    without_answer: HomeRun | None
    active: str | None


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

    `ratio` is after ÷ before; where a value of the series is zero it is null, and `difference` is after −
    before. `direction` says whether that is better. `run_id` is the first run after it and `run_at` the start
    of that run.
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
    ratio: float | None
    difference: Difference | None = None
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
    """What runs and waits, the latest answers, and what changed since the last visit.

    `active` are the oldest 50 of `open_runs` runs that have not ended. `recent` has, of each experiment on
    each host, the newest run with an answer and a later one without, 12 at most, among the 200 that ended
    last; the verdict says whether a run has an answer (`answered`). `questions` are those of the presets on
    the host `host`, null where there is none. `changes` is null before the account's first
    visit.
    """

    hosts: tuple[HomeHost, ...]
    active: tuple[ActiveRun, ...]
    open_runs: int = 0
    recent: tuple[HomeRun, ...]
    host: str | None = None
    questions: tuple[HomeQuestion, ...] = ()
    changes: Changes | None


class HomeVisit(Body):
    """A visit of the page; with `all_seen`, the next response contains later changes only."""

    all_seen: bool = False
