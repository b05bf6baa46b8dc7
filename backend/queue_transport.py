"""kombu's Redis transport, which drops everything that is not a wake-up.

kombu parses messages outside of any error handler, and Celery trusts their headers: one that is not JSON, or
whose headers have another type, sent by any client of Redis, would end the consumer and with it the worker.
A wake-up is always the same message apart from its ids, so that nothing else needs to be understood.
"""

from __future__ import annotations

import base64
import json
import logging
from queue import Empty
from typing import Any, Final

from kombu.transport import redis
from redis import StrictRedis
from redis.exceptions import LockNotOwnedError, RedisError, WatchError
from redis.lock import Lock

logger = logging.getLogger(__name__)

TASK: Final = "plimsoll.trial"
"""The only task."""
_BODY: Final = [[], {}, {"callbacks": None, "errbacks": None, "chain": None, "chord": None}]
"""No arguments, and nothing to do afterwards."""
_HEADERS: Final[dict[str, Any]] = {
    **{"lang": "py", "task": TASK, "shadow": None, "eta": None, "expires": None, "group": None},
    **{"group_index": None, "retries": 0, "timelimit": [None, None], "parent_id": None, "argsrepr": "()"},
    **{"kwargsrepr": "{}", "ignore_result": None, "replaced_task_nesting": 0, "stamped_headers": None},
    "stamps": {},
}
_PROPERTIES: Final = {"delivery_mode": 2, "priority": 0, "body_encoding": "base64"}
_WHOLE: Final = {"content-encoding": "utf-8", "content-type": "application/json"}
_LONGEST: Final = 255
"""Characters of an id, or of a body."""
_AGAIN: Final = "redelivered"
"""Set by kombu in a message that an ended worker had received."""


def refusal(message: Any, queue: str) -> str | None:
    """Why a parsed message of a queue is no wake-up, or None."""
    if not isinstance(message, dict):
        return "it is not an object"
    properties = message.get("properties")
    info = properties.get("delivery_info") if isinstance(properties, dict) else None
    route = {"exchange": "", "routing_key": queue}
    ids = ("correlation_id", "reply_to", "delivery_tag")
    return (
        _difference("message", message, _WHOLE, ("body",), ("headers", "properties"))
        or _difference("headers", message["headers"], _HEADERS, ("id", "root_id", "origin"))
        or _difference("properties", properties, _PROPERTIES, ids, ("delivery_info",))
        or _difference("delivery_info", info, route)
        or (None if _decoded(message["body"]) == _BODY else "its body is not a wake-up's")
    )


def _difference(
    part: str, found: Any, fixed: dict[str, Any], texts: tuple[str, ...] = (), others: tuple[str, ...] = ()
) -> str | None:
    """The first field that is missing, is unknown, or has another value; `others` are not compared."""
    if not isinstance(found, dict):
        return f"its {part} are not an object"
    for name in (*fixed, *texts, *others):
        if name not in found:
            return f"{part} without {name}"
    for name, value in found.items():
        if name in texts:
            same = isinstance(value, str) and 0 < len(value) <= _LONGEST
        elif name in fixed:
            same = type(value) is type(fixed[name]) and value == fixed[name]
        else:
            same = name in others or (name == _AGAIN and value is True)
        if not same:
            return f"{part} with another {name:.60}"
    return None


def _decoded(body: str) -> Any:
    try:
        return json.loads(base64.b64decode(body, validate=True))
    except (ValueError, RecursionError):
        return None


class LockWithoutScript(Lock):
    """redis-py's lock, released by a transaction in place of a script: workers may run none."""

    def register_scripts(self) -> None:
        """Nothing: `extend` and `reacquire`, which need scripts, are not used."""

    def do_release(self, expected_token: Any) -> None:
        """Delete the key while it has this token. Raises LockNotOwnedError."""
        with self.redis.pipeline(transaction=True) as pipe:
            try:
                pipe.watch(self.name)
                if pipe.get(self.name) == expected_token:
                    pipe.multi()
                    pipe.delete(self.name)
                    pipe.execute()
                    return
            except WatchError:
                pass  # it expired meanwhile, and another worker has it
        raise LockNotOwnedError("Cannot release a lock that's no longer owned", lock_name=str(self.name))


class Client(StrictRedis):
    """redis-py's client with these locks."""

    def lock(self, name: str, *given: Any, **options: Any) -> Any:
        """A lock of this name."""
        return super().lock(name, *given, **{"lock_class": LockWithoutScript, **options})


class Channel(redis.Channel):
    """kombu's channel; a message that cannot be parsed is logged and dropped."""

    def _get_client(self) -> type[Client]:
        return Client

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call]  # kombu has no annotations
        except (Empty, RedisError, *self.connection_errors):
            raise
        except Exception as error:
            logger.error("malformed message dropped from the queue: %s: %.200s", type(error).__name__, error)
            raise Empty from error


class Transport(redis.Transport):
    """kombu's transport with this channel; a message that is no wake-up is logged and dropped."""

    Channel = Channel

    def _deliver(self, message: Any, queue: str) -> None:
        why = refusal(message, queue)
        if why is not None:
            logger.error("message dropped from the queue %s: %s", queue, why)
            return
        super()._deliver(message, queue)  # type: ignore[no-untyped-call]  # kombu has no annotations
