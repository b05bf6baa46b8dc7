"""Nested factors: which factors apply to some cell of an experiment, and their default levels.

Works on plain documents before validation: an invalid level makes no factor apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from backend.core.definition.catalog import FITS
from backend.core.definition.factors import FACTORS, Factor, Level
from backend.core.definition.metrics import RATES

LONGEST_LIST: Final = 100
"""Levels of a factor, rules, metrics or thresholds."""


def as_levels(value: object) -> tuple[object, ...]:
    """The levels as a tuple; a single level is a list of one."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def completed(factors: Mapping[str, object]) -> dict[str, object]:
    """The named factors, and every other factor that applies to some cell, with its default level."""
    levels: dict[str, object] = {}
    for name, factor in FACTORS.items():
        if name in factors:
            levels[name] = factors[name]
        elif applies_somewhere(factor, levels):
            levels[name] = list(_defaults(factor, levels))
    return levels | {name: value for name, value in factors.items() if name not in FACTORS}


def included(factors: Mapping[str, object], rule: Mapping[str, object]) -> dict[str, object]:
    """The levels whose product an `include` rule adds, given the completed levels of the experiment.

    The rule's own levels; the experiment's levels of every factor that the rule does not name; and defaults
    of factors that apply because of the rule. Where the rule names tools and no service, the experiment's
    services that none of these tools can load are left out.
    """
    merged = {**factors, **rule}
    if "tool" in rule and "service" not in rule:
        fit = {service for tool in tools_of(rule) for service in FITS[tool]}
        fitting = [s for s in as_levels(merged.pop("service", ())) if isinstance(s, str) and s in fit]
        merged |= {"service": fitting} if fitting else {}
    return completed(merged)


def products(factors: object, rules: object) -> list[dict[str, object]]:
    """The completed levels of the experiment's product, and of the product of each `include` rule."""
    own = completed(factors) if isinstance(factors, Mapping) else completed({})
    named = rules if isinstance(rules, list | tuple) else ()
    return [own, *(included(own, rule) for rule in named if isinstance(rule, Mapping))]


def united(levels: Iterable[Mapping[str, object]]) -> dict[str, tuple[object, ...]]:
    """The union of the levels of each factor, in the order of their first appearance."""
    found: dict[str, dict[tuple[type, str], object]] = {}
    for named in levels:
        for name, values in named.items():
            seen = found.setdefault(name, {})
            for value in as_levels(values):
                seen.setdefault((type(value), repr(value)), value)  # true is not 1, and a list has no hash
    return {name: tuple(values.values()) for name, values in found.items()}


def applies_somewhere(factor: Factor, levels: Mapping[str, object]) -> bool:
    """Whether the factor applies to some cell of the product of these levels.

    The product has every combination of the needed factors, so that each need can be checked alone.
    """
    return all(
        need.factor in levels
        and applies_somewhere(FACTORS[need.factor], levels)
        and any(_is_among(level, need.levels) for level in as_levels(levels[need.factor]))
        for need in factor.needs
    )


def tools_of(levels: Mapping[str, object]) -> tuple[str, ...]:
    """The tools among the levels of `tool`, in their order."""
    return tuple(t for t in as_levels(levels.get("tool")) if isinstance(t, str) and t in RATES)


def default_metrics(factors: object) -> tuple[str, str]:
    """The rate of the first tool, and CPU per transaction."""
    tools = tools_of(factors) if isinstance(factors, Mapping) else ()
    return RATES[tools[0] if tools else str(FACTORS["tool"].default)], "cpu_us_per_txn"


def _defaults(factor: Factor, levels: Mapping[str, object]) -> tuple[Level, ...]:
    """A factor's default level; for the service, the first that each named tool can load."""
    if factor.name == "service":
        return tuple(dict.fromkeys(FITS[tool][0] for tool in tools_of(levels))) or (factor.default,)
    return (factor.default,)


def _is_among(value: object, levels: Iterable[object]) -> bool:
    """Whether a level of equal type and value is among these; true is not 1."""
    return any(type(value) is type(level) and value == level for level in levels)
