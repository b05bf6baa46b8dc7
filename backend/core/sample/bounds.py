"""Physical bounds of a trial's figures. One that is broken makes the trial invalid: it is kept, and in no
statistic. The same function judges a trial as it is measured and a stored one as it is read.

Why these tolerances: docs/decisions/0023-busy-time-and-physical-bounds.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from backend.core.definition.metrics import METRICS, RATES
from backend.core.sample.record import ByRole

CAPACITY_TOLERANCE: Final = 0.05
"""Of the host's capacity in the window: what one kind of counter may exceed it by, because counters and
clock are read one after another."""
SUM_TOLERANCE: Final = 0.10
"""The same for roles, idle and steal together, from two sources; 4 % was the most on a busy host."""
SHORT_FACTOR: Final = 0.5
LONG_FACTOR: Final = 2.0
LONG_S: Final = 5.0
"""A window is at least SHORT_FACTOR of its duration, and at most LONG_FACTOR times that and LONG_S longer."""
PERCENTILES: Final = (
    tuple(f"latency_{name}_ms" for name in ("p50", "p99", "max")),
    tuple(f"open_latency_{name}_ms" for name in ("p50", "p90", "p99", "p999", "max")),
)
"""Percentiles of one distribution, from the lowest up."""
ROUNDING_MS: Final = 1.0
"""ab prints whole milliseconds in one table and fractions in the other."""


@dataclass(frozen=True)
class Figures:
    """The bounded figures of one trial: metrics, CPU in core-seconds, times in seconds; None where unknown.

    `roles`, `idle`, `steal` and `unattributed` are those of a CpuByRole; `duration_s` is the length that was
    requested.
    """

    metrics: Mapping[str, float] = field(default_factory=dict)
    roles: ByRole = field(default_factory=dict)
    idle: float | None = None
    steal: float | None = None
    unattributed: float | None = None
    window_s: float | None = None
    duration_s: float | None = None

    @property
    def capacity(self) -> float | None:
        """The host's capacity: by definition the sum of roles, idle, steal and the unattributed rest."""
        if not self.roles or self.idle is None or self.steal is None or self.unattributed is None:
            return None
        return sum(self.roles.values()) + self.idle + self.steal + self.unattributed


def violations(figures: Figures) -> tuple[str, ...]:
    """One sentence for each bound that the figures break, with the figure; empty for a valid trial."""
    return (*_metrics(figures.metrics), *_percentiles(figures.metrics), *_window(figures), *_cpu(figures))


def _metrics(metrics: Mapping[str, float]) -> Iterator[str]:
    if all(0 < value < math.inf for value in metrics.values()) and metrics.get("lost_percent", 0) <= 100:
        return  # as of nearly every trial
    for name in (*(n for n in METRICS if n in metrics), *sorted(metrics.keys() - METRICS.keys())):
        value = metrics[name]
        label, unit = (METRICS[name].label, METRICS[name].unit) if name in METRICS else (name, "")
        if not math.isfinite(value):
            yield f"{label} is not a finite number"
        elif value < 0:
            yield f"{label} is negative: {_signed(value)} {unit}".rstrip()
        elif value == 0 and name in RATES.values():
            yield f"{label} is zero"
        elif name == "lost_percent" and value > 100:
            yield f"{label} is {value:g} %"


def _percentiles(metrics: Mapping[str, float]) -> Iterator[str]:
    for names in PERCENTILES:
        known = [name for name in names if name in metrics and math.isfinite(metrics[name])]
        for lower, upper in pairwise(known):
            if metrics[lower] > metrics[upper] + ROUNDING_MS:
                yield (
                    f"{METRICS[lower].label} ({metrics[lower]:g} ms) is above {METRICS[upper].label} "
                    f"({metrics[upper]:g} ms)"
                )


def _window(figures: Figures) -> Iterator[str]:
    window, duration = figures.window_s, figures.duration_s
    if window is None:
        return
    if not math.isfinite(window) or window <= 0:
        yield f"the window lasted {window:g} s"
    elif duration and not SHORT_FACTOR * duration <= window <= LONG_FACTOR * duration + LONG_S:
        yield f"the window lasted {window:.2f} s instead of {duration:g} s"


def _cpu(figures: Figures) -> Iterator[str]:
    parts = {f"CPU of {role}": value for role, value in figures.roles.items()}
    parts |= {
        name: value
        for name, value in (("idle time", figures.idle), ("steal", figures.steal))
        if value is not None
    }
    unknown = [name for name, value in parts.items() if not math.isfinite(value)]
    yield from (f"{name} is not a finite number" for name in unknown)
    negative = {name: value for name, value in parts.items() if value < 0}
    yield from (f"{name} is negative: {_signed(value)} core-seconds" for name, value in negative.items())
    capacity, surplus = figures.capacity, -(figures.unattributed or 0.0)
    if unknown or capacity is None:
        return
    if not math.isfinite(capacity) or capacity <= 0:
        yield f"the host's capacity in the window is {capacity:g} core-seconds"
        return
    most = (1 + CAPACITY_TOLERANCE) * capacity
    parts["CPU of all roles"] = sum(figures.roles.values())
    for name, value in parts.items():
        if value > most:
            yield f"{name} is {value:.2f} core-seconds, and the host had {capacity:.2f}"
    if surplus > SUM_TOLERANCE * capacity:
        yield (
            f"tasks, idle time and steal are {capacity + surplus:.2f} core-seconds together, "
            f"and the host had {capacity:.2f}: its counters disagree"
        )


def _signed(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")
