"""The question of an experiment: which cells are compared with each other.

A document names it with `compare`, the factor whose levels are compared with everything else equal, or with
`baseline`, the levels of the other cell. Works on plain documents before validation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from backend.core.definition.factors import FACTORS
from backend.core.definition.nesting import LONGEST_LIST, as_levels, products, united

REFERENCES: Final[Mapping[str, object]] = {"userland_proxy": False}
"""The level that others are compared with, of factors for which it is not the first one."""
_NAMED_ONLY: Final = ("tool", "service")
"""Compared only where the document says so: tools and services do different work."""


def with_question(document: Mapping[str, object]) -> dict[str, object]:
    """The document with the default `compare` where it has none, and the `baseline` that it means."""
    if "baseline" in document:
        return dict(document)
    levels = levels_of(document)
    default = default_question(levels)
    compare = document.get("compare") or default
    baseline = baseline_of(compare if isinstance(compare, str) else default, levels)
    return {**document, "compare": compare, "baseline": baseline}


def levels_of(document: Mapping[str, object]) -> dict[str, tuple[object, ...]]:
    """The levels of every factor over all cells, also the included ones; of too many rules the first."""
    return united(products(document.get("factors", {}), as_levels(document.get("include"))[:LONGEST_LIST]))


def default_question(levels: Mapping[str, Sequence[object]]) -> str:
    """The factor whose levels are compared: userland-proxy where it varies, then the first that varies."""
    varied = [name for name in FACTORS if len(levels.get(name, ())) > 1 and name not in _NAMED_ONLY]
    return next((name for name in ("userland_proxy", *varied) if name in varied), "path")


def baseline_of(compare: str, levels: Mapping[str, Sequence[object]]) -> dict[str, object]:
    """The baseline that a compared factor means: off for userland-proxy, else the factor's first level.

    A factor without levels has none; the check of `compare` reports it.
    """
    own = as_levels(levels.get(compare, ()))
    if not own:
        return dict(_first(levels, "path"))
    wanted = REFERENCES.get(compare)
    return {compare: wanted} if wanted in own else dict(_first(levels, compare))


def _first(levels: Mapping[str, Sequence[object]], name: str) -> Iterator[tuple[str, object]]:
    yield from ((name, level) for level in levels.get(name, ())[:1])
