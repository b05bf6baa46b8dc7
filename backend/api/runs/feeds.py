"""What is published about a run, heard once in this process and handed to every stream that follows it.

With ten pages open a subscription and a look into the database for each of them would cost more of the
measured host than all else that they ask for.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi.concurrency import run_in_threadpool

from backend.api.runs import service
from backend.core.errors import Unavailable
from backend.queue import LiveFeed
from backend.settings import Settings

logger = logging.getLogger(__name__)

WAIT_S: Final = 1.0
"""A stored event is seen after this long at most where Redis does not answer."""
LOOK_EVERY_S: Final = 5.0
"""And after this long where Redis answers but a message was lost."""
UNHEARD: Final = 200
"""A listener that is so many messages behind misses the newest samples, but never that there are events."""


class Listener:
    """One stream's ear: live samples that have come, and whether there may be new stored events."""

    def __init__(self) -> None:
        self._samples: list[dict[str, Any]] = []
        self._events = True
        self._woken = asyncio.Event()
        self._woken.set()

    def hand(self, samples: list[dict[str, Any]], events: bool) -> None:
        """Take what was heard."""
        self._samples += samples[: max(0, UNHEARD - len(self._samples))]
        self._events |= events
        self._woken.set()

    async def heard(self) -> tuple[list[dict[str, Any]], bool]:
        """Wait for something; the samples so far, and whether to look for events. True the first time."""
        await self._woken.wait()
        self._woken.clear()
        found = self._samples, self._events
        self._samples, self._events = [], False
        return found


class _Run:
    """The listeners of one run, and the task that hears for all of them while there are any."""

    def __init__(self, settings: Settings, run_id: str) -> None:
        self._settings = settings
        self._run_id = run_id
        self._last = -1
        self.listeners: set[Listener] = set()
        self.task: asyncio.Task[None] | None = None

    async def hear(self) -> None:
        """Until nobody listens: a task that is cancelled while redis-py connects might not end."""
        feed = LiveFeed(self._settings, self._run_id)
        look_at = 0.0
        try:
            while self.listeners:
                heard = await feed.wait(WAIT_S)
                events = heard.events
                if not events and time.monotonic() >= look_at:
                    events = await self._moved_on()
                    look_at = time.monotonic() + LOOK_EVERY_S
                if heard.samples or events:
                    for listener in self.listeners:
                        listener.hand(heard.samples, events)
        finally:
            await feed.close()

    async def _moved_on(self) -> bool:
        """Whether the run has events that were not there at the last look."""
        try:
            last = await run_in_threadpool(service.last_event, self._settings, self._run_id)
        except Unavailable as error:
            logger.warning("stream of %s: %s", self._run_id, error)
            return True
        before, self._last = self._last, 0 if last is None else last.id
        return self._last != before


class Feeds:
    """The runs that are followed in this process. Belongs to one event loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._runs: dict[str, _Run] = {}

    @asynccontextmanager
    async def listen(self, run_id: str) -> AsyncIterator[Listener]:
        """Hear of a run within this context."""
        run = self._runs.setdefault(run_id, _Run(self._settings, run_id))
        listener = Listener()
        run.listeners.add(listener)
        if run.task is None or run.task.done():
            run.task = asyncio.create_task(run.hear())
        try:
            yield listener
        finally:
            run.listeners.discard(listener)
            if not run.listeners:
                self._runs.pop(run_id, None)
