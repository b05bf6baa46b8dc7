"""Responses of /experiments."""

from __future__ import annotations

from backend.api.schema import Body, Line, Timestamp
from backend.core.definition.experiment import Experiment


class ExperimentResource(Body):
    """A stored experiment and its canonical document.

    `refused_now` is the reason why this version does not start an experiment that an older version stored;
    invalid fields then have their defaults. `imported`: all of its runs are imported logs, so that it names
    what was measured elsewhere.
    """

    id: str
    name: str
    title: Line
    definition: Experiment
    created_at: Timestamp
    refused_now: str | None = None
    note: str = ""
    tags: tuple[str, ...] = ()
    imported: bool = False


class ExperimentList(Body):
    """One page of experiments, newest first."""

    data: tuple[ExperimentResource, ...]
    next_cursor: str | None
