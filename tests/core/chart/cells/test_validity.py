"""Trials whose figures break physical bounds, and disturbed ones: listed, and in no statistic."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialCpu, TrialRow
from backend.core.chart.cells.validity import checked
from backend.core.chart.text.table import markdown_table, text_table
from backend.core.export.csv_long import csv_long
from backend.core.export.csv_wide import csv_wide
from backend.core.export.document import document
from backend.core.export.html import report
from backend.core.messages.message import MessageParts
from backend.core.plan.model import Cell
from tests.core.chart.runs import cell_of, is_cell, made_up

STOLEN = TrialCpu(
    {"client": 1.0, "server": 1.6, "proxy": 0.3, "kernel": 0.03, "other": 0.1},
    unattributed=-0.64 - 3.03,
    window_seconds=3.65,
    idle=2.27,
    steal=5.66,
)
"""Steal of 5.66 core-seconds where the host had 7.29, beside 2.27 idle and 3.03 in tasks."""
REASON = "the host had 7.29: its counters disagree"


def stolen(row: TrialRow, cell: Cell) -> TrialRow:
    spoiled = replace(row, cpu=STOLEN, metrics={**(row.metrics or {}), "cpu_us_per_txn": -50.8})
    return checked(spoiled, cell.levels)


def some_stolen(row: TrialRow, cell: Cell) -> TrialRow:
    hit = is_cell(cell, "published_loopback", True) and row.round in (2, 5)
    return stolen(row, cell) if hit else row


def dirty(row: TrialRow, cell: Cell) -> TrialRow:
    hit = is_cell(cell, "sibling_container", True) and row.round < 4
    return replace(row, contaminated=("other processes: 0.61 cores, limit 0.15",)) if hit else row


def test_noise_has_ids_in_the_sentences_about_it_and_what_somebody_wrote_has_none() -> None:
    cell = cell_of(build_chart(made_up(change=dirty)), "sibling_container", True)
    why = cell.reason_message and cell.reason_message.figures["why"]
    assert isinstance(why, MessageParts)
    assert (why.id, why.figures) == ("reasons:noisyOther", {"cores": "0.61", "limit": "0.15"})
    quality = build_chart(made_up(change=dirty)).quality
    assert "catalog:noticeOtherProcesses" in str(quality.model_dump())

    def by_hand(row: TrialRow, cell: Cell) -> TrialRow:
        text = "other processes: 0.61 cores, limit 0.15"
        return replace(row, excluded=text) if is_cell(cell, "sibling_container", True) else row

    excluded = cell_of(build_chart(made_up(change=by_hand)), "sibling_container", True)
    assert excluded.reason_message is not None
    assert not isinstance(excluded.reason_message.figures["why"], MessageParts)


def rows_of(data: ChartInput) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_long(data))))


def test_an_invalid_trial_is_in_no_statistic_and_leaves_its_round() -> None:
    model = build_chart(made_up(change=some_stolen))
    cell = cell_of(model, "published_loopback", True)
    assert (cell.state, cell.left_out, cell.summaries["tps"].n) == ("partial", (2, 5), 8)
    assert cell.comparisons["tps"].n == cell.comparisons["cpu_us_per_txn"].n == 8
    assert cell.summaries["cpu_us_per_txn"].values[1] is None
    assert min(value for value in cell.summaries["cpu_us_per_txn"].values if value is not None) > 0
    assert cell.reason is not None
    assert cell.reason.startswith("2 of 10 trials invalid: CPU per transaction")
    assert any("left out" in text for text in model.warnings)


def test_where_every_trial_is_invalid_the_cell_has_no_figures() -> None:
    def every(row: TrialRow, cell: Cell) -> TrialRow:
        return stolen(row, cell) if is_cell(cell, "published_loopback", True) else row

    model = build_chart(made_up(change=every))
    cell = cell_of(model, "published_loopback", True)
    assert (cell.state, cell.summaries["tps"].median, cell.cpu) == ("invalid", None, ())
    assert cell.comparisons["tps"].sentence == "No answer (its figures break physical bounds)"
    assert model.counts.failed == 1


def test_a_contaminated_trial_keeps_its_values_and_counts_nowhere() -> None:
    data = made_up(change=dirty)
    cell = cell_of(build_chart(data), "sibling_container", True)
    assert (cell.state, cell.left_out, cell.comparisons["tps"].n) == ("partial", (1, 2, 3), 7)
    assert cell.reason == "3 of 10 trials contaminated each time: other processes: 0.61 cores, limit 0.15"
    assert None not in cell.summaries["tps"].values
    found = [row for row in rows_of(data) if row["status"] == "contaminated"]
    assert {(row["used"], row["reason"]) for row in found} == {
        ("false", "other processes: 0.61 cores, limit 0.15")
    }
    assert all(float(row["value"]) >= 0 for row in found)


def test_the_run_counts_what_was_retaken_and_what_stayed_contaminated() -> None:
    def retaken(row: TrialRow, cell: Cell) -> TrialRow:
        row = dirty(row, cell)
        reasons = ("steal: 9.0% of the CPU, limit 5%",) if row.round in (1, 2) else ()
        return replace(row, retakes=len(reasons), retaken_for=reasons, waited_seconds=0.5)

    model = build_chart(made_up(change=retaken))
    found = model.quality
    assert found is not None
    assert (found.trials, found.retaken, found.retakes, found.waited_seconds) == (70, 14, 14, 35.0)
    assert (found.contaminated, found.invalid, found.noisy) == (3, 0, False)
    (by,) = found.contaminated_by
    assert (by.kind, by.count) == ("other processes", 3)
    assert found.sentence == (
        "Host noise: 14 of 70 trials were measured again (14 × steal); 3 of 70 trials were contaminated each "
        "time, and left out with their pairs (3 × other processes)."
    )
    assert found.sentence in model.warnings
    assert found.sentence in text_table(model)
    assert sum(cell.retakes for cell in model.cells) == 14
    (cell,) = [row for row in csv.DictReader(io.StringIO(csv_wide(model))) if row["contaminated"] != "0"]
    assert (cell["contaminated"], cell["invalid"], cell["retakes"]) == ("3", "0", "2")


def test_a_run_that_stays_noisy_says_so_in_its_headline() -> None:
    def noisy(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, contaminated=("steal: 9.0% of the CPU, limit 5%",)) if row.round <= 3 else row

    model = build_chart(made_up(change=noisy))
    opening = "This host stayed noisy: 21 of 70 trials contaminated each time and left out. "
    assert model.headline.startswith(opening)
    assert len(model.headline) > len(opening)
    assert model.quality is not None and model.quality.noisy
    for text in (text_table(model), markdown_table(model), report(model, ())):
        assert "This host stayed noisy: 21 of 70 trials" in text


def test_a_run_without_noise_says_nothing_of_it() -> None:
    found = build_chart(made_up()).quality
    assert found is not None
    assert (found.sentence, found.noisy, found.retakes) == (None, False, 0)


def test_exports_list_an_invalid_trial_with_its_reason_and_without_figures() -> None:
    data = made_up(change=some_stolen)
    found = [row for row in rows_of(data) if row["status"] == "invalid"]
    assert len(found) == 2
    assert {(row["used"], row["metric"], row["value"]) for row in found} == {("false", "", "")}
    assert all(REASON in row["reason"] for row in found)
    written = document(data, build_chart(data))
    left_out = [row for row in written["trials"] if row["invalid"]]
    assert [(row["metrics"], row["cpu"]) for row in left_out] == [(None, None)] * 2


def test_an_old_cost_is_recomputed_from_the_roles() -> None:
    cpu = TrialCpu(
        {"client": 3.0, "server": 5.0, "proxy": 1.0, "kernel": 1.0, "other": 4.0}, -0.5, 10.0, 25.5, 1.0
    )
    metrics = {"tps": 100.0, "cpu_us_per_txn": 13_500.0, "cpu_cores": 1.35}
    row = TrialRow("t", "c", 1, "done", metrics=metrics, transactions=1000, cpu=cpu, evidence="proven")
    found = checked(row, {"duration_s": 10})
    assert found.metrics == {
        "tps": 100.0, "cpu_us_per_txn": 10_000.0, "cpu_cores": 1.0, "host_cpu_us_per_txn": 14_000.0,
        "host_cpu_cores": 1.4, "other_cpu_cores": 0.4,
    }  # fmt: skip
    assert checked(found, {"duration_s": 10}) == found


def test_what_overlaps_is_no_work_and_takes_nothing_off_it() -> None:
    def overlapping(row: TrialRow, _cell: Cell) -> TrialRow:
        assert row.cpu is not None
        return replace(row, cpu=replace(row.cpu, unattributed=-0.3))

    cell = build_chart(made_up(change=overlapping)).cells[0]
    shares = {share.role: share for share in cell.cpu}
    assert shares["unattributed"].cores == pytest.approx(-0.03)
    assert not shares["unattributed"].busy
