"""Small experiments for the tests of plans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import Level
from backend.core.definition.submitted import validate_document
from backend.core.errors import Invalid
from backend.core.plan.build import build_plan
from backend.core.plan.model import Obstacle, Plan


def experiment(**changes: Any) -> Experiment:
    document: dict[str, Any] = {
        "name": "small",
        "title": "small",
        "factors": {
            "path": ["same_container", "published_loopback"],
            "userland_proxy": [True, False],
            "clients": [1, 8],
        },
        "baseline": {"path": "same_container", "userland_proxy": True},
    }
    return validate_document(document | changes)


Levels = Mapping[str, Level]


def anything(_levels: Levels) -> Obstacle | None:
    return None


def cannot(detail: str) -> Obstacle:
    return Obstacle("path", "path_not_possible", detail)


def plan(**changes: Any) -> Plan:
    return build_plan(experiment(**changes), anything)


def refusal(infeasible: Any = anything, **changes: Any) -> tuple[str, str, str]:
    with pytest.raises(Invalid) as caught:
        build_plan(experiment(**changes), infeasible)
    (problem,) = caught.value.problems
    return problem.pointer, problem.code, problem.detail
