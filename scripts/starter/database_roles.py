"""The database's roles, as its superuser creates them; what each may do is in `backend.store.grants`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg import sql

from backend.store import grants

FORMER_OWNER = "plimsoll"
"""The only role of earlier releases, which API and worker shared."""
USERS_OF_LOCKS = (grants.API, grants.MIGRATE)
_LOCKS = r"^pg_(try_)?advisory_"
_WRITERS = r"^(lo_(creat|create|from_bytea|import|put)|lowrite|pg_logical_emit_message)$"
"""Functions of PostgreSQL that everybody may call, with which a role that may only read fills the disk."""
_LIMITS = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"

Connection = psycopg.Connection[tuple[Any, ...]]


def create_roles(connection: Connection, passwords: Mapping[str, str]) -> None:
    """Create missing roles and set every role's password; the server gets only its SCRAM verifier."""
    for role in grants.ROLES:
        verb = "ALTER" if _exists(connection, "pg_roles", "rolname", role) else "CREATE"
        encrypted = connection.pgconn.encrypt_password(
            passwords[role].encode(), role.encode(), b"scram-sha-256"
        )
        statement = sql.SQL("{} ROLE {} {} PASSWORD {}").format(
            sql.SQL(verb), sql.Identifier(role), sql.SQL(_LIMITS), sql.Literal(encrypted.decode())
        )
        connection.execute(statement)


def create_database(connection: Connection, name: str) -> None:
    """Create the database where it is missing; the role of migrations owns it."""
    database, owner = sql.Identifier(name), sql.Identifier(grants.MIGRATE)
    if not _exists(connection, "pg_database", "datname", name):
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(database, owner))
    connection.execute(sql.SQL("ALTER DATABASE {} OWNER TO {}").format(database, owner))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
    users = sql.SQL(", ").join(map(sql.Identifier, grants.ROLES))
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, users))


def hand_over(connection: Connection) -> None:
    """Give the schema to the role of migrations, with what the role of earlier releases owns."""
    owner = sql.Identifier(grants.MIGRATE)
    connection.execute(sql.SQL("ALTER SCHEMA public OWNER TO {}").format(owner))
    close_functions(connection)
    if _exists(connection, "pg_roles", "rolname", FORMER_OWNER):
        former = sql.Identifier(FORMER_OWNER)
        connection.execute(sql.SQL("REASSIGN OWNED BY {} TO {}").format(former, owner))
        connection.execute(sql.SQL("ALTER ROLE {} NOSUPERUSER NOLOGIN").format(former))


def close_functions(connection: Connection) -> None:
    """Take from all roles PostgreSQL's own functions that write large objects or log, and those that lock.

    Locks stay with the roles that use them: with a key that somebody else holds, they would wait for good.
    """
    users = sql.SQL(", ").join(map(sql.Identifier, USERS_OF_LOCKS))
    for pattern, granted in ((_WRITERS, False), (_LOCKS, True)):
        query = """
            SELECT oid::regprocedure::text FROM pg_proc
            WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ %s
        """
        for (name,) in connection.execute(query, (pattern,)).fetchall():
            function = sql.SQL(name)
            connection.execute(sql.SQL("REVOKE EXECUTE ON FUNCTION {} FROM PUBLIC").format(function))
            if granted:
                connection.execute(sql.SQL("GRANT EXECUTE ON FUNCTION {} TO {}").format(function, users))


def _exists(connection: Connection, catalog: str, column: str, name: str) -> bool:
    query = sql.SQL("SELECT 1 FROM {} WHERE {} = %s").format(sql.Identifier(catalog), sql.Identifier(column))
    return connection.execute(query, (name,)).fetchone() is not None
