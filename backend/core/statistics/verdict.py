"""Exactly one of a few fixed sentences per comparison. Never "same", never "no change"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backend.core.definition.metrics import Metric
from backend.core.statistics.equivalence import is_equivalent
from backend.core.statistics.paired import Bounds, RatioEstimate
from backend.core.statistics.planner import ALPHA

VerdictKind = Literal[
    "better",
    "worse",
    "different_within_margin",
    "equivalent",
    "no_difference_shown",
    "not_enough_rounds",
    "undefined",
]


@dataclass(frozen=True)
class Verdict:
    """The kind, for colours and counts, and its sentence."""

    kind: VerdictKind
    sentence: str


def percent(ratio: float) -> str:
    """A ratio as a signed change: 0.827 is "−17.3 %"."""
    change = 100 * (ratio - 1)
    digits = 1 if abs(change) < 100 else 0
    text = f"{abs(change):,.{digits}f}"
    sign = "−" if change < 0 else "+"
    return f"{sign}{text} %" if float(text.replace(",", "")) else "0 %"


def spread(interval: Bounds) -> str:
    """An interval of ratios as signed changes."""
    return f"{percent(interval[0])} to {percent(interval[1])}"


def margin_text(margin: float) -> str:
    """A margin as it reads in a sentence: 0.05 is "5 %"."""
    return f"{100 * margin:.3g} %"


def excludes_one(interval: Bounds | None) -> bool:
    """Whether a ratio of 1 lies outside the interval."""
    return interval is not None and not interval[0] <= 1 <= interval[1]


def changed(metric: Metric, estimate: RatioEstimate) -> str:
    """ "17.3 % slower (95 % CI −18.0 % to −16.6 %)": size, direction in the metric's words, interval."""
    more, less = metric.comparatives
    size = percent(estimate.ratio).lstrip("+−")
    interval = f" (95 % CI {spread(estimate.interval)})" if estimate.interval else ""
    return f"{size} {more if estimate.ratio > 1 else less}{interval}"


def undefined(reason: str) -> Verdict:
    """There is no ratio to judge."""
    return Verdict("undefined", f"? ({reason})")


def verdict(
    metric: Metric, label: str, estimate: RatioEstimate, p_holm: float, margin: float, needed: int | None
) -> Verdict:
    """The verdict on one comparison.

    `needed` is the number of rounds without which nothing in its family could be significant, or
    None where there are enough.
    """
    if needed is not None:
        return Verdict(
            "not_enough_rounds", f"Not enough rounds: no result could be significant (needs n >= {needed})"
        )
    different = p_holm <= ALPHA and excludes_one(estimate.interval)
    within = is_equivalent(estimate.interval_90, margin)
    if different and within:
        return Verdict(
            "different_within_margin", f"Different, but smaller than your {margin_text(margin)} margin"
        )
    if different:
        better = (estimate.ratio > 1) == (metric.better == "higher")
        return Verdict("better" if better else "worse", f"{label} is {changed(metric, estimate)}")
    if within:
        return Verdict("equivalent", f"Equivalent within {margin_text(margin)}")
    if estimate.interval is None:
        return Verdict("no_difference_shown", "No difference shown; no interval can be given")
    possible = spread(estimate.interval).replace(" to ", " and ")
    return Verdict(
        "no_difference_shown", f"No difference shown; differences between {possible} remain possible"
    )
