"""A host that is noisy for a while: the worker's own gate, hooks and messages, on made-up readings."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from backend.core.definition.quality import Quality
from backend.core.plan.claimed import ClaimedTrial
from backend.core.sample.record import OutsideReadings, TrialQuality, TrialRecord
from tests.api.client import Worker
from tests.records import trial_record
from worker.live import LiveSamples
from worker.trial.execute import _Heartbeat
from worker.trial.quiet_level import QuietLevel
from worker.trial.repeats import QuietGate, RepeatPolicy, until_undisturbed
from worker.trial_queue import StoreTrialQueue

NOISY = OutsideReadings(seconds=3.0, other_cores=0.9, steal=0.0, asked_seconds=3.0)
QUIET = OutsideReadings(seconds=3.0, other_cores=0.02, steal=0.0, asked_seconds=3.0)
LIMITS = Quality(wait_for_quiet_s=60, max_other_cores=0.15, retakes=1)


@dataclass
class NoisyHost:
    """Runs trials of a stand-in for the worker until `quiet` holds; the first take is disturbed, too."""

    worker: Worker
    quiet: Callable[[], bool]
    takes: int = 0

    def restart(self) -> None:
        """Nothing to begin."""

    def sample(self) -> OutsideReadings:
        return QUIET if self.quiet() else NOISY

    def run_one(self) -> None:
        """Claim a trial, wait as the worker does, measure it twice, and record it."""
        claimed = self.worker.claim()
        live = LiveSamples(self.worker.own)
        queue = StoreTrialQueue(self.worker.own)
        with _Heartbeat(claimed, queue, live.publish, threading.Event(), live.publish_phase) as hooks:

            def measure(gate: QuietGate) -> TrialRecord:
                gate.wait(self)
                hooks.window(0.1, 0.1)
                hooks.live(1.0, 9876.0, None)
                self.takes += 1
                return _record(claimed, NOISY if self.takes == 1 else QUIET)

            until_undisturbed(measure, LIMITS, hooks, RepeatPolicy(), QuietLevel(0.0))
        self.worker.record(claimed)


def _record(claimed: ClaimedTrial, readings: OutsideReadings) -> TrialRecord:
    found = TrialRecord.model_validate(trial_record(claimed))
    return found.model_copy(update={"quality": TrialQuality(readings=readings)})
