"""A circuit breaker: when the host itself fails, no further trials are spent on it.

After several host faults in a row, of more than one trial, the worker stops claiming. After a pause it tries
one trial: success closes the breaker, another fault doubles the pause. (M. Nygard, Release It!, 2nd ed.,
chapter 5.)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from backend.core.errors import HostFault

FAULTS: Final = 3
"""The number of host faults in a row that opens the breaker."""
FIRST_PAUSE_S: Final = 5.0
LONGEST_PAUSE_S: Final = 300.0
MOST_AVOIDED: Final = 50


class Breaker:
    """Counts host faults in a row; used only by the thread that runs the trials.

    After a trial has failed twice in a row, another one is claimed. If that succeeds, the first trial was at
    fault, and its third fault ends it; if it fails too, the host is at fault, and no attempt counts any more.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._faults = 0
        self._trials: list[str] = []
        self._open_until: float | None = None
        self._pause_s = 0.0
        self.reason = ""

    @property
    def is_open(self) -> bool:
        """Whether claiming is paused, or only one trial is being tried."""
        return self._open_until is not None

    @property
    def avoid(self) -> tuple[str, ...]:
        """Trials to be claimed last: they failed in this row of faults."""
        return tuple(self._trials) if self._faults >= FAULTS - 1 else ()

    def wait_s(self) -> float:
        """Seconds until the next trial may be claimed; 0 where one may be now."""
        return 0.0 if self._open_until is None else max(0.0, self._open_until - self._clock())

    def failed(self, trial_id: str, fault: HostFault) -> bool:
        """Count a host fault; returns whether the attempt counts against its trial."""
        if not fault.lasting:
            return fault.counts
        self._faults += 1
        if trial_id not in self._trials:
            self._trials = [*self._trials, trial_id][-MOST_AVOIDED:]
        self.reason = f"{fault.code}: {fault}"
        of_the_host = len(self._trials) > 1
        if self._faults >= FAULTS and of_the_host:
            self._pause_s = min(LONGEST_PAUSE_S, self._pause_s * 2 or FIRST_PAUSE_S)
            self._open_until = self._clock() + self._pause_s
        return fault.counts and not of_the_host

    def succeeded(self) -> None:
        """A trial ended without a host fault: the host works."""
        self._faults, self._trials, self._open_until, self._pause_s = 0, [], None, 0.0
