"""What goes in and out of /experiments."""

from __future__ import annotations

from backend.api.schema import Body, Timestamp
from backend.core.definition.experiment import Experiment


class ExperimentResource(Body):
    """A stored experiment and its canonical document."""

    id: str
    name: str
    title: str
    definition: Experiment
    created_at: Timestamp


class ExperimentList(Body):
    """One page of experiments, newest first."""

    data: tuple[ExperimentResource, ...]
    next_cursor: str | None
