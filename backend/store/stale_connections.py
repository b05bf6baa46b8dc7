"""Finds connections of a pool that ended while they were idle, without a query for each transaction."""

from __future__ import annotations

import select
import time
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.exc import InvalidatePoolError

TRUSTED_S: Final = 10.0
"""Seconds for which an idle connection is not checked: after more, a network may have forgotten it."""
_RETURNED: Final = "returned_at"


def check_on_checkout(engine: Engine) -> None:
    """Replace connections that ended when they leave the pool, as `pool_pre_ping` does.

    The system reports the end of a connection to its socket: PostgreSQL sends nothing to an idle connection
    but the reason of its end. Only a connection whose socket has something to read, or that was idle for
    TRUSTED_S, is checked with a query.
    """

    @event.listens_for(engine, "checkin")
    def returned(connection: Any, record: Any) -> None:
        record.info[_RETURNED] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def leaves(connection: Any, record: Any, _proxy: Any) -> None:
        idle_since = record.info.pop(_RETURNED, None)
        if idle_since is None:
            return  # it is new
        if time.monotonic() - idle_since < TRUSTED_S and not _has_news(connection):
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error  # the pool opens new connections


def _has_news(connection: Any) -> bool:
    """Whether a connection is closed, or its socket has something to read."""
    if connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN | select.POLLPRI)
    return bool(poll.poll(0))
