"""Limit on concurrent CPU-bound requests.

All endpoints share one thread pool. Without this limit, plans and exports could occupy every thread and block
short requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import Depends, Request

from backend.api.errors import Overloaded

AT_ONCE: Final = 2
QUEUED: Final = 64
MAX_WAIT_S: Final = 30.0


class ConcurrencyLimit:
    """Runs `at_once` requests at a time; `queued` more wait for at most `max_wait_s` seconds."""

    def __init__(self, at_once: int = AT_ONCE, queued: int = QUEUED, max_wait_s: float = MAX_WAIT_S) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._queued = queued
        self._max_wait_s = max_wait_s
        self.waiting = 0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold a slot within this context. Raises Overloaded if the queue is full or no slot became free."""
        if self._free.locked() and self.waiting >= self._queued:
            raise Overloaded(f"{self.waiting} CPU-bound requests are already waiting; try again later")
        self.waiting += 1
        try:
            async with asyncio.timeout(self._max_wait_s):
                await self._free.acquire()
        except TimeoutError as error:
            raise Overloaded(f"no slot became free within {self._max_wait_s:g} s; try again later") from error
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self._free.release()


async def _hold_slot(request: Request) -> AsyncIterator[None]:
    slots: ConcurrencyLimit = request.app.state.cpu_slots
    async with slots.slot():
        yield


# Released when the endpoint returns, not when the response is sent: a slow client holds no slot.
CpuBound: Final = Depends(_hold_slot, scope="function")
"""Dependency of a CPU-bound endpoint: waits for a slot."""
