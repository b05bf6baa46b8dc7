"""The API's end of the wire to worker and streams."""

from __future__ import annotations

from functools import cached_property

import redis
from celery import Celery

from backend import queue
from backend.settings import Settings


class Wire:
    """Wake-ups and announcements; connects when it is first used, and never raises for a dead Redis."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def _celery(self) -> Celery:
        return queue.make_celery(self._settings)

    @cached_property
    def _redis(self) -> redis.Redis:
        return queue.connect(self._settings)

    def wake(self, host_name: str, trials: int) -> None:
        """Tell a host's worker that there are trials."""
        queue.wake(self._celery, host_name, trials)

    def announce(self, run_id: str) -> None:
        """Tell streams that a run has new events."""
        queue.publish_events(self._redis, run_id)

    def ping(self) -> bool:
        """Whether Redis answers."""
        try:
            return bool(self._redis.ping())
        except (redis.RedisError, OSError):
            return False

    def close(self) -> None:
        """Let go of the connections."""
        self._celery.close()
        self._redis.close()
