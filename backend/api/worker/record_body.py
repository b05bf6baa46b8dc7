"""The body of a record, which may be large and packed with gzip.

It is read after the guard has admitted the host. Few large ones are unpacked and parsed at the same time, so
that memory stays bounded.
"""

from __future__ import annotations

import zlib
from typing import Any, Final

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from backend.api.access.guard import GuardedRoute, Handler, serve
from backend.api.capacity import ConcurrencyLimit
from backend.api.request import StrictRequest
from backend.core.definition.document_parser import Bounds
from backend.core.errors import Malformed

MAX_UNPACKED: Final = 64 * 1024 * 1024
SMALL: Final = 256 * 1024
"""Bytes of a body, as sent, that needs no slot."""
RECORD_BOUNDS: Final = Bounds(length=MAX_UNPACKED, nodes=4_000_000)


class RecordRequest(StrictRequest):
    """A StrictRequest whose body is unpacked if it was sent packed."""

    bounds = RECORD_BOUNDS

    async def body(self) -> bytes:
        """The body without its content encoding. Raises Malformed, HTTPException 413 if it is too large."""
        if not hasattr(self, "_unpacked"):
            sent = await super().body()
            packed = self.headers.get("content-encoding", "identity").lower() == "gzip"
            self._unpacked = await run_in_threadpool(unpacked, sent) if packed else sent
        return self._unpacked


def unpacked(sent: bytes, limit: int = MAX_UNPACKED) -> bytes:
    """What one gzip member holds. Raises Malformed, and HTTPException 413 beyond `limit` bytes."""
    reader = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        found = reader.decompress(sent, limit + 1)
    except zlib.error as error:
        raise Malformed.at("", "malformed", f"the body is not gzip: {error}") from None
    if len(found) > limit:
        raise HTTPException(413)
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
            sent: bytes = await Request.body(bounded)  # before the slot: a slow client holds none
            if len(sent) <= SMALL:
                return await handler(bounded)
            async with slots.slot():
                return await handler(bounded)

        async def guarded(request: Request) -> Response:
            return await serve(request, operation, read)

        return guarded


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
