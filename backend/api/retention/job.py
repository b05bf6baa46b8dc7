"""Deletes runs that are due: a few at a time, and not in a measured window of this host.

A window is announced at its warm-up, when a long deletion may already run: then it is given up, and a later
pass makes it. After PATIENCE of them it is made at any time, or a busy host would keep a large run for ever.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from typing import Final

from backend.api.retention.interruption import before_windows
from backend.api.runs import results
from backend.api.runs.window_budget import WindowBudget
from backend.core.errors import PlimsollError, QueryTimedOut
from backend.settings import Settings
from backend.store.repositories import retention
from backend.store.session import session_scope

logger = logging.getLogger(__name__)

EVERY_S: Final = 300.0
BATCH: Final = 20
"""Runs per pass."""
BOUND_S: Final = 10.0
"""How long a pass waits for the end of a measured window before it is left to the next one."""
COST_S: Final = 0.005
COST_OF_TRIAL_S: Final = 0.0005
"""Expected CPU seconds of a deletion in API and database, per run and per trial."""
PATIENCE: Final = 12
"""How often the deletion of a run is given up for a window: for an hour at least."""


class RetentionJob:
    """A thread that makes a pass every `EVERY_S` seconds, until it is stopped."""

    def __init__(self, settings: Settings, budget: WindowBudget | None = None) -> None:
        self._settings = settings
        self._budget = budget
        self._stopped = threading.Event()
        self._given_up: Counter[str] = Counter()

    def start(self) -> None:
        """Start; the first pass is after EVERY_S seconds."""
        threading.Thread(target=self._run, name="retention", daemon=True).start()

    def stop(self) -> None:
        """Make no further pass."""
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(EVERY_S):
            try:
                self.run_once()
            except PlimsollError as error:
                logger.warning("old runs are deleted later: %s", error)
            except Exception:
                logger.exception("old runs are not deleted")

    def run_once(self) -> int:
        """Delete at most BATCH runs that are due; returns how many. Raises Unavailable."""
        budget = self._budget or results.window_budget(self._settings)
        if not budget.wait(COST_S, BOUND_S):
            return 0
        with session_scope(self._settings) as session:
            due = retention.due(session, BATCH)
        deleted = 0
        for run in due:
            if self._stopped.is_set() or not budget.wait(COST_S + COST_OF_TRIAL_S * run.trials, BOUND_S):
                break
            if self._delete(run.id, budget):
                deleted += 1
                results.forget(self._settings, run.id)
                logger.info("run %s was deleted: its team keeps runs for a limited time", run.id)
        return deleted

    def _delete(self, run_id: str, budget: WindowBudget) -> bool:
        """Delete a run; False if it is not due any more, or if a window began meanwhile."""
        try:
            with session_scope(self._settings) as session:
                if self._given_up[run_id] >= PATIENCE:
                    done = retention.delete_due(session, run_id)
                else:
                    with before_windows(session, budget) as interruption:
                        done = retention.delete_due(session, run_id)
        except QueryTimedOut:
            if not interruption.happened:
                raise
            self._given_up[run_id] += 1
            logger.info("run %s is deleted later: a measured window begins", run_id)
            return False
        del self._given_up[run_id]
        return done
