"""What comes out of /plans."""

from __future__ import annotations

from backend.api.schema import Body
from backend.core.definition.experiment import Experiment
from backend.core.plan.model import Plan


class PlanPreview(Body):
    """The canonical document, the plan that a run of it would follow, and each cell's hops by its id."""

    experiment: Experiment
    plan: Plan
    hops: dict[str, tuple[str, ...]]
