"""The notices of the cells in results that are text."""

from __future__ import annotations

from dataclasses import replace

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.text.table import markdown_table, text_table
from backend.core.chart.text.warning_summary import warning_summary
from backend.core.export.html import report
from backend.core.plan.model import Cell
from backend.core.sample.notice import Notice
from tests.core.chart.runs import made_up

STEAL = Notice("steal", "the hypervisor took 1.4% of the CPU", "use a quieter machine")


def warned(row: TrialRow, cell: Cell) -> TrialRow:
    """Steal in the first trial of every cell, and <b> said in all trials of one of them."""
    notices = [STEAL] if row.round == 1 else []
    if cell.id == "c2":
        notices.append(Notice("pgbench said <b>"))
    return replace(row, notices=tuple(notices))


def model_warned() -> ChartModel:
    return build_chart(made_up(change=warned))


def test_a_kind_has_one_sentence_with_its_cells_and_the_first_cells_figures() -> None:
    model = model_warned()
    first, of = model.cells[0], len(model.cells)
    trials = f"1 of {first.trials_planned} trials"
    figures = f"{STEAL.figures}; {STEAL.advice}"
    cell = next(cell for cell in model.cells if cell.id == "c2")
    assert warning_summary(model.cells) == (
        f"steal, in {of} of {of} cells: for example {first.label}, {trials}: {figures}",
        f"pgbench said <b>, in 1 of {of} cells: {cell.label}, 10 of 10 trials",
    )
    assert warning_summary(build_chart(made_up()).cells) == ()


def test_every_result_as_text_has_them() -> None:
    model = model_warned()
    steal, said = warning_summary(model.cells)
    assert f"Warning: {steal}\n" in text_table(model)
    assert f"Warning: {said}\n" in text_table(model)
    assert "the hypervisor took 1.4% of the CPU" in markdown_table(model)
    assert "the hypervisor took 1.4% of the CPU" in report(model, [])
    assert "pgbench said &lt;b&gt;" in report(model, [])
