"""The private PostgreSQL: data below var/, no TCP, one socket for root, its own user and the API."""

from __future__ import annotations

import os
import re
import shutil
import signal
from pathlib import Path

import psycopg

from backend.store import grants
from backend.store.role_url import DATABASE
from scripts.starter.database_roles import create_database, create_roles, hand_over
from scripts.starter.layout import Layout
from scripts.starter.once import run_once
from scripts.starter.private import write_private
from scripts.starter.processes import Service
from scripts.starter.sandbox import DATA, Account, account, api_uid, as_user, own_directory
from scripts.starter.secret_files import secret
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Refusal
from scripts.starter.time_limits import limit

INSTALLED = Path("/usr/lib/postgresql")
INITDB_LIMIT = 120.0
READY_LIMIT = 60.0

HBA = f"""\
local all postgres peer map=plimsoll
local {DATABASE} {",".join(grants.ROLES)} scram-sha-256
local all all reject
"""
IDENT = "plimsoll root postgres\nplimsoll postgres postgres\n"
# For a host that measures: small, little background work, durable.
_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0777",  # its directory lets root and the API in
    "password_encryption": "scram-sha-256",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "jit": "off",
    "log_line_prefix": "",
    "log_checkpoints": "off",
}


def binaries(data: Path, installed: Path = INSTALLED) -> Path:
    """The bin directory of the newest installed major, or of the one that created `data`."""
    majors = {
        int(d.name): d / "bin"
        for d in installed.glob("*")
        if d.name.isdigit() and (d / "bin/postgres").exists()
    }
    version = data / "PG_VERSION"
    if version.exists():
        wanted = int(version.read_text())
        if wanted not in majors:
            raise Refusal(f"{data} was created by PostgreSQL {wanted}, which is no longer installed")
        return majors[wanted]
    if not majors:
        raise Refusal(f"no PostgreSQL server is installed below {installed}")
    return majors[max(majors)]


class Postgres:
    """One PostgreSQL server of this installation."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._data = layout.var / "postgres"
        self._user: Account = account("postgres")

    def prepare(self, stop: Stop) -> bool:
        """Create directories and, once, the cluster; returns whether it is new. Raises Refusal."""
        own_directory(self._layout.postgres_socket, self._user, 0o710, api_uid(self._layout.install_id))
        fresh = not (self._data / "PG_VERSION").exists()
        if fresh:
            self._initialise(stop)
        own_directory(self._data, self._user)
        for name, text in (("pg_hba.conf", HBA), ("pg_ident.conf", IDENT)):
            write_private(self._data / name, text.encode(), (self._user.uid, self._user.gid))
        return fresh

    def _initialise(self, stop: Stop) -> None:
        """Run initdb in another folder, then rename it: an interruption leaves no incomplete cluster."""
        shutil.rmtree(self._data, ignore_errors=True)
        new = self._data.with_name("postgres.new")
        shutil.rmtree(new, ignore_errors=True)
        own_directory(new, self._user)
        initdb = str(binaries(new) / "initdb")
        options = (
            "--username=postgres",
            "--auth=peer",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-instructions",
        )
        argv = as_user(self._user, new, (initdb, "-D", DATA, *options), signal.SIGKILL)
        run_once("initdb", argv, _environment(), self._layout.logs / "postgres.log", INITDB_LIMIT, stop=stop)
        new.rename(self._data)

    def service(self) -> Service:
        """The server; SIGINT is PostgreSQL's fast shutdown, which does not wait for clients."""
        settings = _SETTINGS | {"unix_socket_directories": str(self._layout.postgres_socket)}
        options = tuple(part for name, value in settings.items() for part in ("-c", f"{name}={value}"))
        server = (str(binaries(self._data) / "postgres"), "-D", DATA, *options)
        return Service(
            name="postgres",
            argv=as_user(self._user, self._data, server, signal.SIGINT),
            environment=_environment(),
            ready=self.answers,
            ready_limit=READY_LIMIT,
            stop_signal=signal.SIGINT,
            stop_limit=30.0,
            orphan_signal=None,
            important=re.compile(
                r"\b(FATAL|PANIC):(?!.*(starting up|shutting down|due to administrator command))"
            ),
        )

    def _connect(self, database: str) -> psycopg.Connection[tuple[object, ...]]:
        socket = str(self._layout.postgres_socket)
        return psycopg.connect(
            host=socket, user="postgres", dbname=database, autocommit=True, connect_timeout=round(limit(2))
        )

    def answers(self) -> bool:
        """Whether it answers a query."""
        try:
            with self._connect("postgres") as connection:
                return connection.execute("SELECT 1").fetchone() == (1,)
        except psycopg.Error:
            return False

    def revision(self) -> str | None:
        """The revision of the database's schema; None where it has no schema yet."""
        with self._connect(DATABASE) as connection:
            exists = connection.execute("SELECT to_regclass('public.alembic_version')").fetchone()
            if exists is None or exists[0] is None:
                return None
            row = connection.execute("SELECT version_num FROM public.alembic_version").fetchone()
            return None if row is None else str(row[0])

    def ensure_database(self) -> None:
        """Create the database where it is missing; give its roles their passwords and their schema."""
        with self._connect("postgres") as connection:
            passwords = {role: secret(self._layout.secrets, role) for role in grants.ROLES}
            create_roles(connection, passwords)
            create_database(connection, DATABASE)
        with self._connect(DATABASE) as connection:
            hand_over(connection)


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin:/usr/sbin:/sbin"), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
