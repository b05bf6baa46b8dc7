"""Sweeps: a numeric factor's levels written as a range, expanded to a list of levels.

`{from: 1000, to: 8000, step: 1000}` counts up in steps, `{from: 1, to: 64, times: 2}` multiplies; `to` is
included where it is hit exactly. Sweeps are expanded before validation, so that all other code, and the
canonical form, has lists of levels only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from backend.core.definition.checks import is_level, pointer, shown, wrong_level
from backend.core.definition.experiment import MAX_LEVELS
from backend.core.definition.factors import FACTORS, Factor
from backend.core.errors import Problem

ENDS: Final = ("from", "to")
WAYS: Final = {"step": 1, "times": 2}
"""The two ways to increment a sweep, with the smallest allowed number of each."""
_FORM: Final = "write {from: 1000, to: 8000, step: 1000} or {from: 1, to: 64, times: 2}"


@dataclass(frozen=True)
class WrittenOut:
    """A document without sweeps, and the problems of invalid sweeps.

    The factor of an invalid sweep has its default level and is in `stand_ins`; problems of its levels are
    meaningless.
    """

    document: dict[str, Any]
    problems: tuple[Problem, ...]
    stand_ins: frozenset[str]


def write_out(document: dict[str, Any]) -> WrittenOut:
    """The document with every sweep of `factors` and of `include` rules replaced by its levels."""
    problems: list[Problem] = []
    stand_ins: set[str] = set()

    def of(levels: Mapping[str, object], *at: str | int) -> dict[str, object]:
        plain = dict(levels)
        for name, value in levels.items():
            if not isinstance(value, dict) or name not in FACTORS:
                continue
            found = tuple(_problems(FACTORS[name], value, (*at, name)))
            if found:
                problems.extend(found)
                stand_ins.add(name)
            plain[name] = [FACTORS[name].default] if found else list(_levels(value))
        return plain

    plain = dict(document)
    if isinstance(factors := document.get("factors"), dict):
        plain["factors"] = of(factors, "factors")
    if isinstance(rules := document.get("include"), list):
        plain["include"] = [
            of(rule, "include", index) if isinstance(rule, dict) else rule for index, rule in enumerate(rules)
        ]
    return WrittenOut(plain, tuple(problems), frozenset(stand_ins))


def _levels(sweep: Mapping[str, int]) -> Iterator[int]:
    level = sweep["from"]
    while level <= sweep["to"]:
        yield level
        level = level + sweep["step"] if "step" in sweep else level * sweep["times"]


def _problems(factor: Factor, sweep: Mapping[str, object], at: tuple[str | int, ...]) -> Iterator[Problem]:
    """The problems of one sweep, each at its own field."""
    if factor.choices or factor.pattern:
        detail = f"{factor.name} is not numeric and cannot be swept; list its levels"
        yield Problem(pointer(*at), "not_numeric", detail)
        return
    unknown = [name for name in sweep if name not in (*ENDS, *WAYS)]
    for name in unknown:
        yield Problem(pointer(*at, name), "unknown_field", f"unknown field {shown(name)} of a sweep; {_FORM}")
    ways = [name for name in WAYS if name in sweep]
    lacking = [name for name in ENDS if name not in sweep] + ([] if ways else [" or ".join(WAYS)])
    if lacking:
        detail = f"a sweep of {factor.name} needs {' and '.join(lacking)}; {_FORM}"
        yield Problem(pointer(*at), "missing", detail)
    for name in ENDS:
        if name in sweep and not is_level(factor, sweep[name]):
            yield Problem(pointer(*at, name), *wrong_level(factor, sweep[name]))
    if len(ways) > 1:
        yield Problem(pointer(*at), "bad_sweep", f"a sweep has either step or times; {_FORM}")
    if len(ways) != 1:
        return
    by, smallest = sweep[ways[0]], WAYS[ways[0]]
    if type(by) is not int or by < smallest:
        detail = f"{shown(by)}: {ways[0]} must be a whole number of at least {smallest}"
        yield Problem(pointer(*at, ways[0]), "out_of_bounds" if type(by) is int else "wrong_type", detail)
    elif all(is_level(factor, sweep.get(name)) for name in ENDS):
        yield from _between(sweep, ways[0], at)


def _between(sweep: Mapping[str, Any], way: str, at: tuple[str | int, ...]) -> Iterator[Problem]:
    """The problems of a sweep with valid ends: its direction, or its length."""
    if sweep["from"] >= sweep["to"]:
        detail = f"{sweep['to']} is not above from ({sweep['from']}); write the lower end as from"
        yield Problem(pointer(*at, "to"), "bad_sweep", detail)
    elif way == "times" and sweep["from"] == 0:
        detail = "0 multiplied remains 0; start at 1 or more, or use step"
        yield Problem(pointer(*at, "from"), "bad_sweep", detail)
    elif len(list(islice(_levels(sweep), MAX_LEVELS + 1))) > MAX_LEVELS:
        wide = (sweep["to"] - sweep["from"]) // MAX_LEVELS + 1
        detail = f"more than {MAX_LEVELS} levels; use a larger step, {wide} or more"
        yield Problem(pointer(*at, way), "too_many", detail)
