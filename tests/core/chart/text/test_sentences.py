"""A/A checks, drift, warnings and headlines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.model.cell_models import CellNotice
from backend.core.plan.model import Cell, Obstacle
from backend.core.sample.noise import NoiseReadings
from backend.core.sample.notice import Notice
from backend.core.sample.warnings import warnings
from tests.core.chart.runs import Change, failed, is_cell, made_up, study_experiment
from tests.core.sample.test_warnings import CPU, LEVELS, RESULT


def test_a_clean_duplicate() -> None:
    (check,) = build_chart(made_up()).duplicates
    assert (check.cell_id, check.metric, check.suspect) == ("c1-aa", "tps", False)
    assert check.sentence.startswith("A/A of Same container, userland-proxy on: its duplicate differs by ")
    assert check.sentence.endswith("; within the margin of 5 %.")


def test_a_duplicate_that_differs_marks_the_run() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        metrics = dict(row.metrics or {})
        return replace(row, metrics=metrics | {"tps": metrics["tps"] * 1.2}) if cell.is_duplicate else row

    model = build_chart(made_up(change=spoil))
    assert model.duplicates[0].suspect
    assert model.warnings[0] == model.duplicates[0].sentence
    assert "suspect, because one cell was measured twice" in model.warnings[0]


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
    assert check.sentence.startswith("Same container, userland-proxy on: transactions per second moved by ")
    assert check.sentence.endswith(", 10 rounds); no drift is shown.")
    assert model.warnings == ()


def test_too_few_rounds_have_no_drift() -> None:
    assert build_chart(made_up(study_experiment(rounds=5))).drifts == ()


def test_trials_that_were_not_steady_are_marked_and_count() -> None:
    said = warnings(NoiseReadings(), RESULT, CPU, LEVELS, (10.0, 8.0))

    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        return replace(row, notices=said) if (row.cell_id, row.round) in (("c1", 3), ("c1", 9)) else row

    model = build_chart(made_up(change=spoil))
    assert [cell.unsteady for cell in model.cells] == [(3, 9), *[()] * 6]
    assert model.cells[0].summaries["tps"].n == 10


def test_warnings_of_trials_are_counted_by_cell() -> None:
    def spoil(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, notices=(Notice("client thread saturated"),)) if row.round % 5 == 0 else row

    model = build_chart(made_up(change=spoil))
    notice = CellNotice(kind="client thread saturated", figures="", advice="", trials=2, of=10)
    assert {c.notices for c in model.cells} == {(notice,)}
    assert {c.warnings for c in model.cells} == {("2 of 10 trials: client thread saturated",)}


def test_nothing_different() -> None:
    data = made_up(study_experiment(baseline={"path": "same_container", "userland_proxy": False}))

    def level(row: TrialRow) -> TrialRow:
        return replace(row, metrics={"tps": 1_000.0 + row.round})

    model = build_chart(replace(data, trials=[level(row) for row in data.trials]))
    assert (
        model.headline
        == "No cell differs from its baseline in transactions per second by more than the margin, "
        "of 5 comparisons."
    )
    said = {c.comparisons["tps"].sentence for c in model.cells if c.comparisons and not c.is_duplicate}
    assert said == {"Equal within 5 % (simultaneous, of 5 comparisons)"}


def level_or_lost(row: TrialRow, cell: Cell) -> TrialRow:
    """All equal, but one cell has no trial that counts."""
    if is_cell(cell, "published_loopback", True):
        return failed(row)
    return replace(row, metrics={"tps": 1_000.0 + row.round})


def test_cells_that_could_not_be_compared_are_told_where_nothing_differs() -> None:
    assert build_chart(made_up(change=level_or_lost)).headline == (
        "No answer in transactions per second: 1 of 5 comparisons are lost; no other cell differs from its "
        "baseline by more than the margin."
    )

    def cannot(levels: object) -> Obstacle | None:
        lost = isinstance(levels, dict) and levels["path"] == "sibling_container"
        return Obstacle("path", "no", "no bridge here") if lost else None

    assert build_chart(made_up(change=level_or_lost, infeasible=cannot)).headline.startswith(
        "No answer in transactions per second: 1 of 3 comparisons are lost;"
    )
    apart = [0.0, 400.0]

    def noisy(row: TrialRow, cell: Cell) -> TrialRow:
        row = level_or_lost(row, cell)
        wide = row.metrics is not None and not cell.is_baseline
        return replace(row, metrics={"tps": 800.0 + apart[row.round % 2]}) if wide else row

    assert build_chart(made_up(change=noisy)).headline == (
        "No answer in transactions per second: 1 of 5 comparisons are lost; no difference beyond the margin "
        "is shown in the others. A/A cannot tell whether this run can be trusted: it could have missed a "
        "difference of the margin."
    )


def scaled(metric: str, by: float) -> Change:
    """A metric of the published cell with the proxy, so many times as much; all else is level."""

    def change(row: TrialRow, cell: Cell) -> TrialRow:
        slow = is_cell(cell, "published_loopback", True)
        base = 100.0 + row.round / 10
        return replace(row, metrics={"tps": 1e4, "cpu_us_per_txn": 50.0, metric: base * (by if slow else 1)})

    return change


@pytest.mark.parametrize(
    ("metric", "by", "text"),
    [
        (
            "latency_avg_ms",
            1.624,
            "Mean latency (closed loop) of Published port on 127.0.0.1, userland-proxy on is "
            "62.4 % higher than that of "
            "Same container, userland-proxy on (95 % simultaneous CI of 5 comparisons +62.4 % "
            "to +62.4 %, 10 rounds).",
        ),
        (
            "proxy_cpu_us_per_txn",
            210.0,
            "CPU per transaction, proxy, of Published port on 127.0.0.1, userland-proxy on is "
            "210 times as high as that of "
            "Same container, userland-proxy on (95 % simultaneous CI of 5 comparisons 210 to "
            "210 times, 10 rounds).",
        ),
        (
            "context_switches_per_txn",
            0.5,
            "Context switches per transaction, host, of Published port on 127.0.0.1, "
            "userland-proxy on are 50.0 % lower than "
            "those of Same container, userland-proxy on (95 % simultaneous CI of 5 comparisons "
            "−50.0 % to −50.0 %, "
            "10 rounds).",
        ),
        (
            "tps",
            12.5,
            "Published port on 127.0.0.1, userland-proxy on is 12.5 times as fast as Same "
            "container, userland-proxy on "
            "(95 % simultaneous CI of 5 comparisons 12.5 to 12.5 times, 10 rounds).",
        ),
    ],
)
def test_the_headline_names_what_is_no_rate(metric: str, by: float, text: str) -> None:
    experiment = study_experiment(metrics=[metric, *({"tps", "cpu_us_per_txn"} - {metric})], study=None)
    data = made_up(experiment, scaled(metric, by))
    assert build_chart(data).headline == text
    if metric != "tps":
        so_far = build_chart(replace(data, state="running")).headline
        assert so_far == f"So far {text if text.startswith('CPU') else text[0].lower() + text[1:]}"


def test_a_small_share_of_the_cpu_keeps_its_digits() -> None:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        slow = is_cell(cell, "published_loopback", True)
        return replace(row, metrics={"tps": 50.0 if slow else 1e4, "cpu_us_per_txn": 0.2 if slow else 50.0})

    assert build_chart(made_up(change=change)).headline.endswith(
        ", and takes 0.0040 times the CPU per transaction "
        "(95 % simultaneous CI of 5 comparisons 0.0040 to 0.0040)."
    )
