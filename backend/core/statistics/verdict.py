"""The verdict on a comparison: exactly one of a few fixed sentences; never "same" or "no change"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from backend.core.definition.metrics import Metric
from backend.core.messages.message import Message, message
from backend.core.plan.power import ALPHA
from backend.core.statistics.amounts import DIGITS, amounts, signed_amounts, signed_range
from backend.core.statistics.difference_estimate import DifferenceEstimate
from backend.core.statistics.equivalence import is_equivalent
from backend.core.statistics.ratio_estimate import Bounds, RatioEstimate

VerdictKind = Literal[
    "better",
    "worse",
    "different_within_margin",
    "equivalent",
    "no_difference_shown",
    "not_enough_rounds",
    "undefined",
]

TIMES: Final = 10
"""From this ratio on, a sentence states a multiple instead of a change in per cent (`is_multiple`)."""
_FAMILIES: Final = {
    "comparisons": "ciOfComparisons",
    "steps": "ciOfSteps",
    "levels": "ciOfLevels",
    "tested figures": "ciOfTestedFigures",
    "pairs of hosts": "ciOfPairs",
}
_SHOWN: Final = 2
"""Decimals with which a ratio near TIMES is shown."""
_MOST_DECIMALS: Final = 7
_ORDINARY: Final = (1e-6, 1e9)
"""Multiples beyond these are written with an exponent."""


@dataclass(frozen=True)
class Verdict:
    """The kind of verdict, for colours and counts, and its sentence."""

    kind: VerdictKind
    sentence: str


def as_kept(ratio: float) -> float:
    """A ratio with the digits of a result, so that a sentence and a table print the same one of it."""
    return float(f"{ratio:.{DIGITS}g}")


def is_multiple(ratio: float) -> bool:
    """Whether a ratio is stated as a multiple and not as a change: from 10.00 on, as it is shown.

    The last digits of a logarithm do not decide: 9.999999999 is "10.0 times", as 10 is.
    """
    return round(ratio, _SHOWN) >= TIMES


def percent(ratio: float) -> str:
    """A ratio as a signed change: 0.827 is "−17.3 %"; from 100 % on without decimals, from ten on "12×"."""
    kept = as_kept(ratio)
    return _signed(kept, _decimals((kept,)))


def spread(interval: Bounds) -> str:
    """An interval of ratios as signed changes, with one decimal in both or in neither."""
    low, high = _ends(interval)
    return message("range", low=low, high=high)


def _ends(interval: Bounds) -> tuple[str, str]:
    low, high = map(as_kept, interval)
    digits = _decimals((low, high))
    return _signed(low, digits), _signed(high, digits)


def _decimals(ratios: Sequence[float]) -> int:
    """One where a change is below 100 % as it is shown, else none; more where a fall would be shown as 100 %.

    A cell with a ratio above 0 has not lost everything.
    """
    shown = [ratio for ratio in ratios if not is_multiple(ratio)]
    if all(ratio == 0 or round(100 * (ratio - 1), 1) >= 100 for ratio in shown):
        return 0
    least = min((ratio for ratio in shown if ratio > 0), default=1.0)
    return next((d for d in range(1, _MOST_DECIMALS) if round(100 * (1 - least), d) < 100), _MOST_DECIMALS)


def _signed(ratio: float, digits: int) -> str:
    if is_multiple(ratio):
        return f"{float(f'{ratio:.2g}'):,.0f}×" if ratio < _ORDINARY[1] else f"{ratio:.2g}×"
    change = 100 * (ratio - 1)
    text = f"{abs(change):,.{digits}f}"
    sign = "−" if change < 0 else "+"
    return f"{sign}{text} %" if float(text.replace(",", "")) else "0 %"


def multiples(*ratios: float) -> tuple[str, ...]:
    """Ratios above 0 with the same number of decimals; the smallest keeps two or three digits."""
    ratios = tuple(map(as_kept, ratios))
    place = math.floor(math.log10(float(f"{min(ratios):.3g}")))  # that of 10 for 9.999999999
    digits = min(_MOST_DECIMALS, 1 - place) if place < -1 else max(0, 2 - max(0, place))
    return tuple(f"{r:,.{digits}f}" if _ORDINARY[0] <= r < _ORDINARY[1] else f"{r:.2g}" for r in ratios)


def margin_text(margin: float) -> str:
    """A margin in per cent: 0.05 is "5 %"."""
    return f"{100 * margin:.3g} %"


def excludes_one(interval: Bounds | None) -> bool:
    """Whether a ratio of 1 lies outside the interval."""
    return interval is not None and not interval[0] <= 1 <= interval[1]


def confidence(family: int, of: str = "comparisons") -> str:
    """The name of an interval: "95 % CI" alone, "95 % simultaneous CI of 6 comparisons" in a family."""
    return message("ci") if family == 1 else message(_FAMILIES[of], n=family)


def details(interval_name: str, bounds: str, n: str = "") -> str:
    """ " (95 % CI 2 to 3, 10 rounds)": an interval and the number of values in brackets, as far as given."""
    if bounds and n:
        return message("detailsCiN", ci=interval_name, range=bounds, n=n)
    if bounds:
        return message("detailsCi", ci=interval_name, range=bounds)
    return message("detailsN", n=n) if n else ""


def changed(
    metric: Metric, ratio: float, interval: Bounds | None, than: str = "", n: str = "", family: int = 1
) -> str:
    """ "17.3 % slower (95 % CI −18.0 % to −16.6 %)": size, direction in the metric's words, interval.

    From a ratio of ten on "210 times as high (95 % CI 200 to 220 times)". `than` names the other side and `n`
    the number of values: "17.3 % slower than a (95 % CI −18.0 % to −16.6 %, 10 rounds)". `family` is the
    number of comparisons over which the interval is simultaneous.
    """
    more, less = metric.comparatives
    bounds = ""
    if is_multiple(ratio):
        size, *ends = multiples(ratio, *(interval or ()))
        if ends:
            bounds = message("rangeTimes", low=ends[0], high=ends[1])
    else:
        size = percent(ratio).lstrip("+−")
        bounds = spread(interval) if interval else ""
    kind = f"times{more.title()}" if is_multiple(ratio) else f"change{(more if ratio > 1 else less).title()}"
    given = details(confidence(family), bounds, n)
    if than:
        return message(f"{kind}Than", size=size, than=than, details=given)
    return message(kind, size=size, details=given)


def excludes_zero(interval: Bounds | None) -> bool:
    """Whether a difference of 0 lies outside the interval."""
    return interval is not None and not interval[0] <= 0 <= interval[1]


def changed_by(
    metric: Metric, difference: float, interval: Bounds | None, than: str = "", n: str = "", family: int = 1
) -> str:
    """ "1,090 segments higher (95 % CI +908 to +1,283 segments)": as `changed`, of a difference."""
    more, less = metric.comparatives
    (size,) = amounts((abs(difference),), metric.unit)
    given = details(confidence(family), signed_range(interval, metric.unit) if interval else "", n)
    kind = f"change{(more if difference > 0 else less).title()}"
    if than:
        return message(f"{kind}Than", size=size, than=than, details=given)
    return message(kind, size=size, details=given)


def undefined(reason: str) -> Verdict:
    """The verdict where there is no ratio."""
    return Verdict("undefined", message("verdictUndefined", reason=reason))


def reason_of(sentence: str) -> str:
    """The reason in the sentence of an undefined verdict; any other sentence itself."""
    if isinstance(sentence, Message) and sentence.id == "verdictUndefined":
        return str(sentence.figures["reason"])
    return sentence


def verdict(
    metric: Metric,
    label: str,
    estimate: RatioEstimate | DifferenceEstimate,
    p_adjusted: float,
    margin: float,
    needed: int | None,
) -> Verdict:
    """The verdict on one comparison; its sentence names its family.

    `needed` is the number of rounds below which nothing in its family can be significant; None where there
    are enough.
    """
    if needed is not None:
        return Verdict("not_enough_rounds", message("verdictTooFewRounds", needed=needed))
    if isinstance(estimate, DifferenceEstimate):
        return _of_difference(metric, label, estimate, p_adjusted, margin)
    different = p_adjusted <= ALPHA and excludes_one(estimate.interval)
    within = is_equivalent(estimate.interval_90, margin)
    of = message("familySimultaneous", n=estimate.family) if estimate.family > 1 else ""
    if different and within:
        sentence = message("verdictWithinMargin", margin=margin_text(margin), family=of)
        return Verdict("different_within_margin", sentence)
    if different:
        better = (estimate.ratio > 1) == (metric.better == "higher")
        change = changed(metric, estimate.ratio, estimate.interval, family=estimate.family)
        return Verdict("better" if better else "worse", message("verdictChange", label=label, change=change))
    if within:
        return Verdict("equivalent", message("verdictEquivalent", margin=margin_text(margin), family=of))
    ends = None if estimate.interval is None else _ends(estimate.interval)
    return _none_shown(ends, estimate.family)


def _of_difference(
    metric: Metric, label: str, found: DifferenceEstimate, p_adjusted: float, margin: float
) -> Verdict:
    """The verdict on a difference. A margin is a ratio, so that only a difference of 0 lies within it."""
    if p_adjusted <= ALPHA and excludes_zero(found.interval):
        better = (found.estimate > 0) == (metric.better == "higher")
        change = changed_by(metric, found.estimate, found.interval, family=found.family)
        return Verdict("better" if better else "worse", message("verdictChange", label=label, change=change))
    if found.is_none:
        of = message("familySimultaneous", n=found.family) if found.family > 1 else ""
        return Verdict("equivalent", message("verdictEquivalent", margin=margin_text(margin), family=of))
    ends = None if found.interval is None else signed_amounts(found.interval, metric.unit)
    return _none_shown(ends, found.family)


def _none_shown(ends: Sequence[str] | None, family: int) -> Verdict:
    if ends is None:
        return Verdict("no_difference_shown", message("verdictNoInterval"))
    by = message("inBrackets", text=confidence(family)) if family > 1 else ""
    sentence = message("verdictRemains", low=ends[0], high=ends[1], family=by)
    return Verdict("no_difference_shown", sentence)
