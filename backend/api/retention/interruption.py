"""Ends a long statement of this process before a measured window begins."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from sqlalchemy.orm import Session

from backend.api.runs.window_budget import WindowBudget

logger = logging.getLogger(__name__)

CHECK_S: Final = 0.1
MARGIN_S: Final = 0.5
"""How long before a window the statement is cancelled: PostgreSQL needs a moment for it."""


class Interruption:
    """Whether the statements were cancelled because a window was about to begin."""

    happened = False


@contextmanager
def before_windows(session: Session, budget: WindowBudget) -> Iterator[Interruption]:
    """Cancel what this session executes when a window begins that was not announced before.

    The statement then raises QueryTimedOut, and its transaction is rolled back, which takes no time.
    """
    connection = session.connection().connection.dbapi_connection
    assert isinstance(connection, psycopg.Connection)
    found, ended, known = Interruption(), threading.Event(), budget.window()

    def watch() -> None:
        while not ended.wait(CHECK_S):
            if budget.window() != known and budget.begins_within(MARGIN_S):
                found.happened = True
                try:
                    connection.cancel_safe(timeout=MARGIN_S)
                except psycopg.Error as error:
                    logger.warning("a deletion goes on in a measured window: %s", error)
                return

    watcher = threading.Thread(target=watch, name="retention-window", daemon=True)
    watcher.start()
    try:
        yield found
    finally:
        ended.set()
        watcher.join()
