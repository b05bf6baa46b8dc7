"""What an experiment compares: `compare`, `baseline`, or the default question."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.submitted import validate_document
from backend.core.errors import Invalid
from backend.core.plan.build import build_plan
from backend.core.plan.model import Plan
from tests.core.plan.experiments import anything

ON_OFF = {"path": ["same_container", "published_loopback"], "userland_proxy": [True, False]}


def document(**changes: Any) -> dict[str, Any]:
    return {"name": "q", "title": "A question", "factors": ON_OFF} | changes


def planned(**changes: Any) -> Plan:
    return build_plan(validate_document(document(**changes)), anything)


@pytest.mark.parametrize(
    ("changes", "compare", "baseline"),
    [
        ({}, "userland_proxy", {"userland_proxy": False}),
        ({"compare": "userland_proxy"}, "userland_proxy", {"userland_proxy": False}),
        ({"compare": "path"}, "path", {"path": "same_container"}),
        ({"baseline": {"path": "same_container"}}, None, {"path": "same_container"}),
        ({"factors": {"path": ["bare_host", "host_network"]}}, "path", {"path": "bare_host"}),
        ({"factors": {"clients": [8, 1]}}, "clients", {"clients": 8}),
        ({"factors": {"path": "bare_host"}}, "path", {"path": "bare_host"}),
        ({"factors": {"path": "bare_host"}, "include": [{"clients": [1, 9]}]}, "clients", {"clients": 5}),
        ({"factors": {"userland_proxy": True}, "compare": "userland_proxy"}, "userland_proxy", None),
    ],
)
def test_the_cells_that_are_compared(
    changes: dict[str, Any], compare: str | None, baseline: dict[str, Any] | None
) -> None:
    experiment = validate_document(document(**changes))
    assert experiment.compare == compare
    assert experiment.baseline == (baseline or {"userland_proxy": True})
    again = validate_document(canonical(experiment))
    assert again == experiment
    assert digest(again) == digest(experiment)


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        ({"compare": "colour"}, "/compare", "unknown_factor"),
        ({"compare": "front_workers"}, "/compare", "inapplicable_factor"),
        ({"compare": 3}, "/compare", "wrong_type"),
        ({"compare": ["path"]}, "/compare", "wrong_type"),
        ({"compare": "path", "baseline": {"userland_proxy": False}}, "/compare", "two_questions"),
        ({"baseline": None}, "/baseline", "wrong_type"),
        ({"baseline": {}}, "/baseline", "empty"),
        (
            {"compare": "tool", "factors": {"tool": ["pgbench", "wrk"], "service": ["postgres", "flask"]}},
            "/compare",
            "unlike_tools",
        ),
    ],
)
def test_two_questions_and_unknown_ones_are_refused(changes: dict[str, Any], pointer: str, code: str) -> None:
    with pytest.raises(Invalid) as caught:
        validate_document(document(**changes))
    assert [(problem.pointer, problem.code) for problem in caught.value.problems] == [(pointer, code)]


def test_each_level_is_compared_with_everything_else_equal() -> None:
    factors = ON_OFF | {"clients": [1, 8]}
    plan = planned(factors=factors)
    cells = {cell.id: cell for cell in plan.cells}
    compared = [cell for cell in plan.cells if cell.baseline_id and not cell.is_duplicate]
    assert len(compared) == 4
    for cell in compared:
        other = cells[cell.baseline_id or ""].levels
        assert {name for name in other if other[name] != cell.levels[name]} == {"userland_proxy"}
        assert cell.levels["userland_proxy"] is True


def test_one_of_the_references_has_a_duplicate() -> None:
    """A duplicate of each would take a third of the time of a run."""
    plan = planned()
    (duplicate,) = (cell for cell in plan.cells if cell.is_duplicate)
    assert duplicate.levels == {**duplicate.levels, "path": "same_container", "userland_proxy": False}
    older = planned(baseline={"userland_proxy": False})
    assert sum(cell.is_duplicate for cell in older.cells) == 2
