"""The threads of processes, read from /proc: CPU, context switches and names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from backend.core.sample.record import Role

_POSTGRES = "postgres: "
_POSTGRES_OWN = (
    "archiver",
    "autovacuum launcher",
    "autovacuum worker",
    "background writer",
    "checkpointer",
    "io worker",
    "logger",
    "logical replication launcher",
    "startup",
    "walsender",
    "walwriter",
)
"""Titles of PostgreSQL's processes that are not a client's backend (ps_status.c)."""


@dataclass(frozen=True)
class Task:
    """One thread: CPU so far in nanoseconds, and context switches of both kinds.

    `lived_s` is the lifetime of a thread that has ended; None while it runs.
    """

    role: Role
    process: int
    thread: int
    name: str
    cpu_ns: int
    switches: int
    lived_s: float | None = None


def tasks_of(role: Role, pid: int) -> Iterator[Task]:
    """Every thread of a process now; none when it has ended."""
    name = ""
    try:
        entries = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - the hot path: Path costs as much as the read
        for entry in entries:
            base = f"/proc/{pid}/task/{entry}"
            cpu_ns = int(_read(f"{base}/schedstat").split(b" ", 1)[0])
            status = _read(f"{base}/status")
            if not name:
                comm = status.split(b"\n", 1)[0].partition(b"\t")[2].decode(errors="replace")
                name = title(comm, _read(f"/proc/{pid}/cmdline").decode(errors="replace"))
            yield Task(role, pid, int(entry), name, cpu_ns, switches_in(status))
    except (OSError, ValueError):  # it ended while it was read
        return


def switches_in(status: bytes) -> int:
    """/proc/PID/task/TID/status: voluntary and involuntary context switches together."""
    at = status.rfind(b"\nvoluntary_ctxt_switches:")
    lines = status[at:].split(b"\n")
    return int(lines[1].partition(b"\t")[2]) + int(lines[2].partition(b"\t")[2])


def title(comm: str, cmdline: str = "") -> str:
    """The shown name of a process: "nginx worker", "postgres backend", or its program's name."""
    if cmdline.startswith("nginx: "):
        return f"nginx {cmdline.removeprefix('nginx: ').split(' ', 1)[0]}"
    if comm == "postgres" and cmdline.startswith(_POSTGRES):
        role = cmdline.removeprefix(_POSTGRES)
        return next((f"postgres {own}" for own in _POSTGRES_OWN if role.startswith(own)), "postgres backend")
    return comm


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 4096)
    finally:
        os.close(descriptor)
