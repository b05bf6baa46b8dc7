"""What is known of trials and waits until the database or the server answers: above all how they ended."""

from __future__ import annotations

import logging
from collections.abc import Callable

from backend.core.errors import NotFound, Refused, Unavailable, WorkerRejected
from backend.core.plan.claimed import ClaimedTrial

log = logging.getLogger(__name__)


class WaitingWrites:
    """Writes in their order; `written` is called after each."""

    def __init__(self, written: Callable[[ClaimedTrial], None]) -> None:
        self._written = written
        self._waiting: list[tuple[ClaimedTrial, str, Callable[[], object]]] = []

    def add(self, trial: ClaimedTrial, what: str, write: Callable[[], object]) -> None:
        """Write something (`what`, for the log), now or at the next `write_all`; raises nothing."""
        self._waiting.append((trial, what, write))
        try:
            self.write_all()
        except (Unavailable, WorkerRejected) as error:
            log.warning("the %s of trial %s waits: %s", what, trial.trial_id, error)
        except Exception:
            log.exception("the %s of trial %s waits for the next claim", what, trial.trial_id)

    def write_all(self) -> None:
        """Write everything that waits, oldest first; the fence rejects an ending that comes too late.

        Raises what writing raises, apart from NotFound and Refused: such a thing is never written.
        """
        while self._waiting:
            trial, what, write = self._waiting[0]
            try:
                write()
            except (NotFound, Refused) as error:
                log.error("the %s of trial %s is not written: %s", what, trial.trial_id, error)
            self._waiting.pop(0)
            self._written(trial)
