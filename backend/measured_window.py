"""The measured window of a host, published by its worker in Redis and read by the API.

The API on the same host delays CPU-bound work until the window is over. Without Redis that work is not
delayed; nothing else changes. Times are seconds since 1970 by the host's clock.
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
"""Time from the end of a window to the expiry of its key."""


@dataclass(frozen=True)
class MeasuredWindow:
    """One measured window of a host, as planned at the start of its warm-up."""

    begins_at: float
    ends_at: float

    @property
    def seconds(self) -> float:
        """The planned duration of the measurement."""
        return self.ends_at - self.begins_at


def window_key(host_name: str) -> str:
    """The Redis key of a host's window; it has an expiry."""
    return f"plimsoll:window:{host_name}"


def announce_window(client: redis.Redis, host_name: str, begins_in_s: float, seconds: float) -> bool:
    """Publish the start and the duration of a window; False if Redis is unavailable."""
    begins_at = time.time() + begins_in_s
    text = json.dumps([begins_at, begins_at + seconds])
    try:
        client.set(window_key(host_name), text, px=int((begins_in_s + seconds + KEPT_AFTER_S) * 1000))
    except (RedisError, OSError) as error:
        logger.debug("window not published: %s", error)
        return False
    return True


def read_window(client: redis.Redis, host_name: str) -> MeasuredWindow | None:
    """The present or next window of a host; None without one, or if Redis is unavailable."""
    try:
        text = client.get(window_key(host_name))
    except (RedisError, OSError) as error:
        logger.debug("window not read: %s", error)
        return None
    if not isinstance(text, bytes):
        return None
    try:
        begins_at, ends_at = json.loads(text)
        return MeasuredWindow(float(begins_at), float(ends_at))
    except (ValueError, TypeError):
        logger.warning("the window of %s cannot be parsed: %r", host_name, text[:80])
        return None
