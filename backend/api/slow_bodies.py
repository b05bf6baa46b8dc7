"""Ends requests whose body arrives too slowly.

A client decides how long its body takes, and each unfinished one keeps memory and a connection. What counts
is the time that the server waits for the client: GRACE_S, and beyond it a rate of at least LEAST_RATE.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.api.errors import BodyTooSlow

GRACE_S: Final = 20.0
LEAST_RATE: Final = 32 * 1024
"""Bytes per second, 0.26 Mbit/s: an import of 8 MiB may take 4 min 36 s, an empty request 20 s."""


class SlowBodies:
    """Answers 408 to a request whose body arrives more slowly than that."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        left_s, has_arrived, has_begun = GRACE_S, False, False

        async def receive_in_time() -> Message:
            nonlocal left_s, has_arrived
            if has_arrived:
                return await receive()
            began = time.monotonic()
            try:
                async with asyncio.timeout(left_s):
                    message = await receive()
            except TimeoutError:
                if has_begun:  # an event stream that watches whether its client has left
                    return {"type": "http.disconnect"}
                raise BodyTooSlow(GRACE_S, LEAST_RATE) from None
            left_s += len(message.get("body", b"")) / LEAST_RATE - (time.monotonic() - began)
            has_arrived = not message.get("more_body", False)
            return message

        async def observe(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        await self.app(scope, receive_in_time, observe)
