"""Nested factors: which of them apply somewhere in an experiment, and the levels that it leaves to us.

Works on plain documents, before they are checked: a level that is none decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.definition.factors import FACTORS, Factor, Level
from backend.core.definition.metrics import RATES
from backend.core.definition.words import FITS


def as_levels(value: object) -> tuple[object, ...]:
    """A single level stands for a list of one."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def completed(factors: Mapping[str, object]) -> dict[str, object]:
    """The named factors, and every other one that applies to some cell with its default levels."""
    levels: dict[str, object] = {}
    for name, factor in FACTORS.items():
        if name in factors:
            levels[name] = factors[name]
        elif applies_somewhere(factor, levels):
            levels[name] = list(_defaults(factor, levels))
    return levels | {name: value for name, value in factors.items() if name not in FACTORS}


def applies_somewhere(factor: Factor, levels: Mapping[str, object]) -> bool:
    """Whether the factor applies to some cell of the product of these levels.

    The factors that are needed vary freely beside each other, so that each need can be asked alone.
    """
    return all(
        need.factor in levels
        and applies_somewhere(FACTORS[need.factor], levels)
        and any(_is_in(level, need.levels) for level in as_levels(levels[need.factor]))
        for need in factor.needs
    )


def default_metrics(factors: object) -> tuple[str, str]:
    """The rate of the first tool, and what an operation costs in CPU."""
    named = factors.get("tool") if isinstance(factors, Mapping) else None
    tools = [tool for tool in as_levels(named) if isinstance(tool, str) and tool in RATES]
    return RATES[tools[0] if tools else str(FACTORS["tool"].default)], "cpu_us_per_txn"


def _defaults(factor: Factor, levels: Mapping[str, object]) -> tuple[Level, ...]:
    """A factor's single default level; of the service, the first that each named tool can load."""
    if factor.name == "service":
        tools = [tool for tool in as_levels(levels["tool"]) if isinstance(tool, str) and tool in FITS]
        return tuple(dict.fromkeys(FITS[tool][0] for tool in tools)) or (factor.default,)
    return (factor.default,)


def _is_in(value: object, levels: tuple[Level, ...]) -> bool:
    """Membership in which true is not 1."""
    return any(type(value) is type(level) and value == level for level in levels)
