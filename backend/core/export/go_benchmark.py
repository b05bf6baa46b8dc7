"""A run as Go benchmark text, which benchstat reads: one line per trial in the statistics, in time order.

Source of the format: golang.org/x/perf `benchfmt` and the Go proposal 14313. What differs between two
files in a `key: value` line splits benchstat's tables, so these lines contain facts of the host and of
the tool only; everything specific to a run is on lines that begin with "#".
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.cells.servers import starts_sentence
from backend.core.chart.cells.trials import value_of
from backend.core.chart.quality.aa_check import aa_checks, qualification
from backend.core.chart.text.table import compared
from backend.core.definition.factors import Level
from backend.core.definition.metrics import METRICS
from backend.core.export.units import go_unit
from backend.core.plan.model import Cell
from backend.core.plan.states import RUN_ENDED
from backend.core.sample.environment import HOST_FACTS

"""Keys of the environment that are equal in all files of one host until the host itself is changed."""
TIED: Final = (
    "benchstat doubles the smaller tail of U: its p is not valid for samples of unequal size with ties, "
    "for which Plimsoll shows the permutation p"
)
_BARE: Final = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.-]*")
_IN_THE_NAME: Final = frozenset(("tool",))
"""Varied factors that the benchmark's name already contains."""


def go_benchmark(data: ChartInput) -> str:
    """The file. A run without a trial in the statistics has a header only."""
    lines = (*_remarks(data), *_header(data), *_units(data), *_results(data))
    return "\n".join(lines) + "\n"


def _remarks(data: ChartInput) -> Iterator[str]:
    """The comment lines: facts of this run, and how to use the file."""
    experiment = data.experiment
    fixed = " ".join(
        f"{name}={_word(level)}" for name, level in _fixed(data.plan.cells, data.plan.varied).items()
    )
    yield f"# run: {data.run_id}"
    yield f"# experiment: {experiment.name}, {_line(experiment.title)}"
    yield f"# seed: {data.seed}"
    yield f"# state: {data.state}{'' if data.state in RUN_ENDED else ', provisional'}"
    if data.origin != "measured":
        yield f"# origin: {data.origin}"
    if data.origin == "measured":
        yield f"# servers: {_line(starts_sentence(data.plan))}"
    yield f"# equal in all cells: {fixed}"
    yield "# aa=yes is the duplicate of the baseline, measured as a cell of its own"
    checks = tuple(aa_checks(by_cell(data), experiment.metrics, experiment.margin))
    yield from (f"# {_line(check.sentence)}" for check in checks)
    trust = qualification(checks)
    yield from () if trust is None else (f"# {trust}",)
    yield f"# for example: benchstat -filter /aa:no -col {shlex.quote(_example(data))} FILE"
    yield "# or two runs: benchstat -filter /aa:no base=FILE new=FILE"
    yield f"# {TIED}"
    yield from (f"# {_line(text)}" for text in _differences(data))


def _differences(data: ChartInput) -> Iterator[str]:
    """What is compared by a difference, because benchstat prints "?" for a change from 0."""
    metrics = data.experiment.metrics
    if not any((row.metrics or {}).get(name) == 0 for row in data.trials for name in metrics):
        return
    model = build_chart(data, complete=True)
    for axis in model.axes:
        for cell in model.cells:
            found = cell.comparisons.get(axis.metric)
            if found is not None and found.difference is not None:
                figure = compared(None, None, found.difference)
                yield f"{axis.label}, no ratio from or to 0: {cell.label}: {figure}, {found.sentence}"


def _fixed(cells: Sequence[Cell], varied: Sequence[str]) -> dict[str, Level]:
    found: dict[str, Level] = {}
    for cell in cells:
        found |= {name: level for name, level in cell.levels.items() if name not in varied}
    return found


def _example(data: ChartInput) -> str:
    """benchstat's projection of the last varied factor, with the baseline's level first."""
    baseline = next((cell for cell in data.plan.cells if cell.is_baseline), None)
    factor = next((name for name in reversed(data.plan.varied) if name not in _IN_THE_NAME), None)
    if baseline is None or factor is None or factor not in baseline.levels:
        return "/aa"
    words = dict.fromkeys(_word(c.levels[factor]) for c in data.plan.cells if factor in c.levels)
    first = _word(baseline.levels[factor])
    ordered = (first, *(word for word in words if word != first))
    return f"/{factor}@({' '.join(map(_projected, ordered))})"


def _projected(word: str) -> str:
    """A level as a word of a projection, as benchproc's tokenizer reads it: bare, or as a string of Go."""
    if _BARE.fullmatch(word) and word not in ("AND", "OR"):
        return word
    # The tokenizer reads a quote behind any backslash as an escaped one.
    return json.dumps(word, ensure_ascii=False).replace("\\\\", "\\x5c")


def _header(data: ChartInput) -> Iterator[str]:
    tools = sorted({str(cell.levels["tool"]) for cell in data.plan.cells})
    for key in (*HOST_FACTS, *tools):
        value = _line(data.environment.get(key, ""))
        if value:
            yield f"{key}: {value}"


def _units(data: ChartInput) -> Iterator[str]:
    for name in data.experiment.metrics:
        yield f"Unit {go_unit(METRICS[name]).name} better={METRICS[name].better}"


def _results(data: ChartInput) -> Iterator[str]:
    cells = by_cell(data)
    used = {row.trial_id for trials in cells.values() for row in trials.used}
    for row in data.trials:
        if row.trial_id in used:
            measured = " ".join(_measurements(row, data.experiment.metrics))
            if measured:
                name = benchmark_name(cells[row.cell_id].cell, data.plan.varied)
                yield f"{name} {max(1, row.transactions or 1)} {measured}"


def _measurements(row: TrialRow, metrics: Sequence[str]) -> Iterator[str]:
    for name in metrics:
        value = value_of(row, name)
        if value is not None:
            unit = go_unit(METRICS[name])
            yield f"{unit.text(value)} {unit.name}"


def benchmark_name(cell: Cell, varied: Sequence[str]) -> str:
    """ "BenchmarkPgbench/path=…/clients=8/aa=no": the path, every varied factor, and a word at the end.

    The last word keeps benchstat from reading "-1" at the end of a name as GOMAXPROCS.
    """
    named = [name for name in dict.fromkeys(("path", *varied)) if name not in _IN_THE_NAME]
    parts = [f"{name}={_word(cell.levels[name])}" for name in named if name in cell.levels]
    tool = str(cell.levels["tool"]).capitalize()
    return "/".join((f"Benchmark{tool}", *parts, f"aa={'yes' if cell.is_duplicate else 'no'}"))


def _word(level: Level) -> str:
    """A level without the separators of a benchmark's name."""
    if isinstance(level, bool):
        return "on" if level else "off"
    return re.sub(r"[\s/=]+", "_", str(level)) or "any"


def _line(text: str) -> str:
    return " ".join(text.split())
