"""Whether the host was quiet enough, from readings outside client, server and proxy.

No function here is given a metric, a transaction or a role's CPU, so that none of them can select results:
scripts/benchmark/quality_rule.py shows it by simulation. Each reason is "kind: figures".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from backend.core.definition.quality import Quality
from backend.core.sample.record import OutsideReadings

MAX_PRESSURE: Final = 0.2
"""Share of the time in which something waited for a CPU; on a quiet host with two cores it is below 0.11."""
OVERRUN_S: Final = 0.5
OVERRUN_SHARE: Final = 0.1
OVERRUN_CONNECTION_S: Final = 0.005
"""A window may exceed its duration by this much: a constant, a share of its length, and for each connection,
because clients open and close theirs inside it."""
MOST_QUIET_CORES: Final = 0.15
"""The most that counts as the quiet level of a host; beyond it is disturbance (docs/decisions/0075)."""
FREQUENCY_CHANGE: Final = 0.05
"""Relative change of the CPUs' mean frequency from one end of the window to the other."""


def raised(limits: Quality, quiet_cores: float | None) -> Quality:
    """The limits on a host whose other processes use `quiet_cores` when nothing disturbs it."""
    if limits.max_other_cores is None or not quiet_cores:
        return limits
    cores = limits.max_other_cores + min(quiet_cores, MOST_QUIET_CORES)
    return limits.model_copy(update={"max_other_cores": round(cores, 4)})


def not_quiet(readings: OutsideReadings, limits: Quality) -> tuple[str, ...]:
    """The reasons not to start a trial now; empty where the host is quiet."""
    return (*_load(readings, limits), *_pressure(readings, limits))


def contamination(readings: OutsideReadings, limits: Quality) -> tuple[str, ...]:
    """The reasons why a window is contaminated; empty where it is not.

    Pressure is no reason: in a window client and server wait for a CPU themselves.
    """
    return (*_load(readings, limits), *_overrun(readings, limits), *_clock(readings, limits))


def _load(readings: OutsideReadings, limits: Quality) -> Iterator[str]:
    other, steal = readings.other_cores, readings.steal
    if other is not None and limits.max_other_cores is not None and other > limits.max_other_cores:
        yield f"other processes: {other:.2f} cores, limit {limits.max_other_cores:g}"
    if steal is not None and limits.max_steal is not None and steal > limits.max_steal:
        yield f"steal: {steal:.1%} of the CPU, limit {100 * limits.max_steal:g}%"


def _pressure(readings: OutsideReadings, limits: Quality) -> Iterator[str]:
    waited = readings.pressure
    if waited is not None and limits.max_other_cores is not None and waited > MAX_PRESSURE:
        yield f"CPU pressure: something waited {waited:.0%} of the time, limit {MAX_PRESSURE:.0%}"


def _overrun(readings: OutsideReadings, limits: Quality) -> Iterator[str]:
    asked = readings.asked_seconds
    if asked is None or limits.max_steal is None:
        return
    allowed = OVERRUN_S + OVERRUN_SHARE * asked + OVERRUN_CONNECTION_S * readings.connections
    if readings.seconds > asked + allowed:
        yield f"overlong window: {readings.seconds:.2f} s instead of {asked:g} s"


def _clock(readings: OutsideReadings, limits: Quality) -> Iterator[str]:
    if limits.max_steal is None:
        return
    change = readings.frequency_change
    if change is not None and abs(change) > FREQUENCY_CHANGE:
        yield f"CPU frequency: changed by {change:+.0%} during the window, limit {FREQUENCY_CHANGE:.0%}"
    if readings.throttles:
        yield f"thermal throttling: {readings.throttles} events during the window"
