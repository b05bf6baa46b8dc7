"""Requests that compute for long: few at a time, so that the others keep their threads.

All endpoints share one pool of threads. Without a bound, plans and exports would take every one of them, and
a page could not even list its runs.
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
PATIENCE_S: Final = 30.0


class Capacity:
    """Places for requests that compute: AT_ONCE work, QUEUED more wait for PATIENCE_S at most."""

    def __init__(self, at_once: int = AT_ONCE, queued: int = QUEUED, patience_s: float = PATIENCE_S) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._queued = queued
        self._patience_s = patience_s
        self.waiting = 0

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place within this context. Raises Overloaded where too many wait, or none came free."""
        if self._free.locked() and self.waiting >= self._queued:
            raise Overloaded(f"{self.waiting} requests already wait to be computed; try again later")
        self.waiting += 1
        try:
            async with asyncio.timeout(self._patience_s):
                await self._free.acquire()
        except TimeoutError as error:
            raise Overloaded("others compute for long; try again later") from error
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self._free.release()


async def _occupy(request: Request) -> AsyncIterator[None]:
    capacity: Capacity = request.app.state.capacity
    async with capacity.place():
        yield


# Until the endpoint returns, not until its answer is sent: a slow reader holds no place.
Heavy: Final = Depends(_occupy, scope="function")
"""Dependency of an endpoint that computes for more than a moment."""
