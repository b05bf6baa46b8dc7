"""PostgreSQL: settings from the cell, data in memory, in the container's layer or on a volume."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.topology.deployment import ServerSpec
from backend.core.workload import pgbench
from backend.core.workload.services.model import SOCKETS, Listen, Service
from backend.core.workload.target import Target

PORT = 5432
MAX_CONNECTIONS = 300
UNITS = {
    "shared_buffers_mb": ("shared_buffers", "MB"),
    "work_mem_kb": ("work_mem", "kB"),
    "maintenance_work_mem_mb": ("maintenance_work_mem", "MB"),
    "effective_cache_size_mb": ("effective_cache_size", "MB"),
    "wal_buffers_mb": ("wal_buffers", "MB"),
    "max_wal_size_mb": ("max_wal_size", "MB"),
}


def settings(spec: ServerSpec) -> dict[str, str]:
    """The server's settings by PostgreSQL's own names."""
    sized = {ours: f"{spec.setting(name)}{unit}" for name, (ours, unit) in UNITS.items()}
    return {
        "max_connections": str(MAX_CONNECTIONS),
        "fsync": "on" if spec.setting("fsync") else "off",
        # The value of pdxpug-2014; 0.9 has been the default since version 14.
        "checkpoint_completion_target": "0.7",
        **sized,
    }


def _command(spec: ServerSpec, listen: Listen) -> tuple[str, ...]:
    given = {"port": str(listen.port), **settings(spec)}
    return ("serve-postgres", *(part for name, value in given.items() for part in ("-c", f"{name}={value}")))


def _environment(_spec: ServerSpec, listen: Listen) -> Mapping[str, str]:
    return {"SOCKETS": SOCKETS} if listen.socket else {}


def _ready(target: Target) -> tuple[str, ...]:
    """A query: an open port does not show that PostgreSQL accepts queries."""
    host = target.socket or target.address
    return ("psql", "-h", host, "-p", str(target.port), "-U", pgbench.USER, "-Atc", "select 1", "postgres")


SERVICE = Service(
    name="postgres",
    port=PORT,
    command=_command,
    ready=_ready,
    replied=lambda code, output: (code, output) == (0, "1\n"),
    environment=_environment,
    socket=SOCKETS,
    socket_file=f"{SOCKETS}/.s.PGSQL.{PORT}",
)
