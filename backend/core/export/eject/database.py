"""pgbench's tables as a cell's server needs them, before the first round and before each that writes.

The worker does the same in its deployment; a test holds the two against each other.
"""

from __future__ import annotations

from backend.core.workload import pgbench
from backend.core.workload.target import Target

Commands = tuple[tuple[str, ...], ...]


def fill(scale: int, target: Target) -> Commands:
    """Make and fill the tables of one scale, from beside the server."""
    name = pgbench.database(scale)
    return (
        (
            *("psql", *_place(target), "-qc", f"drop database if exists {name}"),
            *("-c", f"create database {name}", "postgres"),
        ),
        pgbench.initialise(scale, target),
        ("psql", *_place(target), "-qc", "vacuum (freeze, analyze)", "-c", "checkpoint", name),
    )


def tidy(scale: int, target: Target) -> Commands:
    """Before a round that writes: what pgbench's own vacuum does, and a checkpoint."""
    name = pgbench.database(scale)
    return tuple(
        ("psql", *_place(target), "-qc", words, name)
        for words in (
            "vacuum pgbench_branches",
            "vacuum pgbench_tellers",
            "truncate pgbench_history",
            "checkpoint",
        )
    )


def _place(target: Target) -> tuple[str, ...]:
    return ("-h", target.socket or target.address, "-p", str(target.port), "-U", pgbench.USER)
