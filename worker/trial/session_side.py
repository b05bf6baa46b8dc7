"""One side of a client session: enter phases, wait for the other side's, and show signs of life."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from backend.core.errors import Unavailable
from backend.core.plan.client_session import ENDED, PHASES, ClientSession, Phase
from worker.host.time_limits import limit
from worker.trial.queue import SessionQueue

log = logging.getLogger(__name__)

SIGN_OF_LIFE_S: Final = 4.0
POLL_S: Final = 0.05
"""How often a side that waits reads the session: the most by which a window begins late."""


class SessionEnded(Exception):
    """The other side, or the queue, has ended the session. `document` may tell why in parts."""

    def __init__(self, reason: str, document: Mapping[str, Any]) -> None:
        super().__init__(reason or "the session has ended")
        self.document = document


class SessionSide:
    """A session as one side of it uses it; a thread shows signs of life from entry to exit.

    Once the session has ended, `ended` is set, and every call raises SessionEnded.
    """

    def __init__(
        self,
        queue: SessionQueue,
        trial_id: str,
        fence: int,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._queue = queue
        self._trial_id = trial_id
        self._fence = fence
        self._clock = clock
        self._pause = pause
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._show_life, name="session", daemon=True)
        self.ended = threading.Event()

    def __enter__(self) -> SessionSide:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def enter(self, phase: Phase, document: Mapping[str, Any] | None = None, limit_s: float = 15.0) -> None:
        """Enter a phase of this side. Raises SessionEnded, or Unavailable after `limit_s`."""
        deadline = self._clock() + limit_s
        while True:
            try:
                self._see(self._queue.move_session(self._trial_id, self._fence, phase, document))
                return
            except Unavailable:
                if self._clock() > deadline:
                    raise
                self._pause(POLL_S)

    def wait(
        self, phase: Phase, limit_s: float, meanwhile: Callable[[ClientSession], None] = lambda _: None
    ) -> Mapping[str, Any]:
        """What the other side says in a phase, once it has entered it; on a slow host the limit is longer.

        `meanwhile` is called with each reading before that; what it raises ends the wait. Raises
        SessionEnded, or TimeoutError after `limit_s`.
        """
        deadline = self._clock() + limit(limit_s)
        while True:
            seen = self._read()
            if seen is not None and PHASES.index(seen.phase) >= PHASES.index(phase):
                return seen.document
            if seen is not None:
                meanwhile(seen)
            if self._clock() > deadline:
                raise TimeoutError(
                    f"the other host has not come to the phase {phase} within {limit(limit_s):g} s"
                )
            self._pause(POLL_S)

    def end(self, reason: str = "", document: Mapping[str, Any] | None = None) -> None:
        """End the session for both sides; an error is only logged, because silence ends it too."""
        self._done.set()
        try:
            self._queue.move_session(self._trial_id, self._fence, "ended", document, reason)
        except Exception as error:  # of any kind: the trial's own ending matters more
            log.info("the client session of %s was not ended: %s", self._trial_id, error)

    def _read(self) -> ClientSession | None:
        try:
            seen = self._queue.move_session(self._trial_id, self._fence)
        except Unavailable as error:
            log.debug("the client session of %s cannot be read: %s", self._trial_id, error)
            return None
        self._see(seen)
        return seen

    def _see(self, seen: ClientSession) -> None:
        if seen.phase == ENDED:
            self.ended.set()
            raise SessionEnded(seen.reason, seen.document)

    def _show_life(self) -> None:
        while not self._done.wait(SIGN_OF_LIFE_S):
            try:
                self._read()
            except SessionEnded:
                return
            except Exception as error:  # the next sign of life may arrive; without any the queue decides
                log.warning("no sign of life in the client session of %s: %s", self._trial_id, error)
