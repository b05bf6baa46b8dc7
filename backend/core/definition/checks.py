"""What no single field can tell: levels against factors, baseline against levels, metrics by name.

These checks read the plain document, so that they report beside the field-by-field ones instead of
after them; what a field-by-field check already refuses is left to it.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator

from backend.core.definition.factors import FACTORS, Factor, Level
from backend.core.definition.metrics import METRICS
from backend.core.errors import Problem


def pointer(*parts: str | int) -> str:
    """The JSON Pointer (RFC 6901) to the value that `parts` lead to."""
    return "".join("/" + _encodable(str(part)).replace("~", "~0").replace("/", "~1") for part in parts)


def _encodable(text: str) -> str:
    """Text that every encoder accepts: JSON's escapes can spell half a surrogate pair."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shown(value: object) -> str:
    """A value as a short quotation for a message."""
    if value is None or isinstance(value, bool):
        return {True: "true", False: "false", None: "null"}[value]
    text = f"“{_encodable(value)}”" if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"


def listed(values: Iterable[object]) -> str:
    """Values as a list for a message."""
    return ", ".join(shown(v).strip("“”") for v in values)


def unknown(noun: str, name: object, known: Collection[str]) -> str:
    """Refuse a name: what there is, and which of it was probably meant."""
    close = difflib.get_close_matches(str(name)[:80], known, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"unknown {noun} {shown(name)}; the {noun}s are {listed(known)}{hint}"


def allowed(factor: Factor) -> str:
    """What levels a factor can have, as the end of a sentence."""
    if factor.choices:
        return f"the levels of {factor.name} are {listed(factor.choices)}"
    unit = f" ({factor.unit})" if factor.unit else ""
    return f"{factor.name}{unit} must be a whole number from {factor.minimum} to {factor.maximum}"


def is_level(factor: Factor, value: object) -> bool:
    """Whether a plain value is a level of the factor; true is not 1 and “8” is not 8."""
    if factor.choices:
        return any(type(value) is type(choice) and value == choice for choice in factor.choices)
    return type(value) is int and factor.minimum <= value <= factor.maximum


def contradictions(document: dict[str, object]) -> Iterator[Problem]:
    """Problems that only the document as a whole shows."""
    factors = document.get("factors", {})
    if isinstance(factors, dict):
        for name in FACTORS:
            if isinstance(levels := factors.get(name), list):
                yield from _repeated(levels, "duplicate_level", "level", "factors", name)
        yield from _baseline(document.get("baseline"), factors)
    metrics = document.get("metrics")
    if isinstance(metrics, list):
        yield from _metrics(metrics)
        yield from _repeated(metrics, "duplicate_metric", "metric", "metrics")


def _repeated(values: list[object], code: str, noun: str, *at: str) -> Iterator[Problem]:
    seen: set[tuple[type, str]] = set()
    for index, value in enumerate(values):
        key = (type(value), repr(value))
        if key in seen:
            detail = f"the {noun} {shown(value)} stands here twice; name each {noun} once"
            yield Problem(pointer(*at, index), code, detail)
        seen.add(key)


def _metrics(names: list[object]) -> Iterator[Problem]:
    for index, name in enumerate(names):
        if isinstance(name, str) and name not in METRICS:
            detail = unknown("metric", name, METRICS)
            yield Problem(pointer("metrics", index), "unknown_metric", detail)


def _baseline(baseline: object, factors: dict[str, object]) -> Iterator[Problem]:
    if not isinstance(baseline, dict):
        return
    for name, value in baseline.items():
        at = pointer("baseline", name)
        factor = FACTORS.get(name)
        if factor is None:
            yield Problem(at, "unknown_factor", unknown("factor", name, FACTORS))
        elif not is_level(factor, value):
            yield Problem(at, "unknown_level", f"{shown(value)} is not a level; {allowed(factor)}")
        elif not any(type(level) is type(value) and level == value for level in _levels(factor, factors)):
            own = listed(_levels(factor, factors))
            detail = f"the baseline must be one of the levels that the experiment has: {own}"
            yield Problem(at, "baseline_not_in_levels", detail)


def _levels(factor: Factor, factors: dict[str, object]) -> tuple[object | Level, ...]:
    levels = factors.get(factor.name, factor.default)
    return tuple(levels) if isinstance(levels, list) else (levels,)
