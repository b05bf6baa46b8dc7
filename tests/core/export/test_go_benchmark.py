"""Go benchmark text: the rules that benchstat holds its readers to."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace

import pytest

from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.definition.metrics import METRICS
from backend.core.export.go_benchmark import benchmark_name, go_benchmark
from backend.core.export.units import GoUnit, go_unit
from backend.core.plan.model import Cell
from tests.core.chart.runs import made_up, study_experiment
from tests.core.export.runs import hostile_run

LINE = re.compile(r"Benchmark[A-Z]\S* [1-9][0-9]*( [0-9.e+-]+ \S+)+")


def results(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("Benchmark")]


def test_one_line_a_trial_that_counts_in_time_order() -> None:
    data = hostile_run()
    used = [row for trials in by_cell(data).values() for row in trials.used]
    lines = results(go_benchmark(data))
    assert len(lines) == len(used) == len(data.trials) - 2
    ordered = [row for row in data.trials if row in used]
    for line, row in zip(lines, ordered, strict=True):
        assert LINE.fullmatch(line), line
        assert row.metrics is not None
        assert f" {row.transactions} {row.metrics['tps']!r} tps " in line
        assert float(line.split()[line.split().index("cpu-us/txn") - 1]) == row.metrics["cpu_us_per_txn"]


def test_header_keys_are_those_of_host_and_tool_and_the_run_is_a_remark() -> None:
    first = go_benchmark(hostile_run()).splitlines()
    other = go_benchmark(replace(hostile_run(seed=8), run_id="run_2")).splitlines()

    def keys(lines: list[str]) -> list[str]:
        return [line for line in lines if re.match(r"[a-z][^ A-Z]*: ", line)]

    assert keys(first) == keys(other) == ["host: bench-a", "kernel: 6.1", "pgbench: pgbench 15.20"]
    assert "# run: run_1" in first and "# run: run_2" in other
    assert "Unit tps better=higher" in first and "Unit cpu-us/txn better=lower" in first
    assert all(line.startswith(("#", "Unit ", "Benchmark")) or line in keys(first) for line in first)


def test_names_hold_path_and_varied_factors_and_end_in_a_word() -> None:
    document = {
        "factors": {"path": "same_container", "clients": [1, 8], "userland_proxy": True},
        "baseline": {"clients": 1},
        "study": None,
    }
    data = made_up(study_experiment(**document))
    names = [benchmark_name(cell, data.plan.varied) for cell in data.plan.cells]
    assert names == [
        "BenchmarkPgbench/path=same_container/clients=1/aa=no",
        "BenchmarkPgbench/path=same_container/clients=1/aa=yes",
        "BenchmarkPgbench/path=same_container/clients=8/aa=no",
    ]
    for cell in data.plan.cells:
        odd = replace(cell, levels=cell.levels | {"client_cpuset": "", "server_cpuset": "0-1"})
        name = benchmark_name(odd, ("client_cpuset", "server_cpuset"))
        assert not re.search(r"-[0-9]+$", name) and " " not in name
        assert "/client_cpuset=any/server_cpuset=0-1/aa=" in name


@pytest.mark.parametrize(
    ("level", "word"),
    [
        ("0-1", "0-1"),
        ("0,2", '"0,2"'),
        ("-1", '"-1"'),
        ("OR", '"OR"'),
        ("10:00", '"10:00"'),
        ("(a)", '"(a)"'),
        ('a"b', r'"a\"b"'),
        ("a\\", r'"a\x5c"'),
        ("代", '"代"'),
        ("it's", '"it\'s"'),
    ],
)
def test_the_example_can_be_pasted_whatever_the_levels_are(level: str, word: str) -> None:
    """Bare words and operators as in benchproc/internal/parse/tok.go of golang.org/x/perf."""
    factors = {"path": "same_container", "client_cpuset": ["0", "1"]}
    data = made_up(study_experiment(factors=factors, baseline={"client_cpuset": "0"}, study=None, rounds=2))
    cells = tuple(
        replace(cell, levels=cell.levels | {"client_cpuset": level})
        if cell.levels["client_cpuset"] == "1"
        else cell
        for cell in data.plan.cells
    )
    text = go_benchmark(replace(data, plan=replace(data.plan, cells=cells)))
    (line,) = [line for line in text.splitlines() if line.startswith("# for example: ")]
    assert shlex.split(line.removeprefix("# for example: ")) == [
        *("benchstat", "-filter", "/aa:no", "-col", f"/client_cpuset@(0 {word})", "FILE")
    ]


def test_what_is_not_finite_is_left_out() -> None:
    def poisoned(row: TrialRow, _cell: Cell) -> TrialRow:
        assert row.metrics is not None
        return replace(row, metrics=dict(row.metrics) | {"tps": float("nan")})

    text = go_benchmark(made_up(change=poisoned))
    assert len(results(text)) == 70
    assert not any(" nan" in line or " tps" in line for line in results(text))


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_benchstat_rescales_no_unit(metric: object) -> None:
    unit = go_unit(metric)  # type: ignore[arg-type] # pytest hides the type of parameters
    assert not re.search(r"(^|-)(ns|MB)($|/)", unit.name) and " " not in unit.name


def test_units_are_unique_and_exact() -> None:
    units = [go_unit(metric).name for metric in METRICS.values()]
    assert len(units) == len(set(units))
    assert {"tps", "req/s", "bits/s", "cpu-us/txn", "p99-sec"} <= set(units)
    assert GoUnit("bits/s", 9).text(8.93) == "8930000000.0"
    assert GoUnit("p99-sec", -3).text(0.1) == "0.0001"
    assert GoUnit("tps", 0).text(0.1 + 0.2) == "0.30000000000000004"
