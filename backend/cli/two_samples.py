"""Compares two samples with the statistics of a run's cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from backend.core.definition.metrics import Metric
from backend.core.plan.power import ALPHA, smallest_p
from backend.core.statistics import paired, unpaired
from backend.core.statistics.median import MedianInterval, median_interval
from backend.core.statistics.paired import Bounds, RatioEstimate, Undefined, paired_ratio
from backend.core.statistics.unpaired import benchstat_p, mann_whitney_p, smallest_p_unpaired, unpaired_ratio
from backend.core.statistics.verdict import undefined, verdict

FEWEST: Final = 6
"""Fewer values have no 95 % interval of the median."""
_MOST_ROUNDS: Final = 60
BELOW_ZERO: Final = "a value is zero or the sign changes"
"""The text of `unpaired_ratio`; values below zero have a ratio, but it has no meaning."""
RATE: Final = Metric("value", "value", "1/s", "higher")
LESS: Final = Metric("value", "value", "", "lower")
"""A rate is faster or slower; other values are more or less, and the verdict adds which is better."""


@dataclass(frozen=True)
class Design:
    """The design of a comparison; a `margin` of 0.05 is 5 %."""

    by_round: bool = False
    lower_is_better: bool = False
    margin: float = 0.05


@dataclass(frozen=True)
class TwoSamples:
    """Two samples, their ratio candidate ÷ baseline, and the verdict.

    `estimate` is None if no ratio exists, `p` if the samples cannot be tested. `p_benchstat` is what
    benchstat prints for independent samples; None for paired ones, which it does not test.
    """

    baseline: MedianInterval
    candidate: MedianInterval
    estimate: RatioEstimate | None
    p: float | None
    p_benchstat: float | None
    method: str
    verdict: str
    warnings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """All values, unrounded."""
        found = self.estimate
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
        }


def _centre(found: MedianInterval) -> dict[str, Any]:
    bounds = None if found.low is None or found.high is None else [found.low, found.high]
    return {"n": found.n, "median": found.median, "interval": bounds}


def _ends(bounds: Bounds | None) -> list[float] | None:
    return None if bounds is None else list(bounds)


def compare_samples(baseline: Sequence[float], candidate: Sequence[float], design: Design) -> TwoSamples:
    """Compare two samples of at least one finite value each, and as many of both where `design.by_round`."""
    estimate: RatioEstimate | None = None
    p: float | None = None
    try:
        compared = paired_ratio if design.by_round else unpaired_ratio
        found = _finite(compared(baseline, candidate))
        if min(*baseline, *candidate) < 0:
            raise Undefined(BELOW_ZERO)
        estimate, p = found, found.p
        sentence = _verdict(found, len(baseline), len(candidate), design)
    except Undefined as reason:
        sentence = undefined(str(reason)).sentence
        if not design.by_round:
            p = mann_whitney_p(baseline, candidate)
    return TwoSamples(
        baseline=median_interval(baseline),
        candidate=median_interval(candidate),
        estimate=estimate,
        p=p,
        p_benchstat=None if design.by_round else benchstat_p(baseline, candidate),
        method=paired.METHOD if design.by_round else unpaired.METHOD,
        verdict=sentence,
        warnings=tuple(_warnings(baseline, candidate)),
    )


def _finite(found: RatioEstimate) -> RatioEstimate:
    """The estimate, if all its values are finite and above zero. Raises Undefined."""
    figures = [found.ratio, *(found.interval or ()), *(found.interval_90 or ())]
    if not all(math.isfinite(figure) and figure > 0 for figure in figures):
        raise Undefined("the ratio is out of range")
    return found


def _verdict(found: RatioEstimate, n1: int, n2: int, design: Design) -> str:
    """One of the fixed verdicts; if lower is better, with `better` or `worse` appended."""
    least = smallest_p(n1) if design.by_round else min(1.0, 2 / math.comb(n1 + n2, n1))
    needed = None if least <= ALPHA else _needed(design.by_round)
    metric = LESS if design.lower_is_better else RATE
    found_verdict = verdict(metric, "candidate", found, found.p, design.margin, needed)
    if design.lower_is_better and found_verdict.kind in ("better", "worse"):
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
            yield f"{name}: {have} no 95 % interval of the median; it needs n >= {FEWEST}"
        if len(values) > 1 and min(values) == max(values):
            yield f"{name}: all values are equal"
        zeros, negative = sum(value == 0 for value in values), sum(value < 0 for value in values)
        if zeros:
            yield f"{name}: {_count(zeros)} zero; a ratio needs values above zero"
        if negative:
            yield f"{name}: {_count(negative)} below zero; a ratio needs values above zero"


def _count(number: int) -> str:
    return "1 value is" if number == 1 else f"{number} values are"
