"""What comes out of /plans."""

from __future__ import annotations

from backend.api.schema import Body
from backend.core.definition.experiment import Experiment
from backend.core.plan.model import Plan


class PlanPreview(Body):
    """The canonical document and the plan that a run of it would follow."""

    experiment: Experiment
    plan: Plan
