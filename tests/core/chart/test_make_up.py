"""A run that needs all of its rounds survives two disturbed trials of a cell by make-up rounds."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.plan.make_up import make_up_trials
from tests.core.chart.runs import cell_of, made_up, measured, study_experiment

SLOW = ("published_loopback", True)
DISTURBED = {("c5", 2), ("c5", 8)}


def disturbed(make_up: bool) -> ChartInput:
    """Eight rounds, which five comparisons need; the host disturbed two trials of one cell."""

    def spoil(row: TrialRow, _cell: object) -> TrialRow:
        lost = (row.cell_id, row.round) in DISTURBED
        return replace(row, contaminated=("background load",)) if lost else row

    data = made_up(study_experiment(rounds=8, study=None), spoil)
    if not make_up:
        return data
    assert data.plan.make_up is not None
    cells, generator = {cell.id: cell for cell in data.plan.cells}, random.Random(5)
    trials = make_up_trials(data.plan.cells, data.plan.make_up, DISTURBED, 7, len(data.plan.trials))
    more = [measured(trial, cells[trial.cell_id], generator, 0.01) for trial in trials]
    return replace(data, trials=[*data.trials, *more])


def test_without_make_up_rounds_the_comparison_cannot_be_decided() -> None:
    found = cell_of(build_chart(disturbed(make_up=False)), *SLOW).comparisons["tps"]
    assert (found.n, found.verdict) == (6, "not_enough_rounds")


def test_with_them_it_is_decided_by_as_many_pairs_as_were_planned() -> None:
    model = build_chart(disturbed(make_up=True))
    cell = cell_of(model, *SLOW)
    assert (cell.comparisons["tps"].n, cell.comparisons["tps"].verdict) == (8, "worse")
    assert (cell.state, model.rounds_planned) == ("measured", 8)
    assert any(text.startswith("4 trials were measured in make-up rounds") for text in model.warnings)


@pytest.mark.parametrize("make_up", [False, True])
def test_other_cells_have_the_pairs_that_they_had(make_up: bool) -> None:
    model = build_chart(disturbed(make_up))
    assert cell_of(model, "sibling_container", True).comparisons["tps"].n == 8
