"""The long poll: a run once it has ended, or after a time."""

from __future__ import annotations

import asyncio
import time

from fastapi.concurrency import run_in_threadpool

from backend.api.runs import service
from backend.api.runs.schemas import Run
from backend.settings import Settings
from backend.store.states import RUN_ENDED

POLL_S = 0.5


async def run_when_ended(settings: Settings, run_id: str, wait_s: float) -> Run:
    """The run as soon as its state is final, at the latest after `wait_s` seconds.

    Waits on the event loop: a waiting client holds neither a thread nor a connection.
    """
    deadline = time.monotonic() + wait_s
    while True:
        run = await run_in_threadpool(service.get, settings, run_id)
        left = deadline - time.monotonic()
        if run.state in RUN_ENDED or left <= 0:
            return run
        await asyncio.sleep(min(POLL_S, left))
