"""A comparison of two cells with the correction for its family, its verdict and its fields in the model.

It is a ratio, or a difference where no ratio exists because a value is zero. Comparisons inside a run and
between runs estimate it by different methods (`statistics.family`,
`statistics.unpaired`); verdict and fields are the same for both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypedDict

from backend.core.chart.model.model_base import Difference, Interval, as_interval
from backend.core.definition.metrics import Metric
from backend.core.messages.message import message
from backend.core.plan.power import rounds_needed
from backend.core.statistics import verdict
from backend.core.statistics.difference_estimate import DifferenceEstimate
from backend.core.statistics.interim import adjust
from backend.core.statistics.ratio_estimate import RatioEstimate, Undefined


class EstimateFields(TypedDict):
    """The fields that `Comparison` and `RunComparisonRow` take from a comparison."""

    n: int
    ratio: float | None
    interval: Interval | None
    interval_90: Interval | None
    p: float | None
    p_holm: float | None
    p_adjusted: float | None
    family: int
    interval_unadjusted: Interval | None
    difference: Difference | None


@dataclass(frozen=True)
class CorrectedEstimate:
    """One comparison of a family; `estimate` is None where none can be made, and `reason` then says why.

    The estimate's intervals and adjusted p hold over its family and all interim analyses. `needed` is the
    number of rounds below which nothing in the family can be significant, None where there are enough.
    `p_holm` is the deprecated Holm value.
    """

    estimate: RatioEstimate | DifferenceEstimate | None
    reason: str | None = None
    p_holm: float | None = None
    needed: int | None = None

    def verdict(self, metric: Metric, subject: str, margin: float) -> verdict.Verdict:
        """The verdict; its sentence says that `subject` is faster or slower."""
        if self.estimate is None:
            return verdict.undefined(self.reason or message("noRatio"))
        p = 1.0 if self.estimate.p_adjusted is None else self.estimate.p_adjusted
        return verdict.verdict(metric, subject, self.estimate, p, margin, self.needed)

    def fields(self, unit: str) -> EstimateFields:
        """The figures in the metric's unit; null, n = 0 and a family of 1 where there is no comparison.

        Of a difference `ratio` and its intervals are null.
        """
        found = self.estimate
        ratio = found if isinstance(found, RatioEstimate) else None
        return {
            "n": 0 if found is None else found.n,
            "ratio": None if ratio is None else ratio.ratio,
            "interval": None if ratio is None else as_interval(ratio.interval),
            "interval_90": None if ratio is None else as_interval(ratio.interval_90),
            "p": None if found is None else found.p,
            "p_holm": self.p_holm,
            "p_adjusted": None if found is None else found.p_adjusted,
            "family": 1 if found is None else found.family,
            "interval_unadjusted": None if ratio is None else as_interval(ratio.interval_unadjusted),
            "difference": as_difference(found, unit) if isinstance(found, DifferenceEstimate) else None,
        }


def as_difference(found: DifferenceEstimate, unit: str) -> Difference:
    """A difference as a part of the model."""
    return Difference(
        value=found.estimate,
        interval=as_interval(found.interval),
        interval_unadjusted=as_interval(found.interval_unadjusted),
        unit=unit,
    )


def correct_family(
    found: Mapping[str, RatioEstimate | DifferenceEstimate | Undefined],
    analyses: int = 1,
    rejected: Collection[str] = (),
) -> dict[str, CorrectedEstimate]:
    """The comparisons of one family by cell id, with Holm's p and the number of rounds that they need.

    Holm's p counts the `rejected` as 0 (`statistics.interim`).
    """
    estimates = {id_: one for id_, one in found.items() if not isinstance(one, Undefined)}
    past = {place for place, id_ in enumerate(estimates) if id_ in rejected}
    adjusted = adjust([e.p for e in estimates.values()], analyses, past)
    needed = rounds_needed(analyses * len(estimates)) if estimates else None
    corrected = {
        id_: CorrectedEstimate(None, str(one)) for id_, one in found.items() if isinstance(one, Undefined)
    }
    for (id_, one), p_holm in zip(estimates.items(), adjusted, strict=True):
        corrected[id_] = CorrectedEstimate(one, None, p_holm, needed if one.interval is None else None)
    return corrected
