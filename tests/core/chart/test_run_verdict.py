"""The verdict of a whole run: its kind, the largest clear difference, the figures of its cells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.run_verdict import MAX_CELLS, RunVerdict, run_verdict
from backend.core.messages.message import MessageParts
from backend.core.plan.model import Cell
from tests.core.chart.runs import Change, failed, is_cell, made_up, study_experiment

DISTURBED = "the host disturbed every trial"


def without_comparisons(model: ChartModel) -> ChartModel:
    cells = tuple(cell.model_copy(update={"comparisons": {}}) for cell in model.cells)
    return model.model_copy(update={"cells": cells, "counts": counted(model, worse=0, equivalent=0)})


def counted(model: ChartModel, **counts: int) -> Any:
    return model.counts.model_copy(update=counts)


def test_the_largest_clear_difference_is_first() -> None:
    model = build_chart(made_up())
    found = run_verdict(model)
    assert (found.kind, found.metric, found.compared) == ("worse", model.axes[0].metric, 5)
    assert found.largest == found.cells[0]
    figures = {cell.id: cell.comparisons[found.metric] for cell in model.cells if cell.comparisons}
    for cell in found.cells:
        assert cell.ratio == figures[cell.cell_id].ratio
        interval = figures[cell.cell_id].interval
        assert (cell.low, cell.high) == (interval and interval.low, interval and interval.high)
    clear = [cell.ratio or 1 for cell in found.cells if cell.verdict == "worse"]
    assert clear == sorted(clear) and len(clear) == 4
    assert found.cells[-1].verdict not in ("worse", "better")
    assert found.terms() == ("worse", "equal")
    assert found.largest.label in model.headline


@pytest.mark.parametrize(
    ("counts", "kind"),
    [
        ({"better": 1}, "mixed"),
        ({"better": 1, "worse": 0}, "better"),
        ({"worse": 0}, "equivalent"),
        ({"worse": 0, "undecided": 1}, "undecided"),
    ],
)
def test_the_kind_follows_the_counts(counts: dict[str, int], kind: str) -> None:
    model = build_chart(made_up())
    assert run_verdict(model.model_copy(update={"counts": counted(model, **counts)})).kind == kind


def test_a_run_without_comparisons() -> None:
    found = run_verdict(without_comparisons(build_chart(made_up())))
    assert (found.kind, found.largest, found.baseline, found.cells) == ("no_comparison", None, None, ())
    assert found.terms() == ()


def test_a_run_without_figures_has_failed() -> None:
    model = without_comparisons(build_chart(made_up()))
    cells = tuple(cell.model_copy(update={"trials_done": 0}) for cell in model.cells)
    model = model.model_copy(
        update={"cells": cells, "counts": counted(model, worse=0, equivalent=0, failed=7)}
    )
    found = run_verdict(model)
    assert (found.kind, found.terms()) == ("failed", ("failed",))


def test_at_most_so_many_cells() -> None:
    model = build_chart(made_up())
    many = tuple(
        cell.model_copy(update={"id": f"{cell.id}-{copy}"}) for copy in range(4) for cell in model.cells
    )
    found = run_verdict(model.model_copy(update={"cells": many}))
    assert (found.compared, len(found.cells)) == (20, MAX_CELLS)


def disturbed(row: TrialRow) -> TrialRow:
    return replace(row, contaminated=("other processes: 0.61 cores, limit 0.15",))


def baseline(spoil: Change) -> Change:
    """Spoils the trials of the baseline alone."""
    return lambda row, cell: spoil(row, cell) if row.cell_id == "c1" else row


def excluded(row: TrialRow, _cell: Cell) -> TrialRow:
    return replace(row, excluded="a backup ran")


def verdict_of(change: Change, state: str = "done") -> tuple[RunVerdict, str]:
    """The verdict of a result that was rendered and read again, as the API does; and its headline."""
    model = build_chart(made_up(change=change, state=state))
    return run_verdict(ChartModel.model_validate_json(model.model_dump_json())), model.headline


@pytest.mark.parametrize(
    ("change", "kind", "reason"),
    [
        (lambda row, _: disturbed(row), "failed", f"the baseline: {DISTURBED}"),
        (lambda row, _: failed(row), "failed", "the baseline: no trial succeeded"),
        (baseline(lambda row, _: disturbed(row)), "no_comparison", f"the baseline: {DISTURBED}"),
        (baseline(lambda row, _: failed(row)), "no_comparison", "the baseline: no trial succeeded"),
        (baseline(excluded), "no_comparison", "the baseline: every trial was excluded by hand"),
        (
            lambda row, cell: row if cell.id.startswith("c1") else disturbed(row),
            "no_comparison",
            DISTURBED,
        ),
    ],
    ids=["all disturbed", "all failed", "baseline disturbed", "baseline failed", "excluded", "others"],
)
def test_a_run_without_any_ratio_is_never_equivalent(change: Change, kind: str, reason: str) -> None:
    found, headline = verdict_of(change)
    assert (found.kind, found.compared, found.without_ratio, found.largest) == (kind, 5, 5, None)
    assert found.reason == reason and found.reason_message is not None
    assert "equivalent" not in found.terms()
    assert "No comparison in transactions per second could be made" in headline
    assert f"trials are done; {reason}." in headline


def test_the_most_frequent_reason_is_given_and_the_others_are_counted() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        if cell.id.startswith("c1"):
            return row
        return failed(row) if is_cell(cell, "published_loopback", True) else disturbed(row)

    found, headline = verdict_of(spoil)
    assert found.reason == f"{DISTURBED} (and 1 more reason)"
    assert found.reason_message == MessageParts(
        id="moreReasons", figures={"reason": MessageParts(id="noTrialsContaminated"), "count": 1}
    )
    assert f"; {found.reason}." in headline


def test_lost_comparisons_are_counted_beside_those_with_figures() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        kept = cell.id.startswith("c1") or is_cell(cell, "same_container", False)
        return row if kept else disturbed(row)

    found, _ = verdict_of(spoil)
    assert (found.kind, found.counts.equivalent, found.counts.failed) == ("undecided", 1, 4)
    assert (found.compared, found.without_ratio, found.reason) == (5, 4, DISTURBED)
    assert (found.counts.undecided, found.lost, found.answered) == (4, 4, False)
    assert found.terms() == ("equal", "no-answer", "failed")


def few_rounds_left(row: TrialRow, cell: Cell) -> TrialRow:
    """Of ten rounds, five with the published port: too few for a family of five."""
    is_lost = row.round > 5 and is_cell(cell, "published_loopback", True)
    return disturbed(row) if is_lost else row


def test_a_comparison_with_too_few_rounds_left_is_lost() -> None:
    found, _ = verdict_of(few_rounds_left)
    assert (found.without_ratio, found.lost, found.counts.undecided) == (0, 1, 1)
    assert found.answer is not None and found.answer.lost == 1


def test_too_few_planned_rounds_are_no_loss() -> None:
    change: Change = lambda row, _: disturbed(row) if row.round == 2 else row  # noqa: E731
    model = build_chart(made_up(study_experiment(rounds=3), change))
    found = run_verdict(model)
    assert (found.lost, found.counts.undecided) == (0, 5)
    assert model.answer is not None and "too few rounds" in model.answer.sentence


def test_a_difference_that_is_shown_is_an_answer_however_many_comparisons_are_lost() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        kept = cell.id.startswith("c1") or is_cell(cell, "published_loopback", True)
        return row if kept else disturbed(row)

    found, _ = verdict_of(spoil)
    assert found.answer is not None and found.answer.outcome == "worse"
    assert (found.kind, found.answered, found.compared, found.lost) == ("worse", True, 5, 4)


def test_a_run_with_every_ratio_has_no_reason() -> None:
    found = run_verdict(build_chart(made_up()))
    assert (found.without_ratio, found.reason, found.reason_message) == (0, None, None)


@pytest.mark.parametrize(
    ("equivalent", "kind", "without_ratio"), [(0, "no_comparison", 5), (1, "equivalent", 4)]
)
def test_a_verdict_that_an_earlier_release_kept_is_read_without_its_false_claim(
    equivalent: int, kind: str, without_ratio: int
) -> None:
    kept = run_verdict(build_chart(made_up())).model_dump(
        mode="json", exclude={"without_ratio", "reason", "reason_message"}
    )
    counts = {**kept["counts"], "worse": 0, "equivalent": equivalent, "failed": 5 - equivalent}
    old = {**kept, "kind": "equivalent", "largest": None, "counts": counts}
    found = RunVerdict.model_validate(old)
    assert (found.kind, found.without_ratio) == (kind, without_ratio)


def test_a_verdict_that_was_kept_earlier_says_whether_it_is_an_answer() -> None:
    kept = run_verdict(build_chart(made_up())).model_dump(mode="json")
    assert kept["answered"] is True and kept["lost"] == 0
    del kept["answered"], kept["lost"]
    assert RunVerdict.model_validate(kept).answered is True
    equal = kept | {"kind": "equivalent", "largest": None, "without_ratio": 4}
    found = RunVerdict.model_validate(equal)
    assert (found.answered, found.lost) == (False, 4)
    every = {**kept["counts"], "equivalent": kept["compared"]}
    assert RunVerdict.model_validate(equal | {"counts": every}).answered is True
