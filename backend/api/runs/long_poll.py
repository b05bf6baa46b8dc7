"""Long polls: respond when a run has ended, or after a time limit."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import Request

from backend.api.access.open_request import OpenRequestAccess
from backend.api.errors import Unauthenticated
from backend.api.runs import service
from backend.api.runs.schemas import Run
from backend.core.plan.states import RUN_ENDED
from backend.settings import Settings

POLL_S: Final = 0.5
THREADS: Final = 4
"""Threads of all long polls, separate from those of other requests."""


class LongPolls:
    """The long polls of this process: one database query per run and POLL_S, shared by all its clients.

    A waiting client holds neither a thread nor a database connection; a disconnected one stops waiting.
    """

    def __init__(self) -> None:
        self._next: dict[str, asyncio.Task[Run]] = {}
        self._limiter: CapacityLimiter | None = None
        self.waiting = 0
        self.closed = False

    def close(self) -> None:
        """The server stops: respond to all clients with the run as it is, within POLL_S."""
        self.closed = True

    async def run_when_ended(
        self, settings: Settings, request: Request, run_id: str, wait_s: float, access: OpenRequestAccess
    ) -> Run:
        """The run as soon as its state is final, at the latest after `wait_s` seconds.

        Raises NotFound, and Unauthenticated soon after the caller's access has ended.
        """
        began = time.monotonic()
        run = await self._wait(settings, request, run_id, began + wait_s, access)
        if time.monotonic() - began > POLL_S and await access.has_ended(at_once=True):
            raise Unauthenticated("your access ended while the request waited")
        return run

    async def _wait(
        self, settings: Settings, request: Request, run_id: str, deadline: float, access: OpenRequestAccess
    ) -> Run:
        """The run when it has ended, at the deadline, or when the caller's access has ended."""
        run = await self._read(settings, run_id)
        self.waiting += 1
        try:
            while run.state not in RUN_ENDED and (left := deadline - time.monotonic()) > 0:
                if self.closed or await request.is_disconnected() or await access.has_ended():
                    return run
                if left < POLL_S:
                    await asyncio.sleep(left)
                    return await self._read(settings, run_id)
                run = await asyncio.shield(self._shared(settings, run_id))
        finally:
            self.waiting -= 1
        return run

    def _shared(self, settings: Settings, run_id: str) -> asyncio.Task[Run]:
        """The next read of a run, shared by all its clients."""
        if run_id not in self._next:
            task = asyncio.create_task(self._delayed_read(settings, run_id))
            self._next[run_id] = task
            task.add_done_callback(lambda _: self._next.pop(run_id))
        return self._next[run_id]

    async def _delayed_read(self, settings: Settings, run_id: str) -> Run:
        await asyncio.sleep(POLL_S)
        return await self._read(settings, run_id)

    async def _read(self, settings: Settings, run_id: str) -> Run:
        if self._limiter is None:
            self._limiter = CapacityLimiter(THREADS)
        return await run_sync(service.get, settings, run_id, limiter=self._limiter)
