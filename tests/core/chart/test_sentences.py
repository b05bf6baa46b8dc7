"""A/A checks, drift, warnings and headlines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.inputs import TrialRow
from backend.core.plan.model import Cell
from backend.core.sample.noise import NoiseReadings
from backend.core.sample.warnings import warnings
from tests.core.chart.runs import made_up, study_experiment
from tests.core.sample.test_warnings import CPU, LEVELS, RESULT


def test_a_clean_duplicate() -> None:
    (check,) = build_chart(made_up()).duplicates
    assert (check.cell_id, check.metric, check.suspect) == ("c1-aa", "tps", False)
    assert check.sentence.startswith("A/A of same_container, proxy on: its duplicate differs by ")
    assert check.sentence.endswith("nothing suspect shown.")


def test_a_duplicate_that_differs_marks_the_run() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        metrics = dict(row.metrics or {})
        return replace(row, metrics=metrics | {"tps": metrics["tps"] * 1.2}) if cell.is_duplicate else row

    model = build_chart(made_up(change=spoil))
    assert model.duplicates[0].suspect
    assert model.warnings[0] == model.duplicates[0].sentence
    assert "the run is suspect" in model.warnings[0]


def test_drift_of_the_baseline_is_told() -> None:
    def spoil(row: TrialRow, _cell: Cell) -> TrialRow:
        metrics = dict(row.metrics or {})
        return replace(row, metrics=metrics | {"tps": metrics["tps"] * 1.05**row.round})

    model = build_chart(made_up(change=spoil))
    (check,) = model.drifts
    assert (check.cell_id, check.metric, check.n, check.significant) == ("c1", "tps", 10, True)
    assert check.change == pytest.approx(1.05**9 - 1, rel=0.05)
    assert "drifted by +5" in check.sentence
    assert model.warnings[0] == check.sentence


def test_a_baseline_that_did_not_drift_is_shown_without_a_warning() -> None:
    model = build_chart(made_up())
    (check,) = model.drifts
    assert not check.significant
    assert check.sentence.startswith("same_container, proxy on: transactions per second moved by ")
    assert check.sentence.endswith(", 10 rounds); no drift is shown.")
    assert model.warnings == ()


def test_too_few_rounds_have_no_drift() -> None:
    assert build_chart(made_up(study_experiment(rounds=5))).drifts == ()


def test_trials_that_were_not_steady_are_marked_and_count() -> None:
    said = warnings(NoiseReadings(), RESULT, CPU, LEVELS, (10.0, 8.0))

    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        return replace(row, warnings=said) if (row.cell_id, row.round) in (("c1", 3), ("c1", 9)) else row

    model = build_chart(made_up(change=spoil))
    assert [cell.unsteady for cell in model.cells] == [(3, 9), *[()] * 6]
    assert model.cells[0].summaries["tps"].n == 10


def test_warnings_of_trials_are_counted_by_cell() -> None:
    def spoil(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, warnings=("client thread saturated",)) if row.round % 5 == 0 else row

    model = build_chart(made_up(change=spoil))
    assert {c.warnings for c in model.cells} == {("2 of 10 trials: client thread saturated",)}


def test_nothing_different() -> None:
    data = made_up(study_experiment(baseline={"path": "same_container", "userland_proxy": False}))

    def level(row: TrialRow) -> TrialRow:
        return replace(row, metrics={"tps": 1_000.0 + row.round})

    model = build_chart(replace(data, trials=[level(row) for row in data.trials]))
    assert (
        model.headline
        == "No cell differs from its baseline in transactions per second by more than the margin."
    )
    assert {c.comparisons["tps"].sentence for c in model.cells if c.comparisons} == {"Equivalent within 5 %"}
