"""A ratio of two cells with the correction for its family, its verdict and its fields in the model.

Comparisons inside a run and between runs estimate the ratio by different methods (`statistics.family`,
`statistics.unpaired`); verdict and fields are the same for both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypedDict

from backend.core.chart.model.model_base import Interval, as_interval
from backend.core.definition.metrics import Metric
from backend.core.messages.message import message
from backend.core.plan.power import rounds_needed
from backend.core.statistics import verdict
from backend.core.statistics.interim import adjust
from backend.core.statistics.paired import RatioEstimate, Undefined


class RatioFields(TypedDict):
    """The fields that `Comparison` and `RunComparisonRow` take from a ratio."""

    n: int
    ratio: float | None
    interval: Interval | None
    interval_90: Interval | None
    p: float | None
    p_holm: float | None
    p_adjusted: float | None
    family: int
    interval_unadjusted: Interval | None


@dataclass(frozen=True)
class CorrectedRatio:
    """One ratio of a family; `estimate` is None where no ratio exists, and `reason` then says why.

    The estimate's intervals and adjusted p hold over its family and all interim analyses. `needed` is the
    number of rounds below which nothing in the family can be significant, None where there are enough.
    `p_holm` is the deprecated Holm value.
    """

    estimate: RatioEstimate | None
    reason: str | None = None
    p_holm: float | None = None
    needed: int | None = None

    def verdict(self, metric: Metric, subject: str, margin: float) -> verdict.Verdict:
        """The verdict; its sentence says that `subject` is faster or slower."""
        if self.estimate is None:
            return verdict.undefined(self.reason or message("noRatio"))
        p = 1.0 if self.estimate.p_adjusted is None else self.estimate.p_adjusted
        return verdict.verdict(metric, subject, self.estimate, p, margin, self.needed)

    def fields(self) -> RatioFields:
        """The figures of the ratio; null, n = 0 and a family of 1 where there is none."""
        found = self.estimate
        return {
            "n": 0 if found is None else found.n,
            "ratio": None if found is None else found.ratio,
            "interval": None if found is None else as_interval(found.interval),
            "interval_90": None if found is None else as_interval(found.interval_90),
            "p": None if found is None else found.p,
            "p_holm": self.p_holm,
            "p_adjusted": None if found is None else found.p_adjusted,
            "family": 1 if found is None else found.family,
            "interval_unadjusted": None if found is None else as_interval(found.interval_unadjusted),
        }


def correct_family(
    found: Mapping[str, RatioEstimate | Undefined], analyses: int = 1, rejected: Collection[str] = ()
) -> dict[str, CorrectedRatio]:
    """The ratios of one family by cell id, with Holm's p and the number of rounds that they need.

    Holm's p counts the `rejected` as 0 (`statistics.interim`).
    """
    estimates = {id_: one for id_, one in found.items() if isinstance(one, RatioEstimate)}
    past = {place for place, id_ in enumerate(estimates) if id_ in rejected}
    adjusted = adjust([e.p for e in estimates.values()], analyses, past)
    needed = rounds_needed(analyses * len(estimates)) if estimates else None
    ratios = {id_: CorrectedRatio(None, str(one)) for id_, one in found.items() if isinstance(one, Undefined)}
    for (id_, one), p_holm in zip(estimates.items(), adjusted, strict=True):
        ratios[id_] = CorrectedRatio(one, None, p_holm, needed if one.interval is None else None)
    return ratios
