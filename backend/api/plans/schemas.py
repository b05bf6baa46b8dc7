"""What comes out of /plans."""

from __future__ import annotations

from pydantic import Field

from backend.api.schema import Body
from backend.core.definition.experiment import Experiment, Stopping
from backend.core.plan.model import Plan


class RoundsFor(Body):
    """So many rounds show this relative difference (0.05: 5 %) with 80 % power; null: more than 1000."""

    effect: float
    rounds: int | None


class Resolution(Body):
    """What the plan can resolve: from the spread between the halves of this host's A/A pairs.

    `spread` is the standard deviation of ln(value) of one trial that is planned with: the one-sided 80 %
    upper confidence bound of `spread_estimate`, or assumed; `source` says which. `smallest_effect` is shown
    with 80 % power at Bonferroni's level for the comparisons; null where nothing could be.
    """

    metric: str
    spread: float
    spread_estimate: float | None = None
    pairs: int
    source: str
    comparisons: int
    smallest_effect: float | None
    rounds_for: tuple[RoundsFor, ...]


class BudgetPlan(Body):
    """What fits into the given time: rounds of all cells, and `stopping` that gives undecided cells more.

    `first_interim_round` is the value of `rounds` to use with `stopping`.
    """

    minutes: int
    fits: bool
    rounds: int
    seconds: float
    smallest_effect: float | None
    stopping: Stopping | None
    first_interim_round: int | None
    first_look: int | None = Field(
        description="Deprecated: the same as `first_interim_round`.", json_schema_extra={"deprecated": True}
    )
    sentence: str


class PlanPreview(Body):
    """The canonical document, the plan that a run of it would follow, and each cell's hops by its id.

    Where the document has no `seed`, the order of `plan.trials` is an example, made with `plan.seed`:
    each run draws a seed of its own. `quality_rule` says in words when a trial waits, is taken again or is
    left out.
    """

    experiment: Experiment
    plan: Plan
    hops: dict[str, tuple[str, ...]]
    resolution: Resolution | None = None
    budget: BudgetPlan | None = None
    quality_rule: str = ""
