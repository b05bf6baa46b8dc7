"""A small document, and what is wrong with changes to it."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.definition.factors import FACTORS
from backend.core.definition.submitted import validate_document
from backend.core.errors import Invalid

SMALL: dict[str, Any] = {
    "name": "small",
    "title": "A small one",
    "factors": {"path": ["same_container", "published_loopback"], "clients": [1, 8]},
    "baseline": {"path": "same_container"},
}


def problems(**changes: Any) -> dict[str, tuple[str, str]]:
    with pytest.raises(Invalid) as caught:
        validate_document(SMALL | changes)
    return {p.pointer: (p.code, p.detail) for p in caught.value.problems}


def factors(**levels: Any) -> dict[str, tuple[str, str]]:
    return problems(factors=SMALL["factors"] | levels)


def needed_by(name: str) -> dict[str, Any]:
    """Levels under which a factor applies."""
    found: dict[str, Any] = {}
    for need in FACTORS[name].needs:
        found |= needed_by(need.factor) | {need.factor: need.levels[0]}
    return found
