"""pgbench's tables as a cell's server needs them, before the first round and before each that writes.

The worker runs the same commands; a test compares the two.
"""

from __future__ import annotations

from backend.core.workload import pgbench
from backend.core.workload.target import Target

Commands = tuple[tuple[str, ...], ...]


def fill(scale: int, target: Target) -> Commands:
    """The commands that create and fill the tables of one scale, in the server's container."""
    name = pgbench.database(scale)
    return (
        (
            *("psql", *_connection(target), "-qc", f"drop database if exists {name}"),
            *("-c", f"create database {name}", "postgres"),
        ),
        pgbench.initialise(scale, target),
        ("psql", *_connection(target), "-qc", "vacuum (freeze, analyze)", "-c", "checkpoint", name),
    )


def vacuum(scale: int, target: Target) -> Commands:
    """The commands before a round that writes: pgbench's own vacuum, and a checkpoint."""
    name = pgbench.database(scale)
    return tuple(
        ("psql", *_connection(target), "-qc", words, name)
        for words in (
            "vacuum pgbench_branches",
            "vacuum pgbench_tellers",
            "truncate pgbench_history",
            "checkpoint",
        )
    )


def _connection(target: Target) -> tuple[str, ...]:
    return ("-h", target.socket or target.address, "-p", str(target.port), "-U", pgbench.USER)
