"""Measures a generated database while it grows, then deletes from it and gives the space back."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import psycopg

from backend.store import compaction, grants
from backend.store.repositories import deletion
from backend.store.session import session_scope
from scripts.benchmark.retention import sizes
from scripts.benchmark.retention.grow import grow
from scripts.benchmark.retention.operations import measure as operations
from scripts.benchmark.server import generator
from scripts.benchmark.server.documents import experiments
from scripts.benchmark.server.installation import Installation, services

FOLDER: Final = "retention"
"""Below var/bench: the installation with the database, which is removed at the end."""
TURNS: Final = 5
"""Runs of each experiment that the generator makes: 1,000 runs with 100,000 trials."""
COPIES: Final = (0, 9)
"""How many times these runs were copied at each measurement: 100,000 and 1,000,000 trials."""
DELETED: Final = 5
"""One run of so many is deleted."""
_SOCKET: Final = "postgresql+psycopg://postgres@/plimsoll?host={}"

Say = Callable[[str], None]


def measure(root: Path, var: Path, say: Say) -> dict[str, Any]:
    """Sizes, the cost of queries at each size, compression, and what deletion gives back."""
    planned = list(experiments())
    small = planned[60]  # 80 trials
    with services(root, var) as installation:
        generator.generate(installation.superuser, say, planned, TURNS)
        url = _SOCKET.format(installation.layout.postgres_socket)
        found: dict[str, Any] = {"queries": {}, "compression": sizes.compression(installation.superuser)}
        begin = 1
        for copies in COPIES:
            say(f"{(copies + 1) * 100_000:,} trials")
            _grow(installation, range(begin, copies + 1))
            begin = copies + 1
            if not copies:
                found["bytes_of_a_trial"] = sizes.of_a_trial(installation.superuser)
            found["queries"][(copies + 1) * 100_000] = operations(url, small)
        say(f"deletion of one run of {DELETED}")
        found["deletion"] = _deletion(installation, say)
        return found


def _grow(installation: Installation, copies: range) -> None:
    with installation.superuser() as connection:
        grow(connection, copies)
    _vacuum(installation.superuser)


def _vacuum(connect: Callable[[], psycopg.Connection[tuple[object, ...]]]) -> float:
    began = time.perf_counter()
    with connect() as connection:
        connection.autocommit = True
        connection.execute("VACUUM (ANALYZE)")
    return round(time.perf_counter() - began, 1)


def _deletion(installation: Installation, say: Say) -> dict[str, Any]:
    """Seconds and megabytes of the deletion, of VACUUM and of the compaction."""
    with installation.superuser() as connection:
        rows = connection.execute(
            "SELECT id, (SELECT count(*) FROM trial t WHERE t.run_id = r.id) FROM run r"
        )
        chosen = rows.fetchall()[::DELETED]
    before, began = sizes.megabytes(installation.superuser), time.perf_counter()
    for run_id, _ in chosen:
        with session_scope(installation.settings(grants.API)) as session:
            deletion.delete_run(session, str(run_id))
    spent = time.perf_counter() - began
    vacuum_s = _vacuum(installation.superuser)
    after_vacuum, began = sizes.megabytes(installation.superuser), time.perf_counter()
    compaction.compact(installation.settings(grants.MIGRATE), say)
    return {
        "runs": len(chosen),
        "trials": sum(int(str(trials)) for _, trials in chosen),
        "seconds": round(spent, 1),
        "vacuum_s": vacuum_s,
        "compaction_s": round(time.perf_counter() - began, 1),
        "mb_before": before,
        "mb_after_vacuum": after_vacuum,
        "mb_after_compaction": sizes.megabytes(installation.superuser),
    }
