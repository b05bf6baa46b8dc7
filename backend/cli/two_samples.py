"""Compares two samples with the statistics of a run's cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from backend.core.definition.metrics import Metric
from backend.core.plan.power import ALPHA, smallest_p
from backend.core.statistics import paired, unpaired
from backend.core.statistics.compared_pair import Estimate
from backend.core.statistics.difference_estimate import DifferenceEstimate
from backend.core.statistics.family import family_differences, family_intervals
from backend.core.statistics.median import MedianInterval, median_interval
from backend.core.statistics.paired import Bounds, RatioEstimate, Undefined
from backend.core.statistics.unpaired import benchstat_p, mann_whitney_p, smallest_p_unpaired, unpaired_ratio
from backend.core.statistics.unpaired_difference import unpaired_difference
from backend.core.statistics.verdict import undefined, verdict

TIES: Final = "; ties count against a difference"
"""How p is by the method where values tie: an interval's bounds are values, so that it contains its ties."""
FEWEST: Final = 6
"""Fewer values have no 95 % interval of the median."""
_MOST_ROUNDS: Final = 60
_LAST_DIGITS: Final = 1e-6
BELOW_ZERO: Final = "a value is zero or the sign changes"
"""The text of `unpaired_ratio`; values below zero have a ratio, but it has no meaning."""
RATE: Final = Metric("value", "value", "1/s", "higher")
LESS: Final = Metric("value", "value", "", "lower")
"""A rate is faster or slower; other values are more or less, and the verdict adds which is better."""
MORE: Final = Metric("value", "value", "", "higher")
"""A rate whose difference is judged, because a value is zero: it is higher or lower by a number."""


@dataclass(frozen=True)
class Design:
    """The design of a comparison; a `margin` of 0.05 is 5 %."""

    by_round: bool = False
    lower_is_better: bool = False
    margin: float = 0.05


@dataclass(frozen=True)
class TwoSamples:
    """Two samples, their ratio candidate ÷ baseline, and the verdict.

    `estimate` is a difference if no ratio exists, because a value is zero or below; None without either.
    `p` decides the verdict together with the interval, which excludes no difference exactly where p is at
    most 5 %; None if the samples cannot be judged. `p_permutation` is that of the exact permutation
    distribution with ties (normal for large samples): another one where values tie, and it decides nothing.
    `p_benchstat` is what benchstat prints for independent samples; None for paired ones, which it does not
    test.
    """

    baseline: MedianInterval
    candidate: MedianInterval
    estimate: Estimate | None
    p: float | None
    p_permutation: float | None
    p_benchstat: float | None
    method: str
    verdict: str
    warnings: tuple[str, ...]

    @property
    def ratio(self) -> RatioEstimate | None:
        """The ratio, if there is one."""
        return self.estimate if isinstance(self.estimate, RatioEstimate) else None

    @property
    def difference(self) -> DifferenceEstimate | None:
        """The difference candidate − baseline, if it was judged in place of a ratio."""
        return self.estimate if isinstance(self.estimate, DifferenceEstimate) else None

    @property
    def counts_ties(self) -> bool:
        """Whether p differs from the permutation p, because it counts ties against a difference."""
        exact, p = self.p_permutation, self.p
        return p is not None and exact is not None and not math.isclose(p, exact, rel_tol=_LAST_DIGITS)

    @property
    def change_percent(self) -> float | None:
        """The change from median to median, as benchstat prints it; None from a median of zero or below."""
        base = self.baseline.median
        change = 100 * (self.candidate.median / base - 1) if base > 0 else math.inf
        return change if math.isfinite(change) else None

    def as_json(self) -> dict[str, Any]:
        """All values, unrounded."""
        found, apart = self.ratio, self.difference
        return {
            "baseline": _centre(self.baseline),
            "candidate": _centre(self.candidate),
            "ratio": {
                "estimate": None if found is None else found.ratio,
                "interval": None if found is None else _ends(found.interval),
                "interval_90": None if found is None else _ends(found.interval_90),
            },
            "p": self.p,
            "p_benchstat": self.p_benchstat,
            "method": self.method,
            "verdict": self.verdict,
            "warnings": list(self.warnings),
            "difference": None
            if apart is None
            else {"estimate": apart.estimate, "interval": _ends(apart.interval)},
            "change_percent": self.change_percent,
            "p_permutation": self.p_permutation,
        }


def _centre(found: MedianInterval) -> dict[str, Any]:
    bounds = None if found.low is None or found.high is None else [found.low, found.high]
    return {"n": found.n, "median": found.median, "interval": bounds}


def _ends(bounds: Bounds | None) -> list[float] | None:
    return None if bounds is None else list(bounds)


def compare_samples(baseline: Sequence[float], candidate: Sequence[float], design: Design) -> TwoSamples:
    """Compare two samples of at least one finite value each, and as many of both where `design.by_round`."""
    estimate: Estimate | None = None
    p_permutation: float | None = None
    try:
        estimate = _estimate(baseline, candidate, design.by_round)
        p_permutation = estimate.p
        sentence = _verdict(estimate, len(baseline), len(candidate), design)
    except Undefined as reason:
        sentence = undefined(str(reason)).sentence
        if not design.by_round:
            p_permutation = mann_whitney_p(baseline, candidate)
    found = TwoSamples(
        baseline=median_interval(baseline),
        candidate=median_interval(candidate),
        estimate=estimate,
        p=None if estimate is None else estimate.p_adjusted,
        p_permutation=p_permutation,
        p_benchstat=None if design.by_round else benchstat_p(baseline, candidate),
        method=_method(estimate, design.by_round),
        verdict=sentence,
        warnings=tuple(_warnings(baseline, candidate)),
    )
    return replace(found, method=found.method + TIES) if found.counts_ties else found


def _method(estimate: Estimate | None, by_round: bool) -> str:
    if estimate is not None:
        return estimate.method
    return paired.METHOD if by_round else unpaired.METHOD


def _estimate(baseline: Sequence[float], candidate: Sequence[float], by_round: bool) -> Estimate:
    """The ratio, or the difference where a value is zero or below. Raises Undefined without either."""
    try:
        if min(*baseline, *candidate) < 0:
            raise Undefined(BELOW_ZERO)
        return _finite(_ratio(baseline, candidate, by_round))
    except Undefined:
        found = _difference(baseline, candidate, by_round)
    if not math.isfinite(math.fsum((found.estimate, *(found.interval or ())))):
        raise Undefined("the difference is out of range")
    return found


def _ratio(baseline: Sequence[float], candidate: Sequence[float], by_round: bool) -> RatioEstimate:
    if not by_round:
        return unpaired_ratio(baseline, candidate)
    (found,) = family_intervals([dict(enumerate(baseline))], [dict(enumerate(candidate))])
    if isinstance(found, Undefined):
        raise found
    return found


def _difference(baseline: Sequence[float], candidate: Sequence[float], by_round: bool) -> DifferenceEstimate:
    if not by_round:
        return unpaired_difference(baseline, candidate)
    (found,) = family_differences([dict(enumerate(baseline))], [dict(enumerate(candidate))])
    if isinstance(found, Undefined):
        raise found
    return found


def _finite(found: RatioEstimate) -> RatioEstimate:
    """The estimate, if all its values are finite and above zero. Raises Undefined."""
    figures = [found.ratio, *(found.interval or ()), *(found.interval_90 or ())]
    if not all(math.isfinite(figure) and figure > 0 for figure in figures):
        raise Undefined("the ratio is out of range")
    return found


def _verdict(found: Estimate, n1: int, n2: int, design: Design) -> str:
    """One of the fixed verdicts; if lower is better, with `better` or `worse` appended."""
    least = smallest_p(n1) if design.by_round else min(1.0, 2 / math.comb(n1 + n2, n1))
    needed = None if least <= ALPHA else _needed(design.by_round)
    is_difference = isinstance(found, DifferenceEstimate)
    metric = LESS if design.lower_is_better else MORE if is_difference else RATE
    p = 1.0 if found.p_adjusted is None else found.p_adjusted
    found_verdict = verdict(metric, "candidate", found, p, design.margin, needed)
    if (design.lower_is_better or is_difference) and found_verdict.kind in ("better", "worse"):
        return f"{found_verdict.sentence}: {found_verdict.kind}"
    return found_verdict.sentence


def _needed(by_round: bool) -> int:
    """The smallest sample size with which a difference can be significant."""
    least = smallest_p if by_round else smallest_p_unpaired
    return next(n for n in range(1, _MOST_ROUNDS) if least(n) <= ALPHA)


def _warnings(baseline: Sequence[float], candidate: Sequence[float]) -> Iterator[str]:
    for name, values in (("baseline", baseline), ("candidate", candidate)):
        if len(values) < FEWEST:
            have = "1 value has" if len(values) == 1 else f"{len(values)} values have"
            yield f"{name}: {have} no 95 % interval of the median; it needs n ≥ {FEWEST}"
        if len(values) > 1 and min(values) == max(values):
            yield f"{name}: all values are equal"
        zeros, negative = sum(value == 0 for value in values), sum(value < 0 for value in values)
        if zeros:
            yield f"{name}: {_count(zeros)} zero; a ratio needs values above zero"
        if negative:
            yield f"{name}: {_count(negative)} below zero; a ratio needs values above zero"


def _count(number: int) -> str:
    return "1 value is" if number == 1 else f"{number} values are"
