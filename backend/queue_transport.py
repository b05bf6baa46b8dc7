"""kombu's Redis transport, which drops malformed messages.

kombu parses messages outside of any error handler: one that is not JSON, sent by any client of Redis, would
end the consumer and with it the worker.
"""

from __future__ import annotations

import logging
from queue import Empty
from typing import Any

from kombu.transport import redis

logger = logging.getLogger(__name__)


class Channel(redis.Channel):
    """kombu's channel; a malformed message is logged and dropped."""

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call]  # kombu has no annotations
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            logger.error("malformed message dropped from the queue: %s: %s", type(error).__name__, error)
            raise Empty from error


class Transport(redis.Transport):
    """kombu's transport with this channel."""

    Channel = Channel
