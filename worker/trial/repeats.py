"""Measure a trial again until nothing outside disturbed it, within the limits of its experiment.

`core.sample.quality` decides by readings of the host, never by a metric. After GIVE_UP trials in a row that
remained contaminated the host is considered permanently noisy: until a trial is clean, trials neither wait
nor are repeated, so that a noisy host lengthens a run but does not stop it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from backend.core.definition.quality import DEFAULT, Quality
from backend.core.sample.quality import MOST_QUIET_CORES, contamination, not_quiet, raised
from backend.core.sample.record import DiscardedTake, TrialQuality, TrialRecord
from worker.trial.quiet_level import HostReadings, QuietLevel
from worker.workload.hooks import Hooks, raise_if_stopped

log = logging.getLogger(__name__)

SAMPLE_S: Final = 0.25
"""One reading of the host: 50 clock ticks on two CPUs, so that one tick of steal is 2 %."""
SLICE_S: Final = 0.05
SHOWN_EVERY_S: Final = 2.0
"""Seconds between two reports of the same wait."""
GIVE_UP: Final = 3
KEPT_RUNS: Final = 16
"""Runs whose level is kept: a host may also run the clients of other hosts' runs in between."""


class RepeatPolicy:
    """Counts trials in a row that remained contaminated, and keeps the quiet level of the last runs.

    It lives as long as its worker.
    """

    def __init__(self) -> None:
        self._contaminated = 0
        self._levels: dict[str, QuietLevel] = {}

    def level_of(self, run_id: str) -> QuietLevel:
        """The quiet level of this host for a run, which is not read yet at its first trial."""
        found = self._levels.pop(run_id, None) or QuietLevel()
        self._levels[run_id] = found
        while len(self._levels) > KEPT_RUNS:
            del self._levels[next(iter(self._levels))]
        return found

    def limits(self, requested: Quality) -> Quality:
        """The limits of the next trial: without waits and repeats on a host that stays noisy."""
        if self._contaminated < GIVE_UP:
            return requested
        return requested.model_copy(update={"wait_for_quiet_s": 0, "retakes": 0})

    def ended(self, contaminated: bool) -> None:
        """Count a recorded trial."""
        self._contaminated = self._contaminated + 1 if contaminated else 0


class QuietGate:
    """The quiet gate: each measurement calls `wait` once, when everything that it needs is running."""

    def __init__(
        self,
        limits: Quality,
        hooks: Hooks,
        level: QuietLevel,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._limits = limits
        self._level = level
        self._hooks = hooks
        self._clock = clock
        self._pause = pause
        self.waited_s = 0.0
        self.reasons: tuple[str, ...] = ()

    def wait(self, meter: HostReadings) -> None:
        """Return as soon as the host is quiet, or when the time is up. Raises Stopped.

        Afterwards `reasons` lists what was not quiet; `waited_s` is the sum over all calls. At the first
        trial of a run it reads the quiet level, when what is no quiet level on any host has ended.
        """
        if self._level.cores is None and self._limits.max_other_cores is not None:
            self._wait_for(meter, raised(self._limits, MOST_QUIET_CORES))
            self._level.read(meter, lambda seconds: self._sleep_until(self._clock() + seconds))
            if self.reasons:
                return  # the time is up
        self._wait_for(meter, raised(self._limits, self._level.cores))

    def _wait_for(self, meter: HostReadings, limits: Quality) -> None:
        if not limits.wait_for_quiet_s:
            return
        began = self._clock()
        deadline = began + limits.wait_for_quiet_s
        shown_at = began
        while True:
            meter.restart()
            self._sleep_until(self._clock() + SAMPLE_S)
            self.reasons = not_quiet(meter.sample(), limits)
            if not self.reasons or self._clock() >= deadline:
                break
            if self._clock() >= shown_at:
                self._hooks.phase("waiting", self.reasons)
                shown_at = self._clock() + SHOWN_EVERY_S
        self.waited_s += self._clock() - began

    @property
    def limits(self) -> Quality:
        """The limits beyond each host's own quiet level, also for the gate of another host of the trial."""
        return self._limits

    def add(self, host: str, waited_s: float, reasons: Sequence[str]) -> None:
        """Add the wait of another host's gate to those of this one, which have ended."""
        self.waited_s += waited_s
        self.reasons += tuple(f"on {host}: {reason}" for reason in reasons)

    def _sleep_until(self, until: float) -> None:
        """Sleep in short slices, and raise Stopped on a cancellation or an abort."""
        while (left := until - self._clock()) > 0:
            raise_if_stopped(self._hooks)
            self._pause(min(SLICE_S, left))


def limits_of(definition: Mapping[str, Any]) -> Quality:
    """The limits of a stored experiment; today's defaults where it has none."""
    return Quality.model_validate(definition["quality"]) if "quality" in definition else DEFAULT


def until_undisturbed(
    measure: Callable[[QuietGate], TrialRecord],
    requested: Quality,
    hooks: Hooks,
    policy: RepeatPolicy,
    level: QuietLevel | None = None,
) -> TrialRecord:
    """The record of the first undisturbed measurement, or of the last one that the limits allow.

    `measure` runs one whole trial and passes the gate before its warm-up; its exceptions end the trial. The
    record's `quality` describes all measurements. `level` is that of the trial's run.
    """
    level = level or QuietLevel()
    limits = policy.limits(requested)
    discarded: list[DiscardedTake] = []
    waited = 0.0
    while True:
        gate = QuietGate(limits, hooks, level)
        record = measure(gate)
        waited += gate.waited_s
        found = record.quality or TrialQuality()
        reasons = (
            () if found.readings is None else contamination(found.readings, raised(requested, level.cores))
        )
        if not reasons or found.readings is None or len(discarded) >= limits.retakes:
            break
        log.info("trial %s is measured again: %s", record.trial_id, "; ".join(reasons))
        hooks.phase("repeating", reasons)
        discarded.append(
            DiscardedTake(reasons=reasons, readings=found.readings, waited_seconds=round(gate.waited_s, 3))
        )
    policy.ended(bool(reasons))
    quality = found.model_copy(
        update={
            "contaminated": reasons,
            "takes": len(discarded) + 1,
            "discarded": tuple(discarded),
            "waited_seconds": round(waited, 3),
            "not_quiet": gate.reasons,
            "quiet_cores": level.cores,
        }
    )
    return record.model_copy(update={"quality": quality})
