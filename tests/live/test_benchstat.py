"""Exports read by the real benchstat: it accepts every line, and prints Plimsoll's own numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.cells.trials import CellTrials
from backend.core.definition.metrics import METRICS
from backend.core.export.go_benchmark import benchmark_name, go_benchmark
from backend.core.export.units import go_unit
from backend.core.plan.model import Cell
from backend.core.statistics.median import MedianInterval, median_interval
from backend.core.statistics.unpaired import benchstat_p
from tests.core.chart.runs import failed, is_cell, made_up, study_experiment
from tests.live.go import Compared, build_benchstat, compare

pytestmark = pytest.mark.full
ALPHA = 0.05
TIES = {"tps", "cpu_us_per_txn"}


@pytest.fixture(scope="module")
def benchstat() -> Path:
    return build_benchstat()


def run_with(noise: float, seed: int, gap: bool = False) -> ChartInput:
    """Six cells and an A/A duplicate, ten rounds, two metrics, most values tied; one trial may be missing."""

    def changed(row: TrialRow, cell: Cell) -> TrialRow:
        if gap and is_cell(cell, "sibling_container", False) and row.round == 2:
            return failed(row)
        assert row.metrics is not None
        tied = {name: float(round(value, -2 if name == "tps" else 0)) for name, value in row.metrics.items()}
        return replace(row, metrics=dict(row.metrics) | {name: tied[name] for name in TIES})

    experiment = study_experiment(seed=seed, metrics=["tps", "cpu_us_per_txn"])
    data = made_up(experiment, change=changed, noise=noise)
    facts = {"host": "bench-a", "cpu": "Some CPU @ 2.0 GHz", "kernel": "6.1", "pgbench": "pgbench 15.20"}
    return replace(data, run_id=f"run_{seed}", environment=facts)


def expected(name: str, base: CellTrials, new: CellTrials, metric: str) -> Compared:
    """The expected output of benchstat, from Plimsoll's median, interval and two-sample test."""
    unit = go_unit(METRICS[metric])
    first, second = ([float(unit.text(v)) for v in c.values(metric).values()] for c in (base, new))
    a, b = median_interval(first), median_interval(second)
    p = benchstat_p(first, second)
    delta = f"{(b.median / a.median - 1) * 100:+.2f}%" if p <= ALPHA else "~"
    n = f"n={a.n}" if a.n == b.n else f"n={a.n}+{b.n}"
    return Compared(
        name.removeprefix("Benchmark"),
        unit.name,
        f"{a.median:g}" if a.median.is_integer() else repr(a.median),
        spread(a),
        f"{b.median:g}" if b.median.is_integer() else repr(b.median),
        spread(b),
        delta,
        f"p={p:.3f} {n}",
    )


def spread(found: MedianInterval) -> str:
    """benchstat's ±: the farther end of the interval, in per cent of the median."""
    assert found.low is not None and found.high is not None
    return f"{max(found.high / found.median - 1, 1 - found.low / found.median) * 100:.0f}%"


def check(rows: Sequence[Compared], wanted: Sequence[Compared]) -> None:
    found = {(row.unit, row.name): row for row in rows}
    assert found.keys() == {(row.unit, row.name) for row in wanted}
    for row in wanted:
        seen = found[row.unit, row.name]
        assert (float(seen.base), float(seen.new)) == (float(row.base), float(row.new))
        assert replace(seen, base=row.base, new=row.new) == row


def pairs(base: ChartInput, new: ChartInput) -> Iterator[Compared]:
    """Every cell of one run against that of another."""
    others = by_cell(new)
    for id_, trials in by_cell(base).items():
        name = benchmark_name(trials.cell, base.plan.varied)
        if not trials.cell.is_duplicate:
            yield from (expected(name, trials, others[id_], m) for m in base.experiment.metrics)


def written(folder: Path, data: ChartInput) -> str:
    file = folder / f"{data.run_id}.txt"
    file.write_text(go_benchmark(data))
    return str(file)


@pytest.mark.parametrize("noise", [0.005, 0.02, 0.3])
def test_the_columns_of_one_run(benchstat: Path, tmp_path: Path, noise: float) -> None:
    data = run_with(noise, seed=7)
    file = written(tmp_path, data)
    rows, said = compare(benchstat, "-filter", "/aa:no", "-col", "/userland_proxy@(on off)", file)
    assert said == ""
    cells = [c for c in by_cell(data).values() if not c.cell.is_duplicate]
    wanted = []
    for on in (c for c in cells if c.cell.levels["userland_proxy"]):
        off = next(c for c in cells if is_cell(c.cell, str(on.cell.levels["path"]), False))
        name = benchmark_name(on.cell, [v for v in data.plan.varied if v != "userland_proxy"])
        wanted += [expected(name, on, off, metric) for metric in data.experiment.metrics]
    assert len(wanted) == 6
    check(rows, wanted)


def test_the_baseline_against_its_duplicate(benchstat: Path, tmp_path: Path) -> None:
    data = run_with(0.01, seed=8)
    narrow = "/path:same_container /userland_proxy:on"
    rows, said = compare(benchstat, "-filter", narrow, "-col", "/aa@(no yes)", written(tmp_path, data))
    assert said == ""
    cells = by_cell(data).values()
    own = next(c for c in cells if c.cell.is_baseline)
    again = next(c for c in cells if c.cell.is_duplicate)
    name = benchmark_name(own.cell, data.plan.varied).removesuffix("/aa=no")
    check(rows, [expected(name, own, again, metric) for metric in data.experiment.metrics])


def test_two_runs_as_two_files(benchstat: Path, tmp_path: Path) -> None:
    base, new = run_with(0.02, seed=7), run_with(0.03, seed=9, gap=True)
    files = (f"base={written(tmp_path, base)}", f"new={written(tmp_path, new)}")
    rows, said = compare(benchstat, "-filter", "/aa:no", *files)
    assert said == ""
    wanted = list(pairs(base, new))
    assert len(wanted) == 12 and any(row.p.endswith("n=10+9") for row in wanted)
    check(rows, wanted)
