"""What other processes of the host always use, read before the first trial of a run (docs/decisions/0075)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from backend.core.sample.quality import MOST_QUIET_CORES
from backend.core.sample.record import OutsideReadings

READINGS: Final = 3
READING_S: Final = 1.0
"""Long enough to contain what Plimsoll's own services do in short bursts."""
LITTLE: Final = 0.05
"""Cores that an idle host uses; after a reading of so little no other one is needed."""


class HostReadings(Protocol):
    """Readings of the host; `worker.sample.outside.OutsideMeter` implements it."""

    def restart(self) -> None:
        """Begin a new interval."""

    def sample(self) -> OutsideReadings:
        """The readings since the beginning of the interval."""


@dataclass
class QuietLevel:
    """The level of one run on this host; None until it is read, at the gate of the run's first trial.

    It stays as it is for all trials of the run, so that no cell has limits of its own.
    """

    cores: float | None = None

    def read(self, meter: HostReadings, pause: Callable[[float], None]) -> None:
        """Read it: the lowest of READINGS readings, so that a short disturbance does not raise it."""
        lowest = MOST_QUIET_CORES
        for _ in range(READINGS):
            meter.restart()
            pause(READING_S)
            lowest = min(lowest, meter.sample().other_cores or 0.0)
            if lowest <= LITTLE:
                break
        self.cores = round(lowest, 2)
