"""Messages between API and worker over Redis and Celery: wake-ups, live samples, notices of events.

PostgreSQL is the queue of record. A message only triggers a check of the queue; a lost one causes delay.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from dataclasses import dataclass
from typing import Any, Final

import redis
import redis.asyncio
from celery import Celery
from kombu.exceptions import OperationalError
from kombu.transport import TRANSPORT_ALIASES
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from backend import queue_transport
from backend.settings import Settings

logger = logging.getLogger(__name__)

TASK: Final = queue_transport.TASK
MAX_WAKE: Final = 100
"""Maximum of messages per wake-up; a worker that is awake needs no more."""
REDIS_TIMEOUT_S: Final = 2.0
RECONNECT_S: Final = 5.0
MAX_SAMPLES: Final = 100
HOST_USERS: Final = "host."
"""Prefix of the users of Redis of enrolled hosts."""


def queue_name(host_name: str) -> str:
    """The Celery queue of one host."""
    return f"host.{host_name}"


def host_user(token_id: str) -> str:
    """The user of Redis of an enrolled host, by its token's id: with the token, its connections end, too."""
    return f"{HOST_USERS}{token_id}"


def unacked_keys(host_name: str) -> dict[str, str]:
    """Options of kombu's transport: where a host's worker keeps messages that it has not yet acknowledged."""
    keys = ("unacked", "unacked_index", "unacked_mutex")
    return {f"{key}_key": f"{key}:{queue_name(host_name)}" for key in keys}


def make_celery(settings: Settings) -> Celery:
    """The Celery application of API and worker: early acknowledgement, prefetch 1, JSON only, no results."""
    # Registered by scheme: the scheme of the broker's URL has precedence over Celery's own setting.
    TRANSPORT_ALIASES["redis"] = "backend.queue_transport:Transport"
    app = Celery("plimsoll", broker=settings.broker)
    app.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        task_acks_late=False,
        worker_prefetch_multiplier=1,
        task_create_missing_queues=True,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        worker_enable_remote_control=False,
        broker_transport_options={
            "socket_timeout": REDIS_TIMEOUT_S * 5,
            "socket_connect_timeout": REDIS_TIMEOUT_S,
            **unacked_keys(settings.host_name),
        },
        enable_utc=True,
    )
    return app


def wake(app: Celery, host_name: str, count: int) -> bool:
    """Send a host's worker one message per trial; False if Redis is unavailable."""
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, timeout=REDIS_TIMEOUT_S)
            for _ in range(min(count, MAX_WAKE)):
                app.send_task(TASK, queue=queue_name(host_name), connection=connection, retry=False)
    except (OperationalError, RedisError, OSError) as error:
        logger.warning("no wake-up sent to %s, its worker polls the queue: %s", host_name, error)
        return False
    return True


def live_channel(run_id: str) -> str:
    """The channel of a run's live samples."""
    return f"plimsoll:live:{run_id}"


def events_channel(run_id: str) -> str:
    """The channel of notices (empty messages) that a run has new stored events."""
    return f"plimsoll:events:{run_id}"


def connect(settings: Settings) -> redis.Redis:
    """A Redis client with short timeouts; it connects on first use."""
    return redis.Redis.from_url(
        settings.redis, socket_timeout=REDIS_TIMEOUT_S, socket_connect_timeout=REDIS_TIMEOUT_S
    )


def publish_live(client: redis.Redis, run_id: str, sample: dict[str, Any]) -> bool:
    """Publish one live sample; False if Redis is unavailable."""
    return _publish(client, live_channel(run_id), json.dumps(sample, allow_nan=False))


def publish_events(client: redis.Redis, run_id: str) -> bool:
    """Notify streams that a run has new stored events; otherwise they find them at their next poll."""
    return _publish(client, events_channel(run_id), "")


def _publish(client: redis.Redis, channel: str, text: str) -> bool:
    try:
        client.publish(channel, text)
    except (RedisError, OSError) as error:
        logger.debug("not published on %s: %s", channel, error)
        return False
    return True


@dataclass(frozen=True)
class Received:
    """The messages of one wait: live samples, and whether there may be new stored events."""

    samples: list[dict[str, Any]]
    events: bool


class LiveFeed:
    """Subscription to the channels of one run. The caller closes it.

    It has no task of its own: redis-py may swallow a cancellation while it connects.
    """

    def __init__(self, settings: Settings, run_id: str) -> None:
        self._redis = redis.asyncio.Redis.from_url(
            settings.redis, socket_connect_timeout=REDIS_TIMEOUT_S, retry=None
        )
        self._channels = (live_channel(run_id), events_channel(run_id))
        self._subscription: PubSub | None = None
        self._retry_at = 0.0

    async def wait(self, seconds: float) -> Received:
        """The messages, after the first one or so many seconds, whichever is earlier.

        Without Redis it sleeps, and returns that there may be events.
        """
        try:
            return await self._messages(seconds)
        except (RedisError, OSError) as error:
            logger.info("no live samples, Redis is unavailable: %s", error)
            self._subscription = None
            self._retry_at = time.monotonic() + RECONNECT_S
            await asyncio.sleep(seconds)
            return Received([], events=True)

    async def _messages(self, seconds: float) -> Received:
        if self._subscription is None:
            if time.monotonic() < self._retry_at:
                await asyncio.sleep(seconds)
                return Received([], events=True)
            subscription = self._redis.pubsub(ignore_subscribe_messages=True)
            await subscription.subscribe(*self._channels)
            self._subscription = subscription
            return Received([], events=True)  # earlier messages were missed
        samples: list[dict[str, Any]] = []
        events = False
        message = await self._subscription.get_message(timeout=seconds)
        while message is not None and len(samples) < MAX_SAMPLES:
            if message["channel"] == self._channels[0].encode():
                samples += _samples(message["data"])
            else:
                events = True
            message = await self._subscription.get_message(timeout=0)
        return Received(samples, events)

    async def close(self) -> None:
        """Close the connection."""
        await self._redis.aclose()


def _samples(data: bytes) -> list[dict[str, Any]]:
    """A published sample, or nothing if it is not a JSON object."""
    try:
        sample = json.loads(data)
    except ValueError:
        return []
    return [sample] if isinstance(sample, dict) else []
