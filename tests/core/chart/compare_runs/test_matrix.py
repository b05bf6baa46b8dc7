"""Several runs in columns: each against the reference, all ratios one family."""

from __future__ import annotations

import pytest

from backend.core.chart.compare_runs import matrix
from backend.core.chart.compare_runs.matrix import MatrixQuery, compare_columns
from backend.core.chart.compare_runs.matrix_columns import Column
from backend.core.chart.compare_runs.matrix_model import ComparisonMatrix, MatrixEntry
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.errors import Invalid, NotFound
from tests.core.chart.compare_runs.two_runs import HOST, MadeUpRun, one

A = one("run_a")
B = one("run_b", scale=0.8, noise_seed=1)
C = one("run_c", noise_seed=2)
OTHERS = [one(f"run_{name}", noise_seed=seed) for seed, name in enumerate("xyz", start=3)]


def columns(*runs: MadeUpRun) -> list[Column]:
    return [Column(run, None, OTHERS) for run in runs]


def entries(model: ComparisonMatrix, index: int) -> list[MatrixEntry]:
    return [row.entries[index] for row in model.rows if row.entries[index] is not None]  # type: ignore[misc]


def test_two_columns_have_the_figures_of_the_comparison_of_two_runs() -> None:
    pair = compare_runs(A, B, RunComparisonQuery(), OTHERS).tables[0]
    model = compare_columns(columns(A, B))
    assert (model.metric, model.unit, model.decimals) == (pair.metric, pair.unit, pair.decimals)
    assert model.family == len(pair.rows) == len(model.rows)
    for row, expected in zip(model.rows, pair.rows, strict=True):
        reference, entry = row.entries
        assert reference is not None and entry is not None and expected.a is not None
        assert (row.label, row.levels, row.is_baseline) == (
            expected.label,
            expected.levels,
            expected.is_baseline,
        )
        assert (entry.ratio, entry.interval, entry.p_adjusted) == (
            expected.ratio,
            expected.interval,
            expected.p_adjusted,
        )
        assert (entry.verdict, entry.sentence) == (expected.verdict, expected.sentence)
        assert (reference.median, reference.median_interval) == (expected.a.median, expected.a.interval)
        assert reference.ratio is reference.verdict is reference.sentence is None


def test_the_family_is_all_ratios_of_the_matrix() -> None:
    two, three = compare_columns(columns(A, B)), compare_columns(columns(A, B, C))
    assert three.family == 2 * two.family
    for narrow, wide in zip(entries(two, 1), entries(three, 1), strict=True):
        assert narrow.interval is not None and wide.interval is not None
        assert wide.interval.low <= narrow.interval.low and wide.interval.high >= narrow.interval.high
        assert wide.ratio == narrow.ratio and (wide.p_adjusted or 0) >= (narrow.p_adjusted or 0)
    assert any(w.interval != n.interval for w, n in zip(entries(three, 1), entries(two, 1), strict=True))
    assert {entry.verdict for entry in entries(three, 1)} == {"worse"}
    assert "Bonferroni" in three.methods[-1] and str(three.family) in three.methods[-1]


def test_any_column_can_be_the_reference() -> None:
    forward = compare_columns(columns(A, B), MatrixQuery(reference=0))
    back = compare_columns(columns(A, B), MatrixQuery(reference=1))
    assert [column.is_reference for column in back.columns] == [False, True]
    for entry, inverse in zip(entries(forward, 1), entries(back, 0), strict=True):
        assert entry.ratio is not None and inverse.ratio == pytest.approx(1 / entry.ratio, rel=1e-4)
        assert inverse.sentence is not None and inverse.sentence.startswith("A is ")


def test_without_other_runs_nothing_is_judged() -> None:
    model = compare_columns([Column(A), Column(B)])
    assert all(not entry.judged and entry.p_adjusted is None for entry in entries(model, 1))
    spread = model.columns[1].run_spread
    assert spread is not None and spread.percent is None


def test_a_missing_counterpart_is_shown_as_such() -> None:
    few = one("run_few", factors={"path": ["same_container", "sibling_container"]})
    model = compare_columns(columns(few, A))
    gaps = [row for row in model.rows if row.entries[0] is None]
    assert gaps and all(row.entries[1] is not None for row in gaps)
    entry = gaps[0].entries[1]
    assert entry is not None and entry.ratio is None and entry.sentence == "A has no such cell."
    assert model.family == len(model.rows) - len(gaps)


def test_differences_are_listed_for_each_column_most_relevant_first() -> None:
    newer = one("run_new", environment={**HOST, "kernel": "6.12", "memory": "8 GB"})
    other = one("run_cpu", environment={**HOST, "cpu": "Intel"})
    model = compare_columns(columns(A, newer, other))
    assert [one.key for one in model.differences][:2] == ["cpu", "kernel"]
    kernel = model.differences[1]
    assert [entry.value for entry in kernel.entries] == ["6.1", "6.12", "6.1"]
    assert [entry.relevance for entry in kernel.entries] == [None, "relevant", None]
    assert [column.comparable for column in model.columns] == ["comparable", "partly", "not"]
    assert model.columns[2].refused and not model.refused
    assert "in A and Intel in C" in model.columns[2].reasons[0]
    assert {row.entries[2] for row in model.rows} == {None}
    shown = compare_columns(columns(A, newer, other), MatrixQuery(override=True))
    assert shown.overridden and shown.warnings[0].id == "not_comparable"
    assert shown.warnings[0].columns == ("C",) and entries(shown, 2)


def test_several_hosts_are_compared_by_their_own_baselines() -> None:
    elsewhere = one("run_h", host="bench-2", scale=3.0)
    model = compare_columns(columns(A, C, elsewhere))
    assert model.basis == "ratios" and not any(row.is_baseline for row in model.rows)
    assert [warning.id for warning in model.warnings] == ["own_baselines"]
    assert model.columns[2].run_spread is not None and model.columns[2].run_spread.percent is None


def test_cells_of_one_run_are_paired_by_round_and_tested_together() -> None:
    chosen = [Column(A, id_) for id_ in list(A.cells)[:4]]
    model = compare_columns(chosen)
    assert model.family == 3 and len(model.rows) == 1 and "max-T" in model.methods[-1]
    assert all(column.run_spread is None for column in model.columns)
    found = [entry for entry in model.rows[0].entries[1:] if entry is not None]
    assert len(found) == 3 and all(entry.judged for entry in found)
    alone = compare_runs(A, A, RunComparisonQuery(a_cell=chosen[0].cell_id, b_cell=chosen[1].cell_id))
    assert found[0].ratio == alone.tables[0].rows[0].ratio
    mixed = compare_columns([*chosen[:2], Column(B, chosen[0].cell_id, OTHERS)])
    assert mixed.family == 2 and "Bonferroni" in mixed.methods[-1]


@pytest.mark.parametrize(
    ("chosen", "query", "code"),
    [
        ([Column(A)], MatrixQuery(), "number_of_columns"),
        ([Column(one(f"r{i}")) for i in range(13)], MatrixQuery(), "number_of_columns"),
        ([Column(A), Column(A)], MatrixQuery(), "same_column"),
        ([Column(A, "c1"), Column(A, "c1")], MatrixQuery(), "same_column"),
        ([Column(A), Column(B, "c1")], MatrixQuery(), "cells_incomplete"),
        ([Column(A), Column(B)], MatrixQuery(reference=2), "no_such_column"),
        ([Column(A), Column(B)], MatrixQuery(metric="speed"), "unknown_metric"),
    ],
)
def test_a_choice_that_cannot_be_a_matrix_is_refused(
    chosen: list[Column], query: MatrixQuery, code: str
) -> None:
    with pytest.raises(Invalid) as refused:
        compare_columns(chosen, query)
    assert refused.value.problems[0].code == code


def test_a_cell_that_a_run_lacks_is_not_found() -> None:
    with pytest.raises(NotFound):
        compare_columns([Column(A, "c1"), Column(B, "c99")])


def test_the_number_of_entries_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "MOST_ENTRIES", 3)
    with pytest.raises(Invalid, match="choose fewer runs") as refused:
        compare_columns(columns(A, B))
    assert refused.value.problems[0].code == "too_many_entries"
