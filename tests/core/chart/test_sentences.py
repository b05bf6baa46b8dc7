"""A/A checks, drift, warnings and headlines."""

from __future__ import annotations

from dataclasses import replace

from backend.core.chart.build import build_chart
from backend.core.chart.inputs import TrialRow
from backend.core.plan.model import Cell
from tests.core.chart.runs import made_up, study_experiment


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

    assert "drifted by +5" in build_chart(made_up(change=spoil)).warnings[0]


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
