"""Redis as Celery's broker, with messages that are none dropped instead of ending the worker.

kombu parses what it takes from the list outside of any handler: one line that is no JSON, put there by
whatever else reaches Redis, would end the consumer and with it the worker.
"""

from __future__ import annotations

import logging
from queue import Empty
from typing import Any

from kombu.transport import redis

logger = logging.getLogger(__name__)


class Channel(redis.Channel):
    """kombu's channel; what cannot be read as a message is taken from the queue, logged and forgotten."""

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call]  # kombu has no annotations
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            logger.error("a message of the queue is dropped, it is none: %s: %s", type(error).__name__, error)
            raise Empty from error


class Transport(redis.Transport):
    """kombu's transport with that channel."""

    Channel = Channel
