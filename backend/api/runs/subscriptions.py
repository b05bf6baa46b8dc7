"""One Redis subscription per run and process, shared by all event streams of that run.

A subscription and a database query per open page would cost more CPU on the measured host than all other
requests of the pages: new events are read and encoded once for all of them.
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
from backend.api.runs.encoded_events import EncodedEvent, NewestEvents
from backend.core.errors import Unavailable
from backend.queue import LiveFeed
from backend.settings import Settings
from backend.store.repositories.events import BATCH

logger = logging.getLogger(__name__)

WAIT_S: Final = 1.0
"""Maximum delay of a stored event while Redis does not answer."""
CHECK_EVERY_S: Final = 5.0
"""Maximum delay if Redis answers but a message was lost."""
MAX_QUEUED: Final = 200
"""Samples queued per subscriber; further ones are dropped. Notices of stored events are never dropped."""


class Subscriber:
    """The queue of one event stream: live samples, and whether there may be new stored events."""

    def __init__(self, run: _Run) -> None:
        self._run = run
        self._samples: list[dict[str, Any]] = []
        self._events = True
        self._woken = asyncio.Event()
        self._woken.set()

    def deliver(self, samples: list[dict[str, Any]], events: bool) -> None:
        """Queue samples, and note whether there may be new stored events."""
        self._samples += samples[: max(0, MAX_QUEUED - len(self._samples))]
        self._events |= events
        self._woken.set()

    async def received(self) -> tuple[list[dict[str, Any]], bool]:
        """Wait for samples, or a notice of stored events (True); the first call returns at once."""
        await self._woken.wait()
        self._woken.clear()
        found = self._samples, self._events
        self._samples, self._events = [], False
        return found

    def events_after(self, event_id: int) -> list[EncodedEvent] | None:
        """The run's events after this id, as far as they were read for all; None: read the database."""
        return None if self._run.newest is None else self._run.newest.after(event_id)


class _Run:
    """The subscribers of one run, and the task that reads its channels while there are any."""

    def __init__(self, settings: Settings, run_id: str) -> None:
        self._settings = settings
        self._run_id = run_id
        self.newest: NewestEvents | None = None
        self.subscribers: set[Subscriber] = set()
        self.task: asyncio.Task[None] | None = None

    async def read(self) -> None:
        """Read while there are subscribers. Never cancelled: redis-py may hang if cancelled in connect."""
        feed = LiveFeed(self._settings, self._run_id)
        next_check = 0.0
        try:
            while self.subscribers:
                received = await feed.wait(WAIT_S)
                events = False
                if received.events or time.monotonic() >= next_check:
                    events = await self._read_new_events()
                    next_check = time.monotonic() + CHECK_EVERY_S
                if received.samples or events:
                    for subscriber in self.subscribers:
                        subscriber.deliver(received.samples, events)
        finally:
            await feed.close()

    async def _read_new_events(self) -> bool:
        """Read the events since the last call; whether the streams have to read.

        They have to for new events, for a deleted run, and while nothing can be read.
        """
        try:
            return await run_in_threadpool(self._extend)
        except Unavailable as error:
            logger.warning("stream of %s: %s", self._run_id, error)
            self.newest = None
            return True

    def _extend(self) -> bool:
        newest = self.newest
        if newest is None:
            last = service.last_event(self._settings, self._run_id)
            self.newest = NewestEvents(0 if last is None else last.id)
            return True
        before = newest.last_id
        while len(batch := service.events_after(self._settings, self._run_id, newest.last_id)) == BATCH:
            newest.add(batch)
        newest.add(batch)
        return newest.last_id != before or service.last_event(self._settings, self._run_id) is None


class RunSubscriptions:
    """The subscriptions of this process by run. Belongs to one event loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._runs: dict[str, _Run] = {}
        self.access_changes = 0
        """Counts the calls of `check_access`."""
        self.closed = False
        """The server stops: event streams end, and clients resume them later."""

    def check_access(self) -> None:
        """Wake all event streams of this process: the access of some of their callers may have ended."""
        self.access_changes += 1
        for run in self._runs.values():
            for subscriber in run.subscribers:
                subscriber.deliver([], events=False)

    def close(self) -> None:
        """End all event streams of this process; further ones end at once."""
        self.closed = True
        for run in self._runs.values():
            for subscriber in run.subscribers:
                subscriber.deliver([], events=False)

    @asynccontextmanager
    async def subscribe(self, run_id: str) -> AsyncIterator[Subscriber]:
        """Subscribe to a run within this context."""
        run = self._runs.setdefault(run_id, _Run(self._settings, run_id))
        subscriber = Subscriber(run)
        run.subscribers.add(subscriber)
        if run.task is None or run.task.done():
            run.task = asyncio.create_task(run.read())
        try:
            yield subscriber
        finally:
            run.subscribers.discard(subscriber)
            if not run.subscribers:
                self._runs.pop(run_id, None)
