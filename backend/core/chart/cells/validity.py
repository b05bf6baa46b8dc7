"""A trial's row as statistics may use it: its cost by today's definition, its bounds checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from backend.core.chart.cells.inputs import TrialRow
from backend.core.definition.factors import Level
from backend.core.sample.bounds import Figures, violations
from backend.core.sample.metrics import with_costs


def checked(row: TrialRow, levels: Mapping[str, Level]) -> TrialRow:
    """The row with costs recomputed from its roles; without any figure if it is excluded or breaks a bound.

    `levels` are those of its cell. Reasons that the record itself holds stay and come first. A row that was
    checked before stays as it is.
    """
    invalid = tuple(dict.fromkeys((*row.invalid, *violations(_figures(row, levels)))))
    if invalid or row.excluded is not None:
        return replace(row, invalid=invalid, metrics=None, cpu=None, processes=())
    if row.metrics is None or row.cpu is None:
        return row
    costs = with_costs(row.metrics, row.cpu.roles, row.transactions or 0, row.cpu.window_seconds)
    return replace(row, metrics=costs)


def _figures(row: TrialRow, levels: Mapping[str, Level]) -> Figures:
    # Values that are no number are left out one by one, with a warning (`CellTrials.dropped`).
    known = (row.metrics or {}).items()
    metrics = {name: value for name, value in known if value is not None and math.isfinite(value)}
    if row.cpu is None:
        return Figures(metrics=metrics)
    return Figures(
        metrics=metrics,
        roles=row.cpu.roles,
        idle=row.cpu.idle,
        steal=row.cpu.steal,
        unattributed=row.cpu.unattributed,
        window_s=row.cpu.window_seconds,
        duration_s=float(levels["duration_s"]) if "duration_s" in levels else None,
    )
