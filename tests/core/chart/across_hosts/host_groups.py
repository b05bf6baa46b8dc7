"""Made-up groups of runs: one experiment on several hosts."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from backend.core.chart.across_hosts.build_hosts import HostGroup
from backend.core.chart.across_hosts.host_runs import HostRun
from backend.core.chart.across_hosts.hosts_model import Disagreement, HostsResult, HostsRow
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.compare_runs.compared_cells import figures_of
from backend.core.plan.cells import Infeasible
from backend.core.plan.model import Cell
from tests.core.chart.runs import Change, made_up, study_experiment

ENVIRONMENT = {"kernel": "6.1", "cores": "4", "host": "a"}
PROXIED = ("published_loopback", True)


def host_run(
    host: str,
    scale: float = 1.0,
    effects: Mapping[tuple[str, bool], float] | None = None,
    state: str = "done",
    environment: Mapping[str, str] = ENVIRONMENT,
    infeasible: Infeasible = lambda _levels: None,
    change: Change | None = None,
    **experiment: Any,
) -> HostRun:
    """A run whose rates are `scale` times the study's, and those of some cells `effects` times more."""
    generator = random.Random(host)

    def own(row: TrialRow, cell: Cell) -> TrialRow:
        effect = (effects or {}).get((str(cell.levels["path"]), bool(cell.levels["userland_proxy"])), 1.0)
        factor = scale * effect * generator.lognormvariate(0, 0.01)
        assert row.metrics is not None
        row = replace(row, metrics={k: v * factor if k == "tps" else v for k, v in row.metrics.items()})
        return row if change is None else change(row, cell)

    data = made_up(study_experiment(**experiment), own, state, infeasible=infeasible)
    data = replace(data, run_id=f"run_{host}", environment={**environment, "host": host})
    return HostRun(host, data.run_id, state, "2026-11-20T10:00:00.000Z", figures_of(data))  # type: ignore[arg-type]


def group(*runs: HostRun, **experiment: Any) -> HostGroup:
    return HostGroup("grp_1", "exp_1", study_experiment(**experiment), runs)


def row(model: HostsResult, cell: tuple[str, bool]) -> HostsRow:
    return next(row for row in model.table.rows if (row.levels["path"], row.levels["userland_proxy"]) == cell)


def judged(model: HostsResult, cell: tuple[str, bool] = PROXIED) -> Disagreement:
    found = row(model, cell).disagreement
    assert found is not None
    return found
