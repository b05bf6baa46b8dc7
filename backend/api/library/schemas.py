"""Requests and responses of the library."""

from __future__ import annotations

from pydantic import Field

from backend.api.schema import Body, Line, Timestamp
from backend.core.chart.run_verdict import RunVerdict
from backend.core.plan.states import Origin, RunState


class ExclusionReason(Body):
    """A reason for which trials of a run are excluded, and how many."""

    reason: str
    trials: int


class LibraryRun(Body):
    """A run in a list, with the verdict that was kept at its end.

    `author` is who started or imported it, empty where that is not known. `note` is the beginning of its
    note. `verdict` is null while the run has not ended, and until it was computed (`verdict_due`).
    """

    id: str
    experiment_id: str
    name: str
    title: Line
    host: str
    origin: Origin
    state: RunState
    created_at: Timestamp
    finished_at: Timestamp | None
    group_id: str | None
    author: str
    tags: tuple[str, ...]
    note: str
    starred: bool
    archived: bool
    verdict: RunVerdict | None
    verdict_due: bool = Field(description="Whether a verdict, or a newer one, will be computed.")
    exclusions: tuple[ExclusionReason, ...]
