"""Messages from the API to workers and event streams, over Redis."""

from __future__ import annotations

from functools import cached_property

import redis
from celery import Celery

from backend import queue
from backend.settings import Settings


class Notifier:
    """Sends messages over Redis. Connects on first use; never raises if Redis is unreachable."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def _celery(self) -> Celery:
        return queue.make_celery(self._settings)

    @cached_property
    def _redis(self) -> redis.Redis:
        return queue.connect(self._settings)

    def wake(self, host_name: str, trials: int) -> None:
        """Send a wake-up to a host's worker."""
        queue.wake(self._celery, host_name, trials)

    def announce(self, run_id: str) -> None:
        """Notify event streams that a run has new stored events."""
        queue.publish_events(self._redis, run_id)

    def ping(self) -> bool:
        """Whether Redis answers."""
        try:
            return bool(self._redis.ping())
        except (redis.RedisError, OSError):
            return False

    def close(self) -> None:
        """Close the connections."""
        self._celery.close()
        self._redis.close()
