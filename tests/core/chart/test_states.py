"""What becomes of trials that fail, prove nothing, contradict their path or are still to come."""

from __future__ import annotations

from dataclasses import replace

from backend.core.chart.build import build_chart
from backend.core.chart.inputs import TrialRow
from backend.core.plan.model import Cell, Obstacle
from tests.core.chart.runs import cell_of, failed, is_cell, made_up


def test_a_failed_trial_takes_its_block_out_of_that_comparison_only() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        return failed(row) if is_cell(cell, "sibling_container", True) and row.round == 3 else row

    model = build_chart(made_up(change=spoil, state="incomplete"))
    cell = cell_of(model, "sibling_container", True)
    assert (cell.state, cell.trials_done, cell.trials_failed, cell.trials_planned) == ("partial", 9, 1, 10)
    assert cell.reason == "1 of 10 trials failed: timeout: pgbench took 20 s"
    assert cell.comparisons["tps"].n == 9
    assert cell_of(model, "sibling_container", False).comparisons["tps"].n == 10
    assert model.rounds_complete == 9
    assert any("left out" in warning for warning in model.warnings)


def test_a_failed_baseline_trial_takes_its_block_out_of_all_comparisons() -> None:
    model = build_chart(
        made_up(change=lambda row, cell: failed(row) if row.cell_id == "c1" and row.round == 2 else row)
    )
    assert {c.comparisons["tps"].n for c in model.cells if c.comparisons} == {9}


def test_one_contradicted_trial_contradicts_its_cell() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        wrong = is_cell(cell, "published_loopback", True) and row.round == 5
        return replace(row, evidence="contradicted") if wrong else row

    model = build_chart(made_up(change=spoil))
    cell = cell_of(model, "published_loopback", True)
    assert cell.state == "contradicted"
    assert cell.reason == "1 of 10 trials contradict the path of the label"
    assert cell.summaries["tps"].median is None
    assert cell.summaries["tps"].interval is None
    assert {r.used for r in cell.summaries["tps"].replicates} == {False}
    assert cell.comparisons["tps"].sentence == "? (the path is contradicted)"
    assert cell.cpu == ()
    assert (cell.evidence.proven, cell.evidence.contradicted) == (9, 1)
    assert (model.counts.failed, model.counts.worse) == (1, 3)
    assert "published_loopback" not in model.headline


def test_a_trial_failed_for_its_path_contradicts_its_cell() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        wrong = is_cell(cell, "published_loopback", True)
        return failed(row, "path_contradicted", "docker-proxy was idle") if wrong else row

    cell = cell_of(build_chart(made_up(change=spoil)), "published_loopback", True)
    assert cell.state == "contradicted"
    assert "docker-proxy was idle" in str(cell.reason)


def test_a_contradicted_baseline_leaves_nothing_to_compare() -> None:
    def spoil(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, evidence="contradicted") if row.cell_id == "c1" else row

    model = build_chart(made_up(change=spoil))
    sentences = {c.comparisons["tps"].sentence for c in model.cells if c.comparisons}
    assert sentences == {"? (the baseline: the path is contradicted)"}
    assert model.headline.startswith("No comparison in transactions per second could be made")
    assert model.study is not None
    assert {c.outcome for c in model.study.claims} == {"reproduced"}


def test_what_is_not_proven_is_listed_and_not_used() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        if is_cell(cell, "sibling_container", True) and row.round == 4:
            return replace(row, evidence="not_proven")
        return replace(row, evidence="not_proven") if is_cell(cell, "sibling_container", False) else row

    model = build_chart(made_up(change=spoil))
    some, none = cell_of(model, "sibling_container", True), cell_of(model, "sibling_container", False)
    assert (some.state, some.summaries["tps"].n) == ("partial", 9)
    assert [r.round for r in some.summaries["tps"].replicates if not r.used] == [4]
    assert (none.state, none.summaries["tps"].n, none.summaries["tps"].median) == ("not_proven", 0, None)
    assert len(none.summaries["tps"].replicates) == 10


def test_infeasible_cells_stay() -> None:
    model = build_chart(
        made_up(
            infeasible=lambda levels: (
                None
                if levels["userland_proxy"]
                else Obstacle("userland_proxy", "engine_missing", "no such engine")
            )
        )
    )
    cell = cell_of(model, "sibling_container", False)
    assert (cell.state, cell.reason, cell.trials_planned) == ("infeasible", "no such engine", 0)
    assert cell.comparisons == {}
    assert model.counts.infeasible == 3


def queued(row: TrialRow) -> TrialRow:
    return TrialRow(row.trial_id, row.cell_id, row.round, "queued")


def test_a_run_that_has_not_begun() -> None:
    model = build_chart(made_up(change=lambda row, _cell: queued(row), state="queued"))
    assert {c.state for c in model.cells} == {"waiting"}
    assert model.headline == "No result yet: 0 of 70 trials are done."
    assert model.counts.undecided == 5
    assert {a.domain for a in model.axes} == {(0.0, 1.0)}
    assert model.study is not None
    assert {c.outcome for c in model.study.claims} == {"undecided"}


def test_a_run_half_way() -> None:
    model = build_chart(
        made_up(change=lambda row, _cell: row if row.round <= 4 else queued(row), state="running")
    )
    assert {c.state for c in model.cells} == {"partial"}
    assert model.rounds_complete == 4
    assert model.headline == "No result yet: 28 of 70 trials are done."
    sentence = cell_of(model, "published_loopback", True).comparisons["tps"].sentence
    assert sentence == "Not enough rounds: no result could be significant (needs n >= 8)"
    assert "provisional" in model.warnings[0]


def test_a_running_run_says_so_far() -> None:
    model = build_chart(
        made_up(change=lambda row, _cell: row if row.round <= 9 else queued(row), state="running")
    )
    assert model.headline.startswith("So far published_loopback, proxy on is")


def test_a_cancelled_run() -> None:
    def stop(row: TrialRow, _cell: Cell) -> TrialRow:
        return TrialRow(row.trial_id, row.cell_id, row.round, "cancelled")

    model = build_chart(made_up(change=stop, state="cancelled"))
    assert {c.state for c in model.cells} == {"cancelled"}
    assert model.counts.failed == 6


def test_a_cell_whose_every_trial_failed() -> None:
    model = build_chart(
        made_up(change=lambda row, cell: failed(row) if row.cell_id == "c2" else row, state="incomplete")
    )
    assert model.cells[2].state == "failed"
    assert model.counts.failed == 1
