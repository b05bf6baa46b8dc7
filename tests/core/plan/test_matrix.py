"""A run as a matrix: one character for each trial, what keeps it out of the statistics first."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from backend.core.plan.matrix import MatrixRow, MatrixTrial, code_of, quality_of, rows_of
from backend.core.plan.states import TrialState

DONE = MatrixTrial("c1", 1, "done", None, excluded=False, rate=1234.5678)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, "d"),
        ({"state": "queued"}, "q"),
        ({"state": "running"}, "r"),
        ({"state": "failed"}, "f"),
        ({"state": "failed", "quality": "contaminated"}, "f"),
        ({"state": "cancelled"}, "x"),
        ({"quality": "retaken"}, "t"),
        ({"quality": "contaminated"}, "c"),
        ({"quality": "invalid"}, "i"),
        ({"quality": "contaminated", "excluded": True}, "e"),
    ],
)
def test_each_state_has_a_character(changes: dict[str, object], code: str) -> None:
    assert code_of(replace(DONE, **changes)) == code  # type: ignore[arg-type]


def test_no_two_states_have_the_same_character() -> None:
    codes = {code_of(replace(DONE, state=state)) for state in get_args(TrialState)}
    assert codes == set("qrdfxs")


def test_rows_have_a_place_for_each_round() -> None:
    late = replace(DONE, cell_id="c2", round=3, quality="invalid")
    rounds, rows = rows_of([DONE, late])
    assert rounds == 3
    assert rows == {"c1": MatrixRow("d..", (1234.6, None, None)), "c2": MatrixRow("..i", (None, None, None))}


def test_the_quality_of_a_record_names_the_worst_thing() -> None:
    assert quality_of({}) is None
    assert quality_of({"quality": {"discarded": [], "contaminated": []}}) is None
    assert quality_of({"quality": {"discarded": [{}]}}) == "retaken"
    assert quality_of({"quality": {"discarded": [{}], "contaminated": ["steal: 9 %"]}}) == "contaminated"
    assert quality_of({"quality": {"contaminated": ["steal: 9 %"], "invalid": ["x"]}}) == "invalid"
