"""The protocols of workers that this server speaks."""

from __future__ import annotations

from typing import Final

from backend.worker_protocol import PROTOCOL

OLDEST: Final = 1
NEWEST: Final = PROTOCOL


def is_served(protocol: int | None) -> bool:
    """Whether this server speaks a worker's protocol; a worker without one is of the server itself."""
    return protocol is None or OLDEST <= protocol <= NEWEST
