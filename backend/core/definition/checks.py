"""Checks across fields: factors against each other, baseline and rules against levels, interim analyses.

They read the plain document, so that their problems are reported together with those of single fields. A
value that the check of its own field refuses is left to that check.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from backend.core.definition.factors import FACTORS, LONGEST_TEXT, Factor
from backend.core.definition.metrics import RATES
from backend.core.definition.nesting import (
    LONGEST_LIST,
    applies_somewhere,
    as_levels,
    completed,
    included,
    products,
    tools_of,
    united,
)
from backend.core.definition.question import baseline_of
from backend.core.definition.text import printable
from backend.core.errors import Problem

MAX_ANALYSES: Final = 20
"""Every interim analysis makes the significance level of all of them stricter."""
LONGEST_SHOWN: Final = 60
"""Characters of a value in a message."""
DEFAULT_ROUNDS: Final = 10
DEFAULT_EVERY: Final = 4


def pointer(*parts: str | int) -> str:
    """The JSON Pointer (RFC 6901) to the value that `parts` lead to."""
    return "".join("/" + _encodable(str(part)).replace("~", "~0").replace("/", "~1") for part in parts)


def _encodable(text: str) -> str:
    """Text that every encoder accepts: JSON's escapes can spell half a surrogate pair."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shown(value: object) -> str:
    """A value quoted for a message, at most LONGEST_SHOWN characters."""
    if value is None or isinstance(value, bool):
        return {True: "true", False: "false", None: "null"}[value]
    # Cut before the replacement of characters: a value may have a mebibyte, and is shown several times.
    cut = value[:LONGEST_SHOWN] if isinstance(value, str) else value
    text = f"“{printable(_encodable(cut))}”" if isinstance(cut, str) else str(cut)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "…"


def listed(values: Iterable[object]) -> str:
    """Values joined by commas for a message."""
    return ", ".join(shown(v).strip("“”") for v in values)


def unknown(noun: str, name: object, known: Collection[str]) -> str:
    """The message that refuses a name: the known names, and the closest one."""
    close = difflib.get_close_matches(str(name)[:80], known, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"unknown {noun} {shown(name)}; the {noun}s are {listed(known)}{hint}"


def allowed(factor: Factor) -> str:
    """The clause that names the allowed levels of a factor."""
    if factor.choices:
        return f"the levels of {factor.name} are {listed(factor.choices)}"
    if factor.pattern:
        about = f" ({factor.about})" if factor.about else ""
        return (
            f"{factor.name} must be a text of at most {LONGEST_TEXT} characters "
            f"that matches {factor.pattern}{about}"
        )
    unit = f" ({factor.unit})" if factor.unit else ""
    return f"{factor.name}{unit} must be a whole number from {factor.minimum} to {factor.maximum}"


def is_level(factor: Factor, value: object) -> bool:
    """Whether a plain value is an allowed level of the factor; true is not 1, and “8” is not 8."""
    if factor.choices:
        return any(type(value) is type(choice) and value == choice for choice in factor.choices)
    if factor.pattern:
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            return False
        return re.fullmatch(factor.pattern, value) is not None
    return type(value) is int and factor.minimum <= value <= factor.maximum


def wrong_level(factor: Factor, value: object) -> tuple[str, str]:
    """Code and detail of the problem of a value that is_level refuses."""
    code = "unknown_level" if factor.choices else "bad_form" if factor.pattern else "out_of_bounds"
    if not factor.choices and type(value) is not (str if factor.pattern else int):
        code = "wrong_type"
    detail = f"{shown(value)} is not allowed; {allowed(factor)}"
    if isinstance(value, bool):
        detail += "; in YAML an unquoted yes, no, on or off is true or false"
    return code, detail


def has_long_lists(document: Mapping[str, object]) -> bool:
    """Whether a list of levels, rules, metrics or thresholds has more than LONGEST_LIST items."""
    rules = [rule for name in ("include", "exclude") for rule in as_levels(document.get(name))]
    levels = [
        found
        for named in (document.get("factors"), *rules)
        if isinstance(named, Mapping)
        for found in named.values()
    ]
    lists = (*levels, *(document.get(name) for name in ("include", "exclude", "metrics", "thresholds")))
    return any(isinstance(found, list | tuple) and len(found) > LONGEST_LIST for found in lists)


def contradictions(document: dict[str, object]) -> Iterator[Problem]:
    """The problems of values that depend on each other."""
    factors = document.get("factors", {})
    if isinstance(factors, dict):
        known = completed(factors)
        for name in FACTORS:
            if isinstance(levels := factors.get(name), list):
                yield from repeated(levels, "duplicate_level", "level", "factors", name)
        yield from _inapplicable(factors, known)
        yield from _include(document.get("include"), known)
        everywhere = united(products(factors, document.get("include")))
        yield from _question(document.get("compare"), document.get("baseline"), everywhere)
        yield from _exclude(document.get("exclude"), known)
    yield from _stopping(document.get("stopping"), document.get("rounds", DEFAULT_ROUNDS))


def repeated(values: list[object], code: str, noun: str, *at: str | int) -> Iterator[Problem]:
    """The problems of values that a list repeats."""
    seen: set[tuple[type, str]] = set()
    for index, value in enumerate(values):
        key = (type(value), repr(value))
        if key in seen:
            detail = f"the {noun} {shown(value)} occurs twice; name each {noun} once"
            yield Problem(pointer(*at, index), code, detail)
        seen.add(key)


def _inapplicable(factors: Mapping[str, object], known: Mapping[str, object]) -> Iterator[Problem]:
    for name in factors:
        factor = FACTORS.get(name)
        if factor is not None and not applies_somewhere(factor, known):
            yield Problem(pointer("factors", name), "inapplicable_factor", needed(factor, "remove it"))


def needed(factor: Factor, remedy: str) -> str:
    """The message of a factor that applies to no cell: what it needs, and the remedy."""
    wanted = " and ".join(f"{need.factor} {listed(need.levels)}" for need in factor.needs)
    return f"{factor.name} applies to no cell: it needs {wanted}; {remedy}, or add such a level"


def _question(
    compare: object, baseline: object, known: Mapping[str, tuple[object, ...]]
) -> Iterator[Problem]:
    """Problems of `compare` and `baseline`; a document may name both where they mean the same."""
    if not isinstance(compare, str):
        yield from _baseline(baseline, known)
    elif compare not in FACTORS:
        yield Problem("/compare", "unknown_factor", unknown("factor", compare, FACTORS))
    elif compare not in known:
        yield Problem("/compare", "inapplicable_factor", needed(FACTORS[compare], "compare another factor"))
    else:
        meant = baseline_of(compare, known)
        if baseline is not None and baseline != meant:
            ((name, level),) = meant.items()
            detail = f"compare {compare} has the baseline {name}: {shown(level)}; remove compare or baseline"
            yield Problem("/compare", "two_questions", detail)
        for problem in _baseline(meant, known):
            yield Problem("/compare", problem.code, problem.detail)


def _baseline(baseline: object, known: Mapping[str, object]) -> Iterator[Problem]:
    if not isinstance(baseline, dict):
        return
    for name, value in baseline.items():
        yield from _named_level(name, value, known, "baseline", ("baseline", name))
    tool = baseline.get("tool")
    if isinstance(tool, str) and tool in RATES:
        others = sorted(other for other in tools_of(known) if RATES[other] != RATES[tool])
        if others:
            rates = listed(dict.fromkeys(RATES[other] for other in others))
            detail = (
                f"{tool} reports {RATES[tool]}, which cannot be compared with the {rates} of "
                f"{listed(others)}; leave tool out of the baseline, so that each is compared with itself, "
                "or use tools with the same rate"
            )
            yield Problem(pointer("baseline", "tool"), "unlike_tools", detail)


def _exclude(rules: object, known: Mapping[str, object]) -> Iterator[Problem]:
    if not isinstance(rules, list):
        return
    for index, rule in enumerate(rules):
        for name, values in rule.items() if isinstance(rule, dict) else ():
            for place, value in enumerate(as_levels(values)):
                at = ("exclude", index, name, *((place,) if isinstance(values, list) else ()))
                yield from _named_level(name, value, known, "exclude", at)


def _include(rules: object, own: Mapping[str, object]) -> Iterator[Problem]:
    """Problems of include rules: a level may be any, a factor must apply together with the rule's levels."""
    if not isinstance(rules, list):
        return
    for index, rule in enumerate(rules):
        levels = included(own, rule) if isinstance(rule, dict) else {}
        for name, values in rule.items() if isinstance(rule, dict) else ():
            at = ("include", index, name)
            factor = FACTORS.get(name)
            if factor is None:
                yield Problem(pointer(*at), "unknown_factor", unknown("factor", name, FACTORS))
                continue
            if not applies_somewhere(factor, levels):
                yield Problem(pointer(*at), "inapplicable_factor", needed(factor, "remove it"))
            many = isinstance(values, list)
            for place, value in enumerate(as_levels(values)):
                if not is_level(factor, value):
                    yield Problem(pointer(*at, *((place,) if many else ())), *wrong_level(factor, value))
            if isinstance(values, list):
                yield from repeated(values, "duplicate_level", "level", *at)


def _stopping(stopping: object, rounds: object) -> Iterator[Problem]:
    """The last interim analysis must come after the first, and there must not be too many of them."""
    if not isinstance(stopping, dict) or type(rounds) is not int or rounds < 1:
        return
    every, at_most = stopping.get("every", DEFAULT_EVERY), stopping.get("at_most")
    if type(at_most) is not int or type(every) is not int or every < 1:
        return
    if at_most <= rounds:
        detail = (
            f"{at_most} is not above rounds ({rounds}), after which the first interim analysis is; "
            f"set at_most to {rounds + 1} or more, or use fewer rounds"
        )
        yield Problem(pointer("stopping", "at_most"), "out_of_bounds", detail)
    elif (analyses := 1 - (rounds - at_most) // every) > MAX_ANALYSES:
        wide = -(-(at_most - rounds) // (MAX_ANALYSES - 1))
        detail = (
            f"{analyses} interim analyses, at most {MAX_ANALYSES} are allowed; set every to {wide} or more, "
            "or lower at_most"
        )
        yield Problem(pointer("stopping", "every"), "too_many_looks", detail)


def _named_level(
    name: str, value: object, known: Mapping[str, object], what: str, at: tuple[str | int, ...]
) -> Iterator[Problem]:
    """Problems of a level that baseline or exclude names: it must be one of the experiment's levels."""
    factor = FACTORS.get(name)
    if factor is None:
        yield Problem(pointer(*at), "unknown_factor", unknown("factor", name, FACTORS))
    elif not is_level(factor, value):
        yield Problem(pointer(*at), "unknown_level", f"{shown(value)} is not allowed; {allowed(factor)}")
    elif not applies_somewhere(factor, known):
        yield Problem(pointer(*at), "inapplicable_factor", needed(factor, "remove it"))
    elif not any(type(level) is type(value) and level == value for level in as_levels(known[name])):
        who = "the baseline" if what == "baseline" else "an excluded level"
        detail = f"{who} must be one of the experiment's levels: {listed(as_levels(known[name]))}"
        yield Problem(pointer(*at), f"{what}_not_in_levels", detail)
