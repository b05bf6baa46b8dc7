"""The databases of the tests: clones of a migrated template, emptied and lent again.

Emptying takes a tenth of the time of a new clone, and SQLAlchemy keeps the statements it has compiled.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg

from backend.store import grants
from tests.services import PostgresServer

LARGEST: Final = 4 << 20
"""Bytes that its tables may have got beyond the template's: deleted rows stay in their files."""
CLOSED_WITHIN_S: Final = 1.0
"""A connection that a test has closed leaves PostgreSQL a moment later."""

_numbers = itertools.count(1)

_TABLES: Final = """
    SELECT relname, pg_relation_size(oid), pg_total_relation_size(oid) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname
"""
# The transaction that wrote a row of the catalogue last: CREATE, ALTER, GRANT and DROP change a sum, rows of
# tables do not.
_SCHEMA: Final = """
    SELECT jsonb_build_array(
        (SELECT jsonb_agg((nspname, xmin, nspacl::text) ORDER BY oid) FROM pg_namespace
            WHERE nspname !~ '^pg_(toast_)?temp_'),
        (SELECT jsonb_agg((oid, xmin) ORDER BY oid) FROM pg_class WHERE oid >= 16384),
        (SELECT sum(hashtext(attrelid || attname || xmin)) FROM pg_attribute WHERE attrelid >= 16384),
        (SELECT sum(hashtext(oid || '.' || xmin)) FROM pg_constraint),
        (SELECT sum(hashtext(oid || '.' || xmin)) FROM pg_proc WHERE oid >= 16384),
        (SELECT sum(hashtext(oid || '.' || xmin)) FROM pg_trigger),
        (SELECT sum(hashtext(oid || '.' || xmin)) FROM pg_type WHERE oid >= 16384),
        (SELECT sum(hashtext(oid || '.' || xmin)) FROM pg_extension),
        (SELECT sum(hashtext(setdatabase || '.' || setrole || '.' || xmin)) FROM pg_db_role_setting),
        (SELECT datacl::text || datconnlimit || datallowconn FROM pg_database
            WHERE datname = current_database()),
        (SELECT sum(hashtext(oid || '.' || xmin)) FROM pg_authid WHERE oid >= 16384)
    )::text
"""


@dataclass
class Databases:
    """The databases of one PostgreSQL that no test uses at present, and the state of the template."""

    postgres: PostgresServer
    template: str
    _idle: list[str] = field(default_factory=list)
    _schemas: dict[str, str] = field(default_factory=dict)
    _rows: dict[str, bytes] = field(default_factory=dict)
    """The rows of the template, by table."""
    _restarts: list[str] = field(default_factory=list)
    """The statements that set the sequences as in the template."""
    _size: int = 0
    _connections: dict[str, psycopg.Connection[Any]] = field(default_factory=dict)
    """One for each database that is lent again: a new one would read the catalogue again."""

    def take(self, *, new: bool = False) -> str:
        """The name of a database as the migrations leave it; `new`: its files are those of a clone, too."""
        if self._idle and not new:
            return self._idle.pop()
        name = f"plimsoll_{next(_numbers)}"
        with self.postgres.connect("postgres") as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{self.template}" OWNER {grants.MIGRATE}')
        if not new:
            self._connections[name] = self.postgres.connect(name)
            self._remember(name, self._connections[name])
        return name

    def disconnect(self, name: str) -> None:
        """Close the connection that empties this database: PostgreSQL copies none that is in use."""
        if name in self._connections:
            self._connections.pop(name).close()

    def close(self) -> None:
        """Close all connections."""
        for name in [*self._connections]:
            self.disconnect(name)

    def give_back(self, name: str) -> None:
        """Empty the database for the next test, or drop it where it is not as the template any more."""
        if name in self._schemas and self._is_emptied(name):
            self._idle.append(name)
            return
        self._schemas.pop(name, None)
        self.disconnect(name)
        with self.postgres.connect("postgres") as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def _remember(self, name: str, connection: psycopg.Connection[Any]) -> None:
        self._schemas[name] = _schema(connection)
        if not self._rows:
            sizes = connection.execute(_TABLES).fetchall()
            self._size = sum(total for _, _, total in sizes)
            self._rows = {table: _copied(connection, table) for table, size, _ in sizes if size}
            self._restarts = _restarts(connection)

    def _is_emptied(self, name: str) -> bool:
        """Whether the database has the rows of the template again; not if it is used or changed."""
        connection = self._connection(name)
        if _has_others(connection) or _schema(connection) != self._schemas[name]:
            return False
        sizes = connection.execute(_TABLES).fetchall()
        if sum(total for _, _, total in sizes) > self._size + LARGEST:
            return False
        used = [table for table, size, _ in sizes if size and table not in self._rows]
        statements = [
            "SET LOCAL session_replication_role = replica",  # no foreign keys, no triggers
            *(f'DELETE FROM "{table}"' for table in used),
            *self._restarts,
        ]
        with connection.transaction():
            connection.execute(";".join(statements))
            for table, rows in self._rows.items():
                if _copied(connection, table) != rows:
                    connection.execute(f'DELETE FROM "{table}"')
                    with connection.cursor().copy(f'COPY "{table}" FROM STDIN') as copy:
                        copy.write(rows)
        return True

    def _connection(self, name: str) -> psycopg.Connection[Any]:
        """The connection that empties this database, opened again where its test stopped PostgreSQL."""
        try:
            self._connections[name].execute("SELECT")
        except (KeyError, psycopg.Error):
            self.disconnect(name)
            self._connections[name] = self.postgres.connect(name)
        return self._connections[name]


def _schema(connection: psycopg.Connection[Any]) -> str:
    row = connection.execute(_SCHEMA).fetchone()
    assert row is not None
    return str(row[0])


def _copied(connection: psycopg.Connection[Any], table: str) -> bytes:
    with connection.cursor().copy(f'COPY "{table}" TO STDOUT') as copy:
        return b"".join(bytes(part) for part in copy)


def _restarts(connection: psycopg.Connection[Any]) -> list[str]:
    sequences = connection.execute("SELECT relname FROM pg_class WHERE relkind = 'S' AND oid >= 16384")
    statements = []
    for (name,) in sequences.fetchall():
        ((value, is_called),) = connection.execute(f'SELECT last_value, is_called FROM "{name}"').fetchall()
        statements.append(f"SELECT setval('\"{name}\"', {value}, {is_called})")
    return statements


def _has_others(connection: psycopg.Connection[Any]) -> bool:
    """Whether something is connected still that a test has left."""
    deadline = time.monotonic() + CLOSED_WITHIN_S
    query = (
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid != pg_backend_pid() AND backend_type = 'client backend'"
    )
    while connection.execute(query).fetchone() != (0,):
        if time.monotonic() > deadline:
            return True
        time.sleep(0.002)
    return False
