"""The verdict of a whole run: its kind, the largest clear difference, the figures of its cells."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.run_verdict import MAX_CELLS, run_verdict
from tests.core.chart.runs import made_up


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
    assert found.terms() == ("worse", "equivalent")
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
