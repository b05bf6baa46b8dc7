"""A result names the trials that were excluded by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.quality import run_quality
from backend.core.plan.model import Cell
from tests.core.chart.runs import made_up


def excluded_in_round_1(row: TrialRow, _cell: Cell) -> TrialRow:
    return replace(row, excluded="the switch was restarted") if row.round == 1 else row


def test_every_excluded_trial_has_its_cell_round_and_reason() -> None:
    model = build_chart(made_up(change=excluded_in_round_1))
    assert model.quality is not None and len(model.excluded_trials) == model.quality.excluded > 0
    assert {one.cell_id for one in model.excluded_trials} == {cell.id for cell in model.cells}
    assert {(one.round, one.reason) for one in model.excluded_trials} == {(1, "the switch was restarted")}


def test_a_result_names_a_limited_number_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_quality, "MAX_EXCLUDED", 2)
    model = build_chart(made_up(change=excluded_in_round_1))
    assert model.quality is not None and len(model.excluded_trials) == 2 < model.quality.excluded


def test_a_result_without_exclusions_names_none() -> None:
    assert build_chart(made_up()).excluded_trials == ()
