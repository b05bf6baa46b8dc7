"""Runs of several tools side by side: what they count, and whose A/A check is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.chart.compare_runs.run_comparison_model import RunComparison
from backend.core.definition.submitted import validate_document
from backend.core.plan.model import Cell
from tests.core.chart.compare_runs.two_runs import MadeUpRun, made_up_run
from tests.core.chart.runs import Change, as_measured, made_up

PAIRS = {"pgbench": "postgres", "wrk": "pong", "ab": "pong", "iperf3": "iperf3_server"}
CPU = "cpu_us_per_txn"


def run(*metrics: str, change: Change = as_measured, run_id: str = "run_a") -> MadeUpRun:
    """Two paths under each of the four tools, with its own service."""
    experiment = validate_document(
        {
            "name": "tools",
            "title": "Tools",
            "factors": {
                "path": ["same_container", "published_loopback"],
                "tool": list(PAIRS),
                "service": sorted(set(PAIRS.values())),
            },
            "exclude": [
                {"tool": tool, "service": service}
                for tool, own in PAIRS.items()
                for service in set(PAIRS.values()) - {own}
            ],
            "baseline": {"path": "same_container"},
            "metrics": ["tps", "rps", "throughput_gbit_s", *metrics],
        }
    )
    return made_up_run(replace(made_up(experiment, change), run_id=run_id))


def cell(run: MadeUpRun, tool: str, path: str = "published_loopback") -> str:
    return next(
        id_
        for id_, trials in run.cells.items()
        if (trials.cell.levels["tool"], trials.cell.levels["path"]) == (tool, path)
    )


def compared(run: MadeUpRun, a: str, b: str, **query: Any) -> RunComparison:
    return compare_runs(run, run, RunComparisonQuery(a_cell=cell(run, a), b_cell=cell(run, b), **query))


@pytest.mark.parametrize(
    ("a", "b", "counted"),
    [
        ("pgbench", "iperf3", "per transaction in A and per MB in B"),
        ("wrk", "pgbench", "per request in A and per transaction in B"),
    ],
)
def test_figures_of_unlike_operations_are_not_compared(a: str, b: str, counted: str) -> None:
    model = compared(run(CPU, "proxy_cpu_us_per_txn", "proxy_cpu_cores"), a, b)
    assert [table.metric for table in model.tables] == ["proxy_cpu_cores"]
    assert f"Figures per operation are {counted}: they have no table." in model.warnings


def test_where_nothing_else_is_left_the_reason_says_why() -> None:
    model = compared(run(CPU), "pgbench", "iperf3")
    assert model.refused and model.warnings == ()
    assert model.reasons[0] == (
        "No metric is in common, as figures per operation are per transaction in A and per MB in B: compare "
        "cells whose tools count the same operations, or another metric."
    )
    assert compared(run(), "pgbench", "iperf3").reasons[0].endswith("whose tools report the same one.")
    over = compared(run(CPU), "pgbench", "iperf3", override=True)
    assert CPU not in [table.metric for table in over.tables]


def test_two_tools_that_count_requests_are_compared() -> None:
    model = compared(run(CPU), "wrk", "ab")
    assert [table.metric for table in model.tables] == ["rps", CPU]
    assert not any("operation" in text for text in model.warnings)


def test_ratios_to_the_own_baseline_have_no_unit() -> None:
    model = compared(run(CPU), "pgbench", "iperf3", basis="ratios")
    assert [table.metric for table in model.tables] == [CPU]


def test_two_cells_of_one_run_are_not_called_runs() -> None:
    model = compared(run(CPU), "wrk", "ab", basis="values")
    assert not any("of the runs" in text for text in model.warnings)
    model = compared(run("cpu_cores", "proxy_cpu_cores"), "wrk", "pgbench")
    assert (
        "transactions per second: one of the cells has no value of it, so it has no table." in model.warnings
    )


def test_a_run_is_suspect_where_any_tools_duplicate_differs() -> None:
    """The first metric of the run is tps, which iperf3's duplicate does not have."""

    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        metrics = dict(row.metrics or {})
        spoilt = cell.is_duplicate and cell.levels["tool"] == "iperf3"
        return replace(row, metrics={k: v * 2 for k, v in metrics.items()}) if spoilt else row

    suspect = run(change=spoil, run_id="run_b")
    assert [check.suspect for check in build_chart(suspect.data).duplicates] == [False, False, False, True]
    warnings = compare_runs(run(), suspect).warnings
    assert [text[:1] for text in warnings if "is suspect" in text] == ["B"]


def test_a_duplicate_is_suspect_at_its_own_level_as_on_the_runs_own_page() -> None:
    """Of four duplicates one alone yields tps: its p of 0.049 is corrected for no other."""
    shifts = {1: -5.5, 2: -1.5, 3: -0.5}

    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        metrics = dict.fromkeys(row.metrics or {}, 100.0)
        if cell.levels["tool"] == "pgbench" and cell.is_duplicate:
            metrics["tps"] += shifts.get(row.round, row.round) / 100
        return replace(row, metrics=metrics)

    suspect = run(change=spoil, run_id="run_b")
    checks = build_chart(suspect.data).duplicates
    assert [check.suspect for check in checks] == [True, False, False, False]
    assert checks[0].p == pytest.approx(0.0488, abs=1e-4)
    assert any(text.startswith("B: A/A is suspect") for text in compare_runs(run(), suspect).warnings)
