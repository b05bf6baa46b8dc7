"""States of cells whose trials failed, proved nothing, contradicted their path or have not run."""

from __future__ import annotations

from dataclasses import replace

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.plan.model import Cell, Obstacle
from tests.core.chart.runs import cell_of, failed, is_cell, made_up, study_experiment


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
    assert cell.reason == "1 of 10 trials: the path of the label is contradicted"
    assert cell.summaries["tps"].median is None
    assert cell.summaries["tps"].interval is None
    assert cell.rounds == cell.left_out == tuple(range(1, 11))
    assert None not in cell.summaries["tps"].values and len(cell.summaries["tps"].values) == 10
    assert cell.comparisons["tps"].sentence == "No answer (the path is contradicted)"
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
    assert sentences == {"No answer (the baseline: the path is contradicted)"}
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
    assert (some.left_out, len(some.rounds), len(some.summaries["tps"].values)) == ((4,), 10, 10)
    assert (none.state, none.summaries["tps"].n, none.summaries["tps"].median) == ("not_proven", 0, None)
    assert len(none.summaries["tps"].values) == len(none.left_out) == 10


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
    assert sentence == "No answer: too few rounds (needs n ≥ 8)"
    assert "provisional" in model.warnings[0]


def test_a_running_run_says_so_far() -> None:
    model = build_chart(
        made_up(change=lambda row, _cell: row if row.round <= 9 else queued(row), state="running")
    )
    assert model.headline.startswith("So far Published port on 127.0.0.1, userland-proxy on is")


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


def test_imported_trials_count_without_evidence() -> None:
    def imported(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, evidence=None, cpu=None)

    model = build_chart(replace(made_up(change=imported), origin="imported"))
    cell = cell_of(model, "published_loopback", True)
    assert model.origin == "imported"
    assert {c.state for c in model.cells} == {"measured"}
    assert {c.reason for c in model.cells} == {"imported, without evidence"}
    assert (cell.summaries["tps"].n, cell.comparisons["tps"].verdict) == (10, "worse")
    assert (cell.left_out, cell.cpu) == ((), ())
    assert cell.evidence.model_dump() == {"proven": 0, "not_proven": 0, "contradicted": 0}
    assert not [text for text in model.warnings if "left out" in text]


def test_without_evidence_a_measured_trial_does_not_count() -> None:
    model = build_chart(made_up(change=lambda row, _cell: replace(row, evidence=None)))
    assert {c.state for c in model.cells} == {"not_proven"}


def test_an_imported_trial_that_failed_is_reported() -> None:
    def imported(row: TrialRow, _cell: Cell) -> TrialRow:
        return failed(row) if (row.cell_id, row.round) == ("c2", 1) else replace(row, evidence=None)

    model = build_chart(replace(made_up(change=imported), origin="imported"))
    cell = cell_of(model, "same_container", False)
    assert cell.state == "partial"
    assert cell.reason == ("1 of 10 trials failed: timeout: pgbench took 20 s; imported, without evidence")


def test_an_import_without_a_log_of_its_baseline_says_so() -> None:
    data = made_up(study_experiment(study=None), change=lambda row, _cell: replace(row, evidence=None))
    cells = tuple(
        replace(cell, infeasible="no log of this cell was imported") if cell.is_baseline else cell
        for cell in data.plan.cells
        if not cell.is_duplicate
    )
    kept = {cell.id for cell in cells if cell.infeasible is None}
    rows = [row for row in data.trials if row.cell_id in kept]
    plan = replace(data.plan, cells=cells)
    model = build_chart(replace(data, plan=plan, trials=rows, origin="imported"))
    found = cell_of(model, "published_loopback", True).comparisons["tps"]
    assert found.sentence == "No answer (the baseline: no log of this cell was imported)"


def test_a_decided_cell_has_no_further_rounds() -> None:
    """Analyses after 8, 12 and 16 rounds: the first can decide nothing yet, the second all that differs."""
    experiment = study_experiment(rounds=8, stopping={"every": 4, "at_most": 16}, study=None)
    apart = ("c3", "c4", "c5", "c6")

    def skipped(row: TrialRow, cell: Cell) -> TrialRow:
        late = cell.id in apart and row.round > 12
        return TrialRow(row.trial_id, row.cell_id, row.round, "spared") if late else row

    model = build_chart(made_up(experiment, change=skipped))
    assert model.interim_analyses is not None and model.looks == model.interim_analyses
    assert (model.interim_analyses.planned, model.interim_analyses.taken) == ((8, 12, 16), (8, 12, 16))
    assert model.interim_analyses.sentence == (
        "Interim analyses after rounds 8, 12 and 16, fixed before the start; 3 of 3 taken. p-values and "
        "intervals of comparisons and costs per hop are corrected for all of them; a median's own interval "
        "is not, nor is a knee's."
    )
    assert (model.rounds_planned, model.rounds_complete) == (16, 16)
    cells = {cell.id: cell for cell in model.cells}
    assert {cells[id_].decided_at for id_ in apart} == {12}
    assert {cells[id_].state for id_ in cells} == {"measured"}
    assert {cells[id_].comparisons["tps"].n for id_ in apart} == {12}
    assert {cells[id_].trials_planned for id_ in apart} == {12}
    assert cells["c1"].decided_at is None
    assert not any("left out" in text for text in model.warnings)


def test_an_ordinary_run_has_no_interim_analyses() -> None:
    model = build_chart(made_up())
    assert model.interim_analyses is None and model.looks is None
    assert {cell.decided_at for cell in model.cells} == {None}
