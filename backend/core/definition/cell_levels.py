"""Checks the levels of one cell, as a stored trial has them."""

from __future__ import annotations

from typing import Final

from backend.core.definition.checks import allowed, is_level, listed, pointer, shown, unknown, wrong_level
from backend.core.definition.factors import FACTORS, Level
from backend.core.errors import Problem

NEEDED: Final = ("path", "userland_proxy", "tool", "service")
"""Every cell has a level of these; a cell of an older version may lack other factors."""


def cell_problem(levels: object) -> Problem | None:
    """The first reason why these cannot be the levels of a cell, or None.

    Each is an allowed level of a known factor that applies to the cell.
    """
    if not isinstance(levels, dict):
        return Problem("", "wrong_type", "the levels of a cell are an object")
    for name in NEEDED:
        if name not in levels:
            return Problem(pointer(name), "missing", f"{name} is missing; {allowed(FACTORS[name])}")
    known: dict[str, Level] = {}
    for name, value in levels.items():
        factor = FACTORS.get(name)
        if factor is None:
            return Problem(pointer(name), "unknown_factor", unknown("factor", name, FACTORS))
        if not is_level(factor, value):
            return Problem(pointer(name), *wrong_level(factor, value))
        known[name] = value
    for name in known:
        for need in FACTORS[name].needs:
            if known.get(need.factor) not in need.levels:
                found = shown(known.get(need.factor))
                detail = f"{name} needs {need.factor} {listed(need.levels)}, not {found}"
                return Problem(pointer(name), "inapplicable_factor", detail)
    return None
