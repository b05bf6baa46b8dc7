"""One cell by itself: medians with intervals and replicates, CPU by role and by process."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from statistics import median

from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.cells.trials import CellTrials, value_of
from backend.core.chart.model.cell_models import ProcessShare, RoleShare, Summary
from backend.core.chart.model.model_base import Interval
from backend.core.sample.record import ROLES
from backend.core.statistics.median import cv_percent, median_interval

UNATTRIBUTED = "unattributed"
UNUSED = ("idle", "steal")
SHARES = (*ROLES, UNATTRIBUTED, *UNUSED)
"""The parts of the host's CPU, in the order in which they are stacked; all of them are its cores."""
MAX_PROCESSES = 16
"""The most ranks of equal processes that are kept."""


def summarise(trials: CellTrials, metric: str) -> Summary:
    """One metric of a cell: every recorded replicate, statistics of those that count.

    A metric that some of them lack has no statistics.
    """
    own = trials.observed(metric)
    if len(trials.used) == len(trials.done):
        recorded = tuple([own.get(row.round) for row in trials.done])
    else:
        recorded = tuple([value_of(row, metric) for row in trials.done])
    values = list(own.values())
    if not values or trials.lacking(metric):
        return Summary(n=len(values), median=None, interval=None, cv_percent=None, values=recorded)
    centre = median_interval(values)
    return Summary(
        n=centre.n,
        median=centre.median,
        interval=interval_of(centre.low, centre.high),
        cv_percent=cv_percent(values),
        values=recorded,
    )


def interval_of(low: float | None, high: float | None) -> Interval | None:
    """The interval, None where a bound is missing."""
    return None if low is None or high is None else Interval(low=low, high=high)


def cpu_shares(trials: CellTrials) -> tuple[RoleShare, ...]:
    """Median cores and microseconds per transaction of each role and of the remainder."""
    rows = [(_cores(row), _us_per_core(row)) for row in trials.used]
    shares = (_share(role, rows) for role in SHARES)
    return tuple(share for share in shares if share is not None)


def role_cores(row: TrialRow, role: str) -> float | None:
    """Cores that one role took in one trial's window."""
    return _cores(row).get(role)


def _cores(row: TrialRow) -> Mapping[str, float]:
    """Cores of every recorded part of the host's CPU."""
    cpu = row.cpu
    if cpu is None or cpu.window_seconds <= 0:
        return {}
    others = {UNATTRIBUTED: cpu.unattributed, "idle": cpu.idle, "steal": cpu.steal}
    return {
        role: seconds / cpu.window_seconds
        for role, seconds in (*cpu.roles.items(), *others.items())
        if seconds is not None and math.isfinite(seconds)
    }


def _us_per_core(row: TrialRow) -> float | None:
    """Microseconds per transaction of one core that is busy for the whole window."""
    if row.cpu is None or not row.transactions:
        return None
    return 1e6 * row.cpu.window_seconds / row.transactions


def _share(role: str, rows: Sequence[tuple[Mapping[str, float], float | None]]) -> RoleShare | None:
    known = [(cores[role], scale) for cores, scale in rows if role in cores]
    per_transaction = [cores * scale for cores, scale in known if scale is not None]
    if not per_transaction:
        return None
    return RoleShare(
        role=role,
        cores=median([cores for cores, _ in known]),
        us_per_txn=median(per_transaction),
        # The unattributed share is negative where counters overlap; it is then not drawn as busy.
        busy=role not in UNUSED and (role != UNATTRIBUTED or median(cores for cores, _ in known) >= 0),
    )


def process_cores(row: TrialRow, name: str, thread: bool = False) -> list[float]:
    """Cores of each of the equal processes in one trial's window, the busiest first."""
    if row.cpu is None or row.cpu.window_seconds <= 0:
        return []
    own = (
        p.seconds for p in row.processes if p.name == name and p.thread == thread and math.isfinite(p.seconds)
    )
    return sorted((seconds / row.cpu.window_seconds for seconds in own), reverse=True)


def process_shares(trials: CellTrials) -> tuple[ProcessShare, ...]:
    """Median cores by rank of the proxies' processes and threads, which shows an uneven spread."""
    kinds = {
        (p.name, p.role, p.thread): None for row in trials.used for p in row.processes if p.role == "proxy"
    }
    shares = []
    for name, role, thread in kinds:
        ranked = zip_longest(*(process_cores(row, name, thread) for row in trials.used), fillvalue=0.0)
        for rank, cores in enumerate(ranked, start=1):
            if rank <= MAX_PROCESSES:
                shares.append(
                    ProcessShare(name=name, role=role, thread=thread, rank=rank, cores=median(cores))
                )
    return tuple(shares)
