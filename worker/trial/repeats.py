"""Taking a trial until nothing outside disturbed it, within the limits of its experiment.

What decides is in `core.sample.quality`: readings of the host, never a metric. After GIVE_UP trials in a row
that stayed contaminated the host is taken for one that stays noisy: until a trial comes out clean, trials
neither wait nor are taken again, so that a noisy host lengthens a run but does not stop it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from backend.core.definition.quality import DEFAULT, Quality
from backend.core.sample.quality import contamination, not_quiet
from backend.core.sample.record import DiscardedTake, OutsideReadings, TrialQuality, TrialRecord
from worker.workload.hooks import Hooks, Stopped

log = logging.getLogger(__name__)

SAMPLE_S: Final = 0.25
"""One reading of the host: 50 clock ticks on two CPUs, so that one tick of steal is 2 %."""
SLICE_S: Final = 0.05
GIVE_UP: Final = 3


class Watched(Protocol):
    """What reads the host; `worker.sample.outside.OutsideMeter` does."""

    def restart(self) -> None:
        """Begin a new stretch of time."""

    def sample(self) -> OutsideReadings:
        """What was outside since the beginning of the stretch."""


class Patience:
    """How many trials in a row stayed contaminated; lives as long as its worker."""

    def __init__(self) -> None:
        self._in_vain = 0

    def limits(self, asked: Quality) -> Quality:
        """The limits of the next trial: without waits and retakes on a host that stays noisy."""
        if self._in_vain < GIVE_UP:
            return asked
        return asked.model_copy(update={"wait_for_quiet_s": 0, "retakes": 0})

    def ended(self, contaminated: bool) -> None:
        """A trial was recorded."""
        self._in_vain = self._in_vain + 1 if contaminated else 0


class QuietGate:
    """The quiet gate before each take: `wait` once a take, when everything that the take needs is there."""

    def __init__(
        self,
        limits: Quality,
        hooks: Hooks,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._limits = limits
        self._hooks = hooks
        self._clock = clock
        self._pause = pause
        self.waited_s = 0.0
        self.reasons: tuple[str, ...] = ()

    def wait(self, meter: Watched) -> None:
        """Return as soon as the host is quiet, or when the time is up. Raises Stopped.

        `reasons` says afterwards what was not quiet; `waited_s` adds up over the waits.
        """
        if not self._limits.wait_for_quiet_s:
            return
        began = self._clock()
        deadline = began + self._limits.wait_for_quiet_s
        while True:
            meter.restart()
            self._watch(self._clock() + SAMPLE_S)
            self.reasons = not_quiet(meter.sample(), self._limits)
            if not self.reasons or self._clock() >= deadline:
                break
        self.waited_s += self._clock() - began

    def _watch(self, until: float) -> None:
        """Let time pass, and hear of a cancellation or an abort while it does."""
        while (left := until - self._clock()) > 0:
            if (why := self._hooks.stop_wanted()) is not None:
                raise Stopped(why)
            self._pause(min(SLICE_S, left))


def limits_of(definition: Mapping[str, Any]) -> Quality:
    """The limits of a stored experiment; those of today where it has none."""
    return Quality.model_validate(definition["quality"]) if "quality" in definition else DEFAULT


def until_undisturbed(
    measure: Callable[[QuietGate], TrialRecord], asked: Quality, hooks: Hooks, patience: Patience
) -> TrialRecord:
    """The record of the first take that nothing disturbed, or of the last one that the limits allow.

    `take` is one whole trial that passes the gate before its warm-up. Everything about the takes is in the
    record's `quality`. What `take` raises ends the trial.
    """
    limits = patience.limits(asked)
    discarded: list[DiscardedTake] = []
    waited = 0.0
    while True:
        gate = QuietGate(limits, hooks)
        record = measure(gate)
        waited += gate.waited_s
        found = record.quality or TrialQuality()
        reasons = () if found.readings is None else contamination(found.readings, asked)
        if not reasons or found.readings is None or len(discarded) >= limits.retakes:
            break
        log.info("trial %s is taken again: %s", record.trial_id, "; ".join(reasons))
        discarded.append(
            DiscardedTake(reasons=reasons, readings=found.readings, waited_seconds=round(gate.waited_s, 3))
        )
    patience.ended(bool(reasons))
    quality = found.model_copy(
        update={
            "contaminated": reasons,
            "takes": len(discarded) + 1,
            "discarded": tuple(discarded),
            "waited_seconds": round(waited, 3),
            "not_quiet": gate.reasons,
        }
    )
    return record.model_copy(update={"quality": quality})
