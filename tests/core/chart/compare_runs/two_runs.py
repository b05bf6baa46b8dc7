"""Made-up runs that are compared with each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.compare_runs.compared_cells import cells_with_every_metric, figures_of
from backend.core.chart.compare_runs.run_centres import RunCentres, centres_of
from backend.core.chart.compare_runs.run_comparison import ComparedRun
from backend.core.chart.compare_runs.run_comparison_model import EnvironmentDifference, RunComparison
from backend.core.plan.model import Cell
from tests.core.chart.runs import made_up, study_experiment

HOST = {"cpu": "AMD EPYC", "cores": "4", "architecture": "x86_64", "kernel": "6.1", "pgbench": "15.20"}
FACTOR_LEVELS = {
    "path": ["same_container", "sibling_container", "published_loopback"],
    "userland_proxy": [True, False],
}


@dataclass(frozen=True)
class MadeUpRun(ComparedRun):
    """A compared run with the input of its chart."""

    data: ChartInput

    @property
    def centres(self) -> RunCentres:
        """The centres of its cells, as one of the other runs."""
        return centres_of(self.cells)


def made_up_run(data: ChartInput, host: str = "bench-1", started_at: str | None = None) -> MadeUpRun:
    """A compared run of this input, with every metric."""
    figures = replace(figures_of(data), cells=cells_with_every_metric(by_cell(data)))
    return MadeUpRun(figures, host, started_at, data)


def one(
    run_id: str = "run_a",
    host: str = "bench-1",
    scale: float = 1.0,
    environment: dict[str, str] | None = None,
    change: Any = None,
    factors: dict[str, Any] | None = None,
    **parts: Any,
) -> MadeUpRun:
    """A run whose rates are all `scale` times those of the made-up study."""

    def spoilt(row: TrialRow, cell: Cell) -> TrialRow:
        assert row.metrics is not None
        faster = replace(row, metrics={k: v * scale if k == "tps" else v for k, v in row.metrics.items()})
        return faster if change is None else change(faster, cell)

    made = {name: parts.pop(name) for name in ("state", "infeasible") if name in parts}
    seed = parts.pop("noise_seed", 0)
    experiment = study_experiment(factors={**FACTOR_LEVELS, **(factors or {})}, **parts)
    data = made_up(experiment, spoilt, noise=0.01 + seed / 1000, **made)
    known = HOST if environment is None else environment
    data = replace(data, run_id=run_id, environment=known)
    return made_up_run(data, host, "2026-11-20T10:00:00.000Z")


def difference(model: RunComparison, key: str) -> EnvironmentDifference:
    """The difference in this key."""
    return next(one for one in model.differences if one.key == key)
