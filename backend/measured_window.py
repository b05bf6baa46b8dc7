"""When a trial is being measured on a host: told by its worker through Redis, asked by the API.

A host's API runs beside its worker. What is heavy waits until the window is over; losing a message, or Redis,
costs nothing but that. Times are seconds of the host's own clock since 1970.
"""

from __future__ import annotations

import json
import logging
import time
from dataclasses import dataclass
from typing import Final

import redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

KEPT_AFTER_S: Final = 5.0
"""The key outlives its window by so much."""


@dataclass(frozen=True)
class MeasuredWindow:
    """One measured window of a host, as it was planned when its warm-up began."""

    begins_at: float
    ends_at: float

    @property
    def seconds(self) -> float:
        """How long the client measures."""
        return self.ends_at - self.begins_at


def window_key(host_name: str) -> str:
    """The Redis key of a host's window; it expires by itself."""
    return f"plimsoll:window:{host_name}"


def announce_window(client: redis.Redis, host_name: str, begins_in_s: float, seconds: float) -> bool:
    """Say when a window begins, and how long it takes; False where Redis does not answer."""
    begins_at = time.time() + begins_in_s
    text = json.dumps([begins_at, begins_at + seconds])
    try:
        client.set(window_key(host_name), text, px=int((begins_in_s + seconds + KEPT_AFTER_S) * 1000))
    except (RedisError, OSError) as error:
        logger.debug("window not announced: %s", error)
        return False
    return True


def read_window(client: redis.Redis, host_name: str) -> MeasuredWindow | None:
    """The window of a host that is open or about to open; None without one, and without Redis."""
    try:
        text = client.get(window_key(host_name))
    except (RedisError, OSError) as error:
        logger.debug("no window read: %s", error)
        return None
    if not isinstance(text, bytes):
        return None
    try:
        begins_at, ends_at = json.loads(text)
        return MeasuredWindow(float(begins_at), float(ends_at))
    except (ValueError, TypeError):
        logger.warning("the window of %s is not readable: %r", host_name, text[:80])
        return None
