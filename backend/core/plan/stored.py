"""Plans as the store keeps them: JSON without the trials, which are rows of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from pydantic import TypeAdapter

from backend.core.plan.cells import relabelled
from backend.core.plan.model import Plan

_PLAN: Final[TypeAdapter[Plan]] = TypeAdapter(Plan)


def to_store(plan: Plan) -> dict[str, Any]:
    """The plan as JSON values, without its trials."""
    kept: dict[str, Any] = _PLAN.dump_python(plan, mode="json", exclude={"trials"})
    return kept


def from_store(stored: Mapping[str, Any]) -> Plan:
    """The plan of what `to_store` returned, in this version or an older one.

    It has no trials, and the labels of this version."""
    plan = _PLAN.validate_python({**stored, "trials": ()})
    return replace(plan, cells=relabelled(plan.cells))
