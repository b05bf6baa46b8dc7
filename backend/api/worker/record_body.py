"""The body of a record, which may be large and packed with gzip.

It is read after the guard has admitted the host, few of one host at a time. A body that is large once it is
unpacked waits for its turn: one such body at a time is unpacked and parsed, so that memory stays bounded and
the interpreter is left to other requests.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from backend.api.access.guard import Admission, GuardedRoute, Handler, late_body_check, serve
from backend.api.capacity import ConcurrencyLimit
from backend.api.errors import Overloaded
from backend.api.request import StrictRequest
from backend.core.definition.document_parser import Bounds
from backend.core.errors import Malformed

MAX_UNPACKED: Final = 64 * 1024 * 1024
SMALL: Final = 256 * 1024
"""Bytes of a body, unpacked, that needs no slot."""
LARGE_AT_ONCE: Final = 1
"""Large bodies that are unpacked and parsed at a time; two would compete for the interpreter."""
BODIES_OF_A_HOST: Final = 8
"""Bodies of one host that are read or wait at a time; its worker sends fewer."""
RECORD_BOUNDS: Final = Bounds(length=MAX_UNPACKED, nodes=500_000)
"""An hour of points every second has some 100,000 values; a tool's output is one, however long it is."""


class RecordRequest(StrictRequest):
    """A StrictRequest whose body is unpacked if it was sent packed."""

    bounds = RECORD_BOUNDS

    async def is_small(self) -> bool:
        """Whether the body, which has arrived, is small when it is unpacked. Raises Malformed."""
        sent = await super().body()
        if len(sent) > SMALL or not self._is_packed():
            return len(sent) <= SMALL
        found = await run_in_threadpool(unpack, sent, SMALL)
        if found is not None:
            self._unpacked = found
        return found is not None

    async def body(self) -> bytes:
        """The body without its content encoding. Raises Malformed, HTTPException 413 if it is too large."""
        if not hasattr(self, "_unpacked"):
            sent = await super().body()
            found = await run_in_threadpool(unpack, sent) if self._is_packed() else sent
            if found is None:
                raise HTTPException(413)
            self._unpacked = found
        return self._unpacked

    def _is_packed(self) -> bool:
        return self.headers.get("content-encoding", "identity").lower() == "gzip"


def unpack(sent: bytes, limit: int = MAX_UNPACKED) -> bytes | None:
    """What one gzip member holds, None if that is more than `limit` bytes. Raises Malformed."""
    reader = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        found = reader.decompress(sent, limit + 1)
    except zlib.error as error:
        raise Malformed.at("", "malformed", f"the body is not gzip: {error}") from None
    if len(found) > limit:
        return None
    if not reader.eof or reader.unused_data:
        raise Malformed.at("", "malformed", "the body is not exactly one complete gzip member")
    return found


class RecordRoute(GuardedRoute):
    """The route of records: the guard first, then the body."""

    def get_route_handler(self) -> Handler:
        """FastAPI's handler with a RecordRequest, behind the guard."""
        handler = APIRoute.get_route_handler(self)
        operation = self.operation_id or ""

        async def read(request: Request) -> Response:
            slots: ConcurrencyLimit = request.app.state.record_slots
            bounded = RecordRequest(request.scope, request.receive)
            with _count_body(request):
                async with late_body_check(request, operation):
                    small = await bounded.is_small()  # before the slot: a slow client holds none
                if small:
                    return await handler(bounded)
                async with slots.slot():
                    return await handler(bounded)

        async def guarded(request: Request) -> Response:
            return await serve(request, operation, read)

        return guarded


@contextmanager
def _count_body(request: Request) -> Iterator[None]:
    """Count a body of the calling host while it is at the server. Raises Overloaded beyond its limit."""
    admission: Admission = request.state.admission
    assert admission.host is not None, "only workers send records"
    bodies: Counter[str] = request.app.state.host_bodies
    host = admission.host.token_id
    if bodies[host] >= BODIES_OF_A_HOST:
        raise Overloaded(f"{BODIES_OF_A_HOST} requests of this host with a body are waiting; try again later")
    bodies[host] += 1
    try:
        yield
    finally:
        bodies[host] -= 1
        if not bodies[host]:
            del bodies[host]


RECORD_OPENAPI: Final[dict[str, Any]] = {
    "parameters": [
        {
            "name": "Content-Encoding",
            "in": "header",
            "required": False,
            "schema": {"type": "string", "enum": ["gzip"]},
            "description": "The body may be packed: 16 MiB as sent, 64 MiB unpacked.",
        }
    ]
}
