"""`exclude` with a hundred thousand cells: a rule costs little compared with the cells."""

from __future__ import annotations

import time
from typing import Any, Final

import pytest

from backend.core.definition.submitted import validate_document
from backend.core.plan.cells import MAX_PRODUCT, count_cells, enumerate_rows

QUESTION: Final[dict[str, Any]] = {
    "name": "much",
    "title": "Much work",
    "baseline": {"path": "published_loopback"},
    "rounds": 1,
}


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


@pytest.mark.timeout(300)
def test_99_rules_take_less_than_twice_the_time_of_one() -> None:
    assert count_cells(validate_document(_rules(99))) == MAX_PRODUCT
    assert any(_cpu(_rules(99)) < 2 * _cpu(_rules(1)) for _ in range(3))
