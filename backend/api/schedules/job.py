"""The thread of the API that starts what is due."""

from __future__ import annotations

import logging
import threading
from datetime import UTC, datetime
from typing import Final

from backend.api.notifier import Notifier
from backend.api.runs import results
from backend.api.runs.service import wake_worker
from backend.api.runs.window_budget import WindowBudget
from backend.api.schedules.starting import start_next
from backend.core.errors import PlimsollError
from backend.settings import Settings

logger = logging.getLogger(__name__)

EVERY_S: Final = 20.0
COST_S: Final = 0.05
BOUND_S: Final = 15.0
"""How long a start waits for the end of a measured window of this host; a schedule is not lost for one."""


class ScheduleJob:
    """A thread that makes a pass every `EVERY_S` seconds, until it is stopped."""

    def __init__(self, settings: Settings, notifier: Notifier, budget: WindowBudget | None = None) -> None:
        self._settings = settings
        self._notifier = notifier
        self._budget = budget
        self._stopped = threading.Event()

    def start(self) -> None:
        """Start; the first pass is after EVERY_S seconds."""
        threading.Thread(target=self._run, name="schedules", daemon=True).start()

    def stop(self) -> None:
        """Make no further pass."""
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(EVERY_S):
            try:
                self.run_once(datetime.now(UTC))
            except PlimsollError as error:
                logger.warning("scheduled runs start later: %s", error)
            except Exception:
                logger.exception("scheduled runs do not start")

    def run_once(self, now: datetime) -> int:
        """Handle every schedule that is due; returns how many runs were started. Raises Unavailable."""
        runs = 0
        while not self._stopped.is_set():
            budget = self._budget or results.window_budget(self._settings)
            budget.wait(COST_S, BOUND_S)
            started = start_next(self._settings, now)
            if started is None:
                break
            for one in started:
                wake_worker(self._notifier, one.host, one.trials, one.run_id)
            runs += len(started)
        return runs
