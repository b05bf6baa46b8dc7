"""One cell by itself: medians with intervals and replicates, CPU by role and by process."""

from __future__ import annotations

import math
from itertools import zip_longest
from statistics import median

from backend.core.chart.inputs import TrialRow
from backend.core.chart.model import Interval, ProcessShare, Replicate, RoleShare, Summary
from backend.core.chart.trials import CellTrials, value_of
from backend.core.sample.record import ROLES
from backend.core.statistics.median import cv_percent, median_interval

UNATTRIBUTED = "unattributed"
UNUSED = ("idle", "steal")
SHARES = (*ROLES, UNATTRIBUTED, *UNUSED)
"""The parts of the host's CPU, in the order in which they are stacked; all of them are its cores."""
MAX_PROCESSES = 16
"""No more ranks of equal processes than this are kept."""


def summarise(trials: CellTrials, metric: str) -> Summary:
    """One metric of a cell: every recorded replicate, statistics of those that count."""
    used = {row.trial_id for row in trials.used}
    replicates = tuple(
        Replicate(trial_id=row.trial_id, round=row.round, value=value, used=row.trial_id in used)
        for row in trials.done
        if (value := value_of(row, metric)) is not None
    )
    values = [replicate.value for replicate in replicates if replicate.used]
    if not values:
        return Summary(n=0, median=None, interval=None, cv_percent=None, replicates=replicates)
    centre = median_interval(values)
    return Summary(
        n=centre.n,
        median=centre.median,
        interval=interval_of(centre.low, centre.high),
        cv_percent=cv_percent(values),
        replicates=replicates,
    )


def interval_of(low: float | None, high: float | None) -> Interval | None:
    """An interval that has both of its ends."""
    return None if low is None or high is None else Interval(low=low, high=high)


def cpu_shares(trials: CellTrials) -> tuple[RoleShare, ...]:
    """Median cores and microseconds per transaction of each role and of the remainder."""
    shares = (_share(role, trials.used) for role in SHARES)
    return tuple(share for share in shares if share is not None)


def role_cores(row: TrialRow, role: str) -> float | None:
    """Cores that one role took in one trial's window."""
    if row.cpu is None or row.cpu.window_seconds <= 0:
        return None
    others = {UNATTRIBUTED: row.cpu.unattributed, "idle": row.cpu.idle, "steal": row.cpu.steal}
    seconds = others[role] if role in others else row.cpu.roles.get(role)
    return seconds / row.cpu.window_seconds if seconds is not None and math.isfinite(seconds) else None


def _share(role: str, rows: tuple[TrialRow, ...]) -> RoleShare | None:
    cores = [(row, value) for row in rows if (value := role_cores(row, role)) is not None]
    per_transaction = [
        1e6 * value * row.cpu.window_seconds / row.transactions
        for row, value in cores
        if row.cpu is not None and row.transactions
    ]
    if not per_transaction:
        return None
    return RoleShare(
        role=role,
        cores=median(value for _, value in cores),
        us_per_txn=median(per_transaction),
        busy=role not in UNUSED,
    )


def process_cores(row: TrialRow, name: str, thread: bool = False) -> list[float]:
    """Cores of each of the equal processes in one trial's window, the busiest first."""
    if row.cpu is None or row.cpu.window_seconds <= 0:
        return []
    own = (p.seconds for p in row.processes if p.name == name and p.thread == thread)
    return sorted((seconds / row.cpu.window_seconds for seconds in own), reverse=True)


def process_shares(trials: CellTrials) -> tuple[ProcessShare, ...]:
    """Median cores by rank of the proxies' processes and threads, so that an uneven spread is seen."""
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
