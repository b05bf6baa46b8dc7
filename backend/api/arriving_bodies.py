"""Bounds the memory that bodies of one account keep at the server while they arrive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from starlette.types import Message, Receive

from backend.api.errors import Overloaded

MOST_OF_ACCOUNT: Final = 64 * 1024 * 1024
"""Bytes of an account's bodies at a time: eight of the largest imports."""


class ArrivingBodies:
    """Counts the bytes of bodies that were received for requests that have not been answered, by account."""

    def __init__(self) -> None:
        self._bytes: Counter[str] = Counter()

    @contextmanager
    def count_bytes(self, account_id: str, receive: Receive) -> Iterator[Receive]:
        """A `receive` that counts, until the end of this context. It raises Overloaded beyond the limit."""
        own = 0

        async def count() -> Message:
            nonlocal own
            message = await receive()
            size = len(message.get("body", b""))
            if size and self._bytes[account_id] + size > MOST_OF_ACCOUNT:
                raise Overloaded(
                    f"bodies of {MOST_OF_ACCOUNT:,} bytes from this account are arriving; try again later"
                )
            own += size
            self._bytes[account_id] += size
            return message

        try:
            yield count
        finally:
            self._bytes[account_id] -= own
            if not self._bytes[account_id]:
                del self._bytes[account_id]
