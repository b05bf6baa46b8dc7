"""Two single runs are tested against the spread between runs, and not at all where it is unknown."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.chart.compare_runs.run_comparison_model import RunComparison
from backend.core.plan.model import Cell
from tests.core.chart.compare_runs.two_runs import HOST, MadeUpRun, one


def apart(run_id: str, seed: int, between: float = 0.03, host: str = "bench-1", **parts: Any) -> MadeUpRun:
    """A run of its own noise, each of whose cells has an effect of this run."""
    generator = random.Random(seed)
    effects: dict[str, float] = {}

    def moved(row: TrialRow, cell: Cell) -> TrialRow:
        effect = effects.setdefault(cell.id, generator.lognormvariate(0, between))
        noise = generator.lognormvariate(0, 0.01)
        assert row.metrics is not None
        own = {name: value * effect * noise for name, value in row.metrics.items()}
        return replace(row, metrics=own)

    return one(run_id, host=host, change=moved, **parts)


A, B = apart("run_a", 1), apart("run_b", 2)
OTHERS = (apart("run_c", 3), apart("run_d", 4))


def kinds(model: RunComparison) -> set[str | None]:
    return {row.verdict for row in model.tables[0].rows}


def test_without_another_run_nothing_is_tested_and_a_third_is_advised() -> None:
    model = compare_runs(A, one("run_b", scale=0.5))
    table = model.tables[0]
    assert kinds(model) == {"no_difference_shown"} and table.headline == "6 without an answer"
    assert all(row.p_adjusted is None and row.interval is not None for row in table.rows)
    assert table.rows[0].sentence.startswith("Not judged: no spread between runs has been shown here")
    assert table.run_spread is not None and table.run_spread.percent is None
    assert sum("third run of the same experiment" in text for text in model.warnings) == 1


def test_runs_that_differ_by_chance_alone_are_not_called_different() -> None:
    assert kinds(compare_runs(A, B, others=OTHERS)) <= {"no_difference_shown", "equivalent"}
    spread = compare_runs(A, B, others=OTHERS).tables[0].run_spread
    assert spread is not None and spread.percent is not None and 1.5 < spread.percent < 5
    assert (spread.runs, spread.cells) == (2, 6)


def test_a_real_difference_is_found_beyond_what_runs_differ_by() -> None:
    model = compare_runs(A, apart("run_b", 2, scale=0.5), others=OTHERS)
    assert kinds(model) == {"worse"}
    row = model.tables[0].rows[0]
    assert row.interval is not None and row.interval_unadjusted is not None
    assert row.interval.low < row.interval_unadjusted.low < row.interval_unadjusted.high < row.interval.high


def test_a_third_run_is_enough() -> None:
    """With a single other run the reference itself shows the spread too."""
    model = compare_runs(A, apart("run_b", 2, scale=0.5), others=OTHERS[:1])
    spread = model.tables[0].run_spread
    assert spread is not None and spread.runs == 2
    assert kinds(model) == {"worse"}


def test_each_host_shows_its_own_spread() -> None:
    far: dict[str, Any] = {"host": "bench-2", "environment": {**HOST, "cpu": "Xeon"}}
    b = apart("run_b", 2, **far)
    unknown = compare_runs(A, b, others=OTHERS).tables[0]
    assert unknown.run_spread is not None and "one of the hosts" in unknown.run_spread.sentence
    others = (*OTHERS, apart("run_e", 5, between=0.2, **far), apart("run_f", 6, between=0.2, **far))
    known = compare_runs(A, b, others=others).tables[0]
    assert known.run_spread is not None and known.run_spread.percent is not None
    assert known.run_spread.percent > 8
    assert {row.verdict for row in known.rows} == {"no_difference_shown"}


def test_swapping_two_runs_inverts_every_row() -> None:
    forth, back = compare_runs(A, B, others=OTHERS), compare_runs(B, A, others=OTHERS)
    for ours, theirs in zip(forth.tables[0].rows, back.tables[0].rows, strict=True):
        assert ours.p_adjusted == theirs.p_adjusted and ours.p == theirs.p
        assert ours.interval is not None and theirs.interval is not None
        assert abs(ours.interval.low * theirs.interval.high - 1) < 1e-4


def test_two_cells_of_one_run_need_no_other_run() -> None:
    table = compare_runs(A, A, RunComparisonQuery(a_cell="c5", b_cell="c6")).tables[0]
    assert table.run_spread is None and table.rows[0].verdict == "better"
