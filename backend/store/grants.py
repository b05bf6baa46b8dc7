"""Which database role may do what: applied after every migration, and complete for every table.

`plimsoll_migrate` owns the schema. API, worker and readers log in with roles of their own, none of which owns
a table or may change the schema. A worker may read no account and no secret, and change only the columns
that its trial queue changes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, inspect, text

API: Final = "plimsoll_api"
WORKER: Final = "plimsoll_worker"
READONLY: Final = "plimsoll_readonly"
MIGRATE: Final = "plimsoll_migrate"
ROLES: Final = (API, WORKER, READONLY, MIGRATE)

_ALL: Final = "SELECT, INSERT, UPDATE, DELETE"
_APPEND: Final = "SELECT, INSERT"


@dataclass(frozen=True)
class Access:
    """Privileges on one table, as GRANT spells them; an empty text is none.

    `worker_updates` are the columns that a worker may change.
    """

    api: str = _ALL
    worker: str = ""
    worker_updates: tuple[str, ...] = ()
    readonly: str = "SELECT"


_RUN: Final = ("state", "next_look", "environment", "started_at", "finished_at", "stored_bytes")
_TRIAL: Final = (
    *("state", "fence", "attempts", "worker", "lease_until"),
    *("failure_code", "failure_detail", "quality", "started_at", "finished_at"),
)
_HOST: Final = (
    *("capabilities", "environment", "conditions", "imported", "last_seen_at"),
    *("disk", "clock", "release", "protocol", "install_id", "measured"),
)

_SESSION: Final = (
    *("fence", "server_host_id", "client_host_id", "phase", "document", "reason"),
    *("server_seen_at", "client_seen_at", "created_at"),
)

_PROFILE: Final = ("state", "attempts", "reason_code", "reason", "profile", "ended_at")

TABLES: Final = {
    "experiment": Access(worker="SELECT"),
    "run": Access(worker="SELECT", worker_updates=_RUN),
    "run_group": Access(),
    "trial": Access(worker="SELECT", worker_updates=_TRIAL),
    "attempt": Access(api=_APPEND, worker=_APPEND),
    "event": Access(worker=_APPEND),
    "result": Access(worker=_APPEND),
    "cell_profile": Access(worker=_APPEND, worker_updates=_PROFILE),
    # What a side says in a phase may be a secret.
    "client_session": Access(worker=_APPEND, worker_updates=_SESSION, readonly=""),
    "derived": Access(),
    "derived_of_group": Access(),
    "derived_of_history": Access(),
    "history_change": Access(),
    "schedule": Access(),
    "schedule_start": Access(),
    "history_seen": Access(readonly=""),
    "exclusion": Access(api=_APPEND, worker="SELECT"),
    "run_entry": Access(),
    "home_visit": Access(readonly=""),
    "library_view": Access(readonly=""),
    "run_star": Access(readonly=""),
    "experiment_star": Access(readonly=""),
    "host": Access(worker=_APPEND, worker_updates=_HOST),
    "share": Access(readonly=""),
    "idempotency_key": Access(readonly=""),
    "webhook": Access(readonly=""),
    "webhook_delivery": Access(readonly=""),
    "webhook_attempt": Access("SELECT, INSERT, DELETE", readonly=""),
    # A worker that ends a run adds a row and reads none.
    "run_end": Access(worker="INSERT"),
    "alembic_version": Access(api="SELECT", worker="SELECT"),
    # Accounts: of no concern to a worker, and secrets to readers.
    "team": Access(),
    "team_quota": Access(),
    "account": Access(readonly=""),
    "membership": Access(),
    "browser_session": Access(readonly=""),
    "api_token": Access(readonly=""),
    "one_time_link": Access(readonly=""),
    "device_authorization": Access(readonly=""),
    "external_identity": Access(readonly=""),
    "second_factor": Access(readonly=""),
    "password_failure": Access(readonly=""),
    "enrolment": Access(readonly=""),
    "host_token": Access(readonly=""),
    "audit": Access(api=_APPEND, readonly="SELECT"),
}
"""Every table; a test compares it with the schema."""


MAKE_UP: Final = "queue_make_up(text, text[], text[], integer[], integer[], integer[])"
"""The function that queues make-up trials of a run: a worker may insert no trial by itself."""


def apply(connection: Connection, only: Collection[str] | None = None) -> None:
    """Give the roles exactly these privileges on the tables that exist, or on some of them.

    A database without roles is left as it is.
    """
    if set(_existing_roles(connection)) != set(ROLES):
        return
    users = ", ".join((API, WORKER, READONLY))
    connection.execute(text("REVOKE ALL ON SCHEMA public FROM PUBLIC"))
    connection.execute(text(f"GRANT USAGE ON SCHEMA public TO {users}"))
    schema = inspect(connection)
    for table in schema.get_table_names() if only is None else only:
        connection.execute(text(f'REVOKE ALL ON "{table}" FROM PUBLIC, {users}'))
        access = TABLES.get(table, Access("", "", (), ""))
        columns = {column["name"] for column in schema.get_columns(table)}
        updates = ", ".join(name for name in access.worker_updates if name in columns)
        for role, privileges in (
            (API, access.api),
            (WORKER, access.worker),
            (WORKER, f"UPDATE ({updates})" if updates else ""),
            (READONLY, access.readonly),
        ):
            if privileges:
                connection.execute(text(f'GRANT {privileges} ON "{table}" TO {role}'))
    if connection.scalar(text("SELECT to_regprocedure(:name)"), {"name": MAKE_UP}) is not None:
        connection.execute(text(f"GRANT EXECUTE ON FUNCTION {MAKE_UP} TO {API}, {WORKER}"))


def _existing_roles(connection: Connection) -> list[str]:
    query = text("SELECT rolname FROM pg_roles WHERE rolname = ANY(:names)")
    return list(connection.execute(query, {"names": list(ROLES)}).scalars())
