"""PostgreSQL's own statistics around a window, over its Unix socket; nothing runs in its container."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

CHECKPOINTER_SINCE = 17_00_00
"""Version 17 moved these columns from pg_stat_bgwriter to pg_stat_checkpointer."""
QUERY = """
select (select coalesce(blks_read, 0) from pg_stat_database where datname = current_database()),
       (select {checkpoints}),
       (select coalesce(sum(autovacuum_count + autoanalyze_count), 0) from pg_stat_user_tables),
       (select count(*) from pg_stat_activity where backend_type = 'autovacuum worker')
"""
CHECKPOINTS_BEFORE = "checkpoints_timed + checkpoints_req from pg_stat_bgwriter"
CHECKPOINTS = "num_timed + num_requested from pg_stat_checkpointer"


@dataclass(frozen=True)
class PostgresPoint:
    """Counters of the tested database so far, and the number of running autovacuum workers."""

    blocks_read: int
    checkpoints: int
    autovacuums: int
    vacuuming: int


class PostgresStats:
    """Reads one server's statistics. `directory` holds its socket as seen from here: /proc/PID/root/tmp.

    The connection is closed between trials: a server that stops would wait for it.
    """

    def __init__(self, directory: Path, port: int, user: str = "bench", database: str = "postgres") -> None:
        self._directory = directory
        self._port = port
        self._user = user
        self._database = database
        self._connection: psycopg.Connection[Any] | None = None

    def use(self, database: str) -> None:
        """Read another database from the next reading on."""
        if database != self._database:
            self.close()
            self._database = database

    def read(self) -> PostgresPoint | None:
        """The counters now; None when the server does not answer."""
        with contextlib.suppress(psycopg.Error):
            connection = self._connected()
            old = connection.info.server_version < CHECKPOINTER_SINCE
            query = QUERY.format(checkpoints=CHECKPOINTS_BEFORE if old else CHECKPOINTS)
            row = connection.execute(query.encode()).fetchone()
            if row is not None:
                return PostgresPoint(*(int(value) for value in row))
        self.close()
        return None

    def close(self) -> None:
        """Disconnect; a later reading connects again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> psycopg.Connection[Any]:
        if self._connection is None:
            self._connection = psycopg.connect(
                host=str(self._directory),
                port=self._port,
                user=self._user,
                dbname=self._database,
                autocommit=True,
                connect_timeout=2,
                options="-c statement_timeout=1s",
                application_name="plimsoll-noise",
            )
        return self._connection
