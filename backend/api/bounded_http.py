"""HTTP/1.1 as uvicorn speaks it, with limits on the time that a client may take outside of a request's body.

uvicorn waits as long as a client wants for the rest of a request's head, and for the rest of a body whose
request was answered before its end. `slow_bodies` limits the body of a request that is being served.
"""

from __future__ import annotations

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

CLIENT_S: Final = 30.0
"""Longer than `KEEP_ALIVE_S`, after which a connection without a request is closed."""


class BoundedHttp(H11Protocol):
    """Closes a connection whose client has to send something and does not within CLIENT_S."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head."""
        super().connection_made(transport)
        self._limit()

    def data_received(self, data: bytes) -> None:
        """Read, and wait for what is missing."""
        super().data_received(data)
        self._limit()

    def on_response_complete(self) -> None:
        """Wait for the rest of the request, or for the next one."""
        super().on_response_complete()
        self._limit()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing."""
        self._end_limit()
        super().connection_lost(exc)

    def _limit(self) -> None:
        if self.transport.is_closing() or not self._is_clients_turn():
            self._end_limit()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(CLIENT_S, self.transport.close)

    def _end_limit(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _is_clients_turn(self) -> bool:
        """Whether nothing but the client's next bytes is waited for, and no request is being served."""
        if self.conn.their_state is h11.IDLE:
            return True
        return self.conn.their_state is h11.SEND_BODY and self.cycle.response_complete
