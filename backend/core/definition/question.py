"""The question of an experiment: which cells are compared with each other.

A document names it with `compare`, the factor whose levels are compared with everything else equal, or with
`baseline`, the levels of the other cell. Works on plain documents before validation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    levels = _levels_of(document)
    default = _default_question(levels)
    compare = document.get("compare") or default
    baseline = baseline_of(compare if isinstance(compare, str) else default, levels)
    return {**document, "compare": compare, "baseline": baseline}


def _levels_of(document: Mapping[str, object]) -> dict[str, tuple[object, ...]]:
    """The levels of every factor over all cells, also the included ones; of too many rules the first."""
    return united(products(document.get("factors", {}), as_levels(document.get("include"))[:LONGEST_LIST]))


def _default_question(levels: Mapping[str, Sequence[object]]) -> str:
    """The factor whose levels are compared: userland-proxy where it varies, then the first that varies."""
    varied = [name for name in FACTORS if len(levels.get(name, ())) > 1 and name not in _NAMED_ONLY]
    return next((name for name in ("userland_proxy", *varied) if name in varied), "path")


def baseline_of(compare: str, levels: Mapping[str, Sequence[object]]) -> dict[str, object]:
    """The baseline that a compared factor means: off for userland-proxy, else the factor's first level.

    For a factor without levels, which the check of `compare` reports, it is that of the path.
    """
    name = compare if levels.get(compare) else "path"
    own = levels.get(name, ())
    wanted = REFERENCES.get(name)
    return {name: wanted if wanted in own else own[0]} if own else {}
