"""From trials to the ChartModel: trials that count, figures, sentences."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.rounding import significant
from backend.core.plan.model import Cell
from backend.core.statistics.paired import paired_ratio
from tests.core.chart.runs import CORES, cell_of, made_up, study_experiment


def test_a_whole_run() -> None:
    model = build_chart(made_up())
    assert [c.state for c in model.cells] == ["measured"] * 7
    assert (model.rounds_planned, model.rounds_complete) == (10, 10)
    assert (model.row_factor, model.series_factor) == ("path", "userland_proxy")
    assert model.counts.model_dump() == {
        "better": 0,
        "worse": 4,
        "equivalent": 1,
        "undecided": 0,
        "failed": 0,
        "infeasible": 0,
    }
    assert model.warnings == ()
    assert model.cores == 4
    assert model.environment == {"kernel": "6.1"}
    assert model.headline.startswith("Published port on 127.0.0.1, userland-proxy on is 38.")
    assert (
        "slower than Same container, userland-proxy on (95 % simultaneous CI of 5 comparisons −"
    ) in model.headline
    assert "times the CPU per transaction (95 % simultaneous CI of 5 comparisons" in model.headline


def test_a_cell_has_its_own_figures() -> None:
    data = made_up()
    model = build_chart(data)
    cell = cell_of(model, "published_loopback", True)
    own = {r.round: r.metrics["tps"] for r in data.trials if r.cell_id == cell.id and r.metrics}
    other = {r.round: r.metrics["tps"] for r in data.trials if r.cell_id == "c1" and r.metrics}
    summary, comparison = cell.summaries["tps"], cell.comparisons["tps"]
    assert (summary.n, summary.median) == (10, significant(median(own.values())))
    assert summary.interval is not None
    bounds = (sorted(own.values())[1], sorted(own.values())[8])
    assert (summary.interval.low, summary.interval.high) == tuple(map(significant, bounds))
    assert cell.rounds == tuple(range(1, 11))
    assert summary.values == tuple(significant(own[round_]) for round_ in cell.rounds)
    expected = paired_ratio([other[r] for r in sorted(other)], [own[r] for r in sorted(own)])
    assert (comparison.n, comparison.ratio) == (10, significant(expected.ratio))
    assert comparison.p == significant(expected.p) == 0.00195312
    assert comparison.p_holm == pytest.approx(5 * 2 / 2**10, rel=1e-5)
    assert comparison.family == 5 and comparison.p_adjusted is not None
    assert comparison.p < comparison.p_adjusted <= comparison.p_holm
    assert comparison.interval is not None and comparison.interval_unadjusted is not None
    assert comparison.interval.low <= comparison.interval_unadjusted.low
    assert comparison.interval_unadjusted.high <= comparison.interval.high
    assert (comparison.verdict, comparison.baseline_id) == ("worse", "c1")
    assert cell.hops == ("loopback",)
    assert cell.evidence.model_dump() == {"proven": 10, "not_proven": 0, "contradicted": 0}


def test_the_baseline_is_compared_with_nothing() -> None:
    cell = cell_of(build_chart(made_up()), "same_container", True)
    assert cell.is_baseline
    assert cell.comparisons == {}


def test_cpu_by_role_adds_up() -> None:
    cell = cell_of(build_chart(made_up(noise=0)), "published_loopback", True)
    assert [share.role for share in cell.cpu] == [
        "client",
        "server",
        "proxy",
        "kernel",
        "other",
        "unattributed",
        "idle",
        "steal",
    ]
    cores = {share.role: share.cores for share in cell.cpu}
    assert cores["proxy"] == pytest.approx(0.6)
    assert sum(cores.values()) == pytest.approx(CORES)
    busy = [share for share in cell.cpu if share.busy]
    assert sum(share.cores for share in busy) == pytest.approx(2.43)
    assert {share.role for share in cell.cpu} - {share.role for share in busy} == {"idle", "steal"}
    total = cell.summaries["cpu_us_per_txn"].median
    assert total is not None
    assert sum(share.us_per_txn for share in busy) == pytest.approx(total)


def test_a_record_without_idle_has_no_share_of_it() -> None:
    def older(row: TrialRow, _cell: Cell) -> TrialRow:
        assert row.cpu is not None
        return replace(row, cpu=replace(row.cpu, idle=None, steal=None))

    shares = build_chart(made_up(change=older)).cells[0].cpu
    assert [share.role for share in shares][-1] == "unattributed"


def test_a_cpu_metric_against_a_zero_baseline_is_a_difference() -> None:
    found = cell_of(build_chart(made_up()), "published_loopback", True).comparisons["proxy_cpu_us_per_txn"]
    assert (found.verdict, found.ratio) == ("worse", None)
    assert "µs higher (95 % simultaneous CI of 5 comparisons" in found.sentence


def test_missing_is_missing() -> None:
    def spoil(row: TrialRow, _cell: Cell) -> TrialRow:
        metrics = dict(row.metrics or {})
        if row.cell_id == "c2":
            metrics.pop("cpu_us_per_txn")
        if row.round == 1:
            metrics["tps"] = math.nan
        return replace(row, metrics=metrics)

    model = build_chart(made_up(change=spoil))
    assert model.cells[2].summaries["cpu_us_per_txn"].n == 0
    assert model.cells[2].comparisons["cpu_us_per_txn"].verdict == "undefined"
    assert {c.summaries["tps"].n for c in model.cells} == {9}
    assert {c.summaries["tps"].median for c in model.cells} == {None}
    assert {c.summaries["tps"].values[0] for c in model.cells} == {None}
    assert model.warnings == (
        "transactions per second is not judged in Same container, userland-proxy on, Same container, "
        "userland-proxy on (A/A) and 5 more: 7 trials have no usable value of it, which may depend on the "
        "value, so that the others are no sample.",
    )


def test_the_plan_may_come_without_its_trials() -> None:
    data = made_up()
    assert build_chart(replace(data, plan=replace(data.plan, trials=()))) == build_chart(data)


values = st.none() | st.floats(0, 1e9) | st.sampled_from([0.0, 1.0, 1e-9, math.nan, math.inf])
trial = st.fixed_dictionaries(
    {
        "state": st.sampled_from(["queued", "running", "done", "failed", "cancelled"]),
        "evidence": st.sampled_from(["proven", "proven", "proven", "not_proven", "contradicted", None]),
        "tps": values,
        "cpu_us_per_txn": values,
    }
)


@settings(max_examples=60)
@given(
    st.lists(trial, min_size=35, max_size=35), st.sampled_from(["running", "done", "cancelled", "incomplete"])
)
def test_whatever_happened_the_model_is_finite(trials: list[dict[str, Any]], state: str) -> None:
    changes = iter(trials)

    def spoil(row: TrialRow, _cell: Cell) -> TrialRow:
        change = next(changes)
        metrics = {n: change[n] for n in ("tps", "cpu_us_per_txn") if change[n] is not None}
        done = change["state"] == "done"
        return replace(
            row,
            state=change["state"],
            metrics=metrics if done else None,
            evidence=change["evidence"] if done else None,
            cpu=row.cpu if done else None,
        )

    model = build_chart(made_up(study_experiment(rounds=5), change=spoil, state=state))
    text = model.model_dump_json()
    assert "NaN" not in text
    assert "Infinity" not in text
    assert ChartModel.model_validate_json(text) == model
    for cell in model.cells:
        if cell.state in ("contradicted", "not_proven", "infeasible", "failed"):
            assert all(s.median is None for s in cell.summaries.values())
            assert all(c.ratio is None for c in cell.comparisons.values())
