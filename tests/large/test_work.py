"""Small documents that need much work: it is bounded, and a value beyond a limit is refused at its field."""

from __future__ import annotations

import time
from typing import Any, Final

import pytest

from backend.core.definition.submitted import validate_document
from backend.core.errors import Invalid
from backend.core.plan.build import build_plan
from backend.core.plan.cells import MAX_PRODUCT, count_cells, enumerate_rows
from backend.core.topology.feasible import infeasible

QUESTION: Final[dict[str, Any]] = {
    "name": "much",
    "title": "Much work",
    "baseline": {"path": "published_loopback"},
    "rounds": 1,
}
CPUSETS: Final = [f"{first}-9999" + ",0-9999" * 30 for first in range(100)]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("factor", ["server_cpuset", "client_cpuset"])
def test_cpus_of_long_ranges_are_distinguished_without_listing_them(factor: str) -> None:
    document = {**QUESTION, "factors": {factor: CPUSETS, "clients": [*range(1, 91)]}}
    with pytest.raises(Invalid) as refused:
        build_plan(validate_document(document), lambda levels: infeasible(levels, {"cores": 2}))
    assert refused.value.problems[0].code == "unknown_cpu"
    assert "names CPU 2, 3, 4, 5, 6, 7, 8, 9, but this host has CPUs 0 to 1" in str(refused.value)


@pytest.mark.parametrize(
    ("document", "pointer", "expected"),
    [
        (
            {"factors": {"server_cpuset": ",".join(["0-9"] * 200_000)}},
            "/factors/server_cpuset",
            "255 characters",
        ),
        ({"factors": {"server_cpuset": ",".join(["0"] * 65)}}, "/factors/server_cpuset", "for example 0-1"),
        ({"exclude": [{"path": "unix_socket"}] * 101}, "/exclude", "at most a hundred rules"),
        ({"metrics": ["tps"] * 101}, "/metrics", "one to a hundred metric names"),
    ],
)
def test_too_long_values_are_refused_at_their_field(
    document: dict[str, Any], pointer: str, expected: str
) -> None:
    with pytest.raises(Invalid) as refused:
        validate_document(QUESTION | document)
    problem = refused.value.problems[0]
    assert problem.pointer == pointer and expected in problem.detail


@pytest.mark.timeout(60)
def test_long_lists_are_not_held_against_each_other() -> None:
    texts = [f"{number % 10_000}-9999" for number in range(6_000)]
    document = {"factors": {"server_cpuset": texts}, "exclude": [{"server_cpuset": texts}]}
    with pytest.raises(Invalid, match="one to a hundred levels"):
        validate_document(QUESTION | document)
    many = {"factors": {"server_cpuset": texts}, "include": [{"clients": 1}] * 4_000}
    with pytest.raises(Invalid, match="at most a hundred rules"):
        validate_document(QUESTION | many)


def _rules(rules: int) -> dict[str, Any]:
    """100,000 cells, of which each rule excludes 900."""
    factors = {"clients": [*range(1, 101)], "duration_s": [*range(1, 101)], "warm_up_s": [*range(1, 11)]}
    exclude = [{"warm_up_s": [*range(2, 11)], "clients": [number + 2]} for number in range(rules)]
    return {**QUESTION, "factors": factors, "exclude": exclude}


def _cpu(document: dict[str, Any]) -> float:
    experiment = validate_document(document)
    began = time.thread_time()
    assert len(enumerate_rows(experiment)) == MAX_PRODUCT - 900 * len(experiment.exclude)
    return time.thread_time() - began


@pytest.mark.full
@pytest.mark.timeout(300)
def test_99_rules_take_less_than_twice_the_time_of_one() -> None:
    assert count_cells(validate_document(_rules(99))) == MAX_PRODUCT
    assert any(_cpu(_rules(99)) < 2 * _cpu(_rules(1)) for _ in range(3))
