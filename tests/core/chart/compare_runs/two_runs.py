"""Made-up runs that are compared with each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.compare_runs.run_comparison import ComparedRun
from backend.core.chart.compare_runs.run_comparison_model import EnvironmentDifference, RunComparison
from backend.core.plan.model import Cell
from tests.core.chart.runs import made_up, study_experiment

HOST = {"cpu": "AMD EPYC", "cores": "4", "architecture": "x86_64", "kernel": "6.1", "pgbench": "15.20"}
FACTOR_LEVELS = {
    "path": ["same_container", "sibling_container", "published_loopback"],
    "userland_proxy": [True, False],
}


def one(
    run_id: str = "run_a",
    host: str = "bench-1",
    scale: float = 1.0,
    environment: dict[str, str] | None = None,
    change: Any = None,
    factors: dict[str, Any] | None = None,
    **parts: Any,
) -> ComparedRun:
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
    return ComparedRun(replace(data, run_id=run_id, environment=known), host, "2026-11-20T10:00:00.000Z")


def difference(model: RunComparison, key: str) -> EnvironmentDifference:
    """The difference in this key."""
    return next(one for one in model.differences if one.key == key)
