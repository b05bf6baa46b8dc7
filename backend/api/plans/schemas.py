"""Responses of /plans."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import AliasChoices, Field

from backend.api.schema import Body, WithTexts
from backend.core.definition.experiment import Experiment, Stopping
from backend.core.plan.model import Plan


class RoundsFor(Body):
    """The rounds that detect this relative difference (0.05: 5 %) with 80 % power; null: more than 1000."""

    effect: float
    rounds: int | None


class Resolution(Body):
    """The resolution of the plan, from the spread between the halves of this host's A/A pairs.

    `spread` is the assumed standard deviation of ln(value) of one trial: the one-sided 80 % upper confidence
    bound of `spread_estimate`, or a default; `source` says which. `smallest_effect` is detected with 80 %
    power at Bonferroni's level for the comparisons; null without a comparison.
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
    """What fits into a time budget: equal rounds for all cells, or rounds with interim analyses.

    `first_look` is deprecated: use `first_interim_analysis`.
    """

    minutes: int
    fits: bool
    rounds: int
    seconds: float
    smallest_effect: float | None
    stopping: Stopping | None
    first_interim_analysis: Annotated[
        int | None, Field(validation_alias=AliasChoices("first_interim_analysis", "first_look"))
    ]
    first_look: Annotated[
        int | None,
        Field(
            validation_alias=AliasChoices("first_look", "first_interim_analysis"),
            description="Deprecated: use `first_interim_analysis`.",
            json_schema_extra={"deprecated": True},
        ),
    ]
    sentence: str


class PlanPreview(WithTexts):
    """The canonical document, the plan that a run of it would follow, and each cell's hops by its id.

    Where the document has no `seed`, the order of `plan.trials` is an example, made with `plan.seed`:
    each run draws its own seed. `quality_rule` explains when a trial waits, is repeated or is left out. A
    start with `plan_digest` starts this plan on these hosts, or nothing. `messages` has the id and figures of
    its sentences.
    """

    experiment: Experiment
    plan: Plan
    hops: dict[str, tuple[str, ...]]
    resolution: Resolution | None = None
    budget: BudgetPlan | None = None
    quality_rule: str = ""
    plan_digest: str = ""

    def sentences(self) -> Iterable[str | None]:
        """Warnings, reasons of cells that cannot run, and what it says of rounds, budget and spread."""
        yield from (cell.infeasible for cell in self.plan.cells)
        yield from self.plan.warnings
        yield from (self.quality_rule, self.plan.restart_reason)
        yield None if self.resolution is None else self.resolution.source
        yield None if self.budget is None else self.budget.sentence
