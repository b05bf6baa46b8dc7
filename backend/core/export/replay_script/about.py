"""The opening comment of a script: where the cell was measured, and the expected result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.trials import CellTrials
from backend.core.definition.catalog import PROXY_PROGRAM
from backend.core.definition.metrics import METRICS, RATES
from backend.core.plan.labels import hop_label
from backend.core.sample.environment import HOST, HOST_FACTS
from backend.core.statistics.median import median_interval
from backend.core.topology.paths import PATHS

UNITS: Final = {"pgbench": "tps", "wrk": "requests/s", "ab": "requests/s", "iperf3": "Gbit/s"}


def about(data: ChartInput, trials: CellTrials) -> str:
    """The opening lines, without comment signs."""
    return "\n".join(_lines(data, trials))


def _lines(data: ChartInput, trials: CellTrials) -> Iterator[str]:
    cell = trials.cell
    tool = str(cell.levels["tool"])
    yield f"Repeats cell {cell.id} of run {data.run_id} with plain Docker, without Plimsoll: {cell.label}"
    yield f"Experiment: {data.experiment.name}, {' '.join(data.experiment.title.split())}"
    yield f"Path: {PATHS[str(cell.levels['path'])].summary}"
    yield f"Hops: {', '.join(map(hop_label, data.hops.get(cell.id, ()))) or 'none'}"
    facts = [f"{key} {data.environment[key]}" for key in HOST_FACTS if data.environment.get(key)]
    yield f"Measured on: {'; '.join(facts) or 'not recorded'}"
    yield f"Program: {data.environment.get(tool, 'version not recorded')}"
    yield expected(data, trials)
    yield ""
    yield "Prints the tool's rate of each round, the median and the expected rate. Variables: IMAGE, BASE,"
    yield "ROUNDS, PORT, FRONT_PORT. Removes everything that it created, also after Ctrl-C."
    if cell.levels.get("proxy_program", PROXY_PROGRAM) != PROXY_PROGRAM:
        program = cell.levels["proxy_program"]
        yield f"The cell used the program {program} instead of docker-proxy (dockerd --userland-proxy-path)."
    if cell.levels.get("engine") == "lab":
        yield "The cell ran in a private Docker Engine; yours may have other containers, networks and rules."


def expected(data: ChartInput, trials: CellTrials) -> str:
    """The rate that the run measured, with its interval, or that the run has none of this cell."""
    tool = str(trials.cell.levels["tool"])
    values = list(trials.values(RATES[tool]).values())
    host = data.environment.get(HOST, "the host of the run")
    if not values:
        return f"expected: nothing; the run has no figure of this cell ({trials.state.replace('_', ' ')})"
    found = median_interval(values)
    digits = 3 if METRICS[RATES[tool]].unit == "Gbit/s" else 0
    interval = (
        f" [{found.low:,.{digits}f}, {found.high:,.{digits}f}], 95 % CI of the median"
        if found.low is not None and found.high is not None
        else ""
    )
    return f"expected on {host}: {found.median:,.{digits}f} {UNITS[tool]}{interval} (n = {found.n})"
