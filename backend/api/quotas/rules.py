"""Decides whether a demand fits into a team's quotas; no I/O."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from backend.core.errors import Invalid, Problem, QuotaExceeded
from backend.settings import Settings
from backend.store.repositories.usage import Usage

QuotaName = Literal[
    "queued_trials",
    "active_runs",
    "host_seconds_per_day",
    "stored_bytes",
    "open_streams",
    "cells_per_plan",
    "seconds_per_trial",
]
Level = Literal["ok", "near", "reached"]
NEAR: Final = 0.75
"""The share of a limit from which on its use is "near" it."""
QUOTAS: Final[tuple[QuotaName, ...]] = get_args(QuotaName)
UNITS: Final[dict[QuotaName, str]] = {
    "queued_trials": "trials",
    "active_runs": "runs",
    "host_seconds_per_day": "s",
    "stored_bytes": "bytes",
    "open_streams": "streams",
    "cells_per_plan": "cells",
    "seconds_per_trial": "s",
}
RETRY_S: Final[dict[QuotaName, int]] = {
    "queued_trials": 60,
    "active_runs": 60,
    "host_seconds_per_day": 600,
    "stored_bytes": 3600,
    "open_streams": 10,
}
REMEDIES: Final[dict[QuotaName, str]] = {
    "queued_trials": "wait until trials have run, cancel a run, or start a smaller one",
    "active_runs": "wait until a run has ended, or cancel one",
    "host_seconds_per_day": "wait until earlier runs are 24 h ago, cancel a run, or start a shorter one",
    "stored_bytes": "delete runs or experiments, or revoke links, that are no longer needed",
    "open_streams": "close pages or clients that follow a run",
}
NOUNS: Final[dict[QuotaName, str]] = {
    "queued_trials": "queued trials",
    "active_runs": "runs that have not ended",
    "host_seconds_per_day": "seconds of host time in 24 h, used and planned",
    "stored_bytes": "stored bytes",
    "open_streams": "open event streams",
}


@dataclass(frozen=True)
class Demand:
    """What a request adds to a team's use. `seconds` is the estimate of a plan."""

    trials: int = 0
    runs: int = 0
    seconds: float = 0.0


Limits = Mapping[QuotaName, int]


def limits_of(settings: Settings, own: Mapping[str, int]) -> Limits:
    """The limits of a team: its own ones where it has them, else those of the settings."""
    return {name: own.get(name, getattr(settings, f"quota_{name}")) for name in QUOTAS}


def level(limit: int, used: float | None) -> Level:
    """How near to its limit a use is; None is of a limit that each plan is compared with."""
    if used is None:
        return "ok"
    if used >= limit:
        return "reached"
    return "near" if used >= NEAR * limit else "ok"


def check(limits: Limits, used: Usage, demand: Demand) -> None:
    """Raise QuotaExceeded if the demand does not fit beside the present use.

    What is stored may exceed its limit by what one request stores: the size is known only afterwards.
    """
    for quota, has, adds in _sums(used, demand):
        if has + adds > limits[quota]:
            raise exceeded(quota, limits[quota], has, adds)


def _sums(used: Usage, demand: Demand) -> Iterator[tuple[QuotaName, float, float]]:
    if demand.runs:
        yield "active_runs", used.active_runs, demand.runs
        yield "queued_trials", used.queued_trials, demand.trials
        yield "host_seconds_per_day", used.host_seconds + used.planned_seconds, demand.seconds
    yield "stored_bytes", used.stored_bytes, 1


def exceeded(quota: QuotaName, limit: int, has: float, adds: float) -> QuotaExceeded:
    """The error of a quota, with its limit, the present use and the remedy."""
    more = f", and this request adds {adds:,.0f}" if adds > 1 else ""
    detail = (
        f"the team may have {limit:,} {NOUNS[quota]} and has {has:,.0f}{more}: {REMEDIES[quota]} ({quota})"
    )
    return QuotaExceeded(detail, RETRY_S[quota])


def check_plan(limits: Limits, cells: int, longest_trial_s: float) -> None:
    """Raise Invalid for a plan that never fits: too many cells, or too long a trial."""
    problems = []
    most = limits["cells_per_plan"]
    if cells > most:
        detail = f"{cells:,} cells, at most {most:,} are allowed here; use fewer levels"
        problems.append(Problem("/factors", "quota_exceeded", detail))
    longest = limits["seconds_per_trial"]
    if longest_trial_s > longest:
        detail = f"{longest_trial_s:,.0f} s with the warm-up, at most {longest:,} s are allowed here"
        problems.append(Problem("/factors/duration_s", "quota_exceeded", detail))
    if problems:
        raise Invalid(tuple(problems))
