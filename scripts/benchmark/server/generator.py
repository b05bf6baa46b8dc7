"""Fills an empty database with teams, experiments, runs and trials by COPY; the same database each time."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import psycopg

from backend.core.definition.canonical import canonical, digest
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import run_entries
from scripts.benchmark.server.documents import HOSTS, RUNS_OF_EACH, TEAMS, Planned
from scripts.benchmark.server.rows import COLUMNS, Made, Rows, Writer

VERSION: Final = 2
"""Of the generated data: a database of another version is refused."""
NOTE: Final = "generated.json"
FIRST: Final = datetime(2025, 7, 1, tzinfo=UTC)
EVERY: Final = timedelta(minutes=72)
"""From one run to the next: 10,000 runs are made in 500 days."""
BATCH: Final = 50
"""Runs of one COPY."""

# Nobody started these runs; verdicts that were due would be computed during the measurement.
_ENTRIES: Final = f"""
    INSERT INTO run_entry (run_id, team_id, created_at, searchable, terms)
    SELECT r.id, r.team_id, r.created_at, {run_entries.SEARCHABLE}, {run_entries.TERMS}
      FROM run r {run_entries.JOINED}
     CROSS JOIN (SELECT '' AS author, CAST('{{}}' AS text[]) AS verdict_terms) a
"""

Connection = psycopg.Connection[tuple[object, ...]]


def is_generated(var: Path) -> bool:
    """Whether the database is complete. Raises SystemExit for one of another version."""
    note = var / NOTE
    if not note.exists():
        return False
    if json.loads(note.read_text())["version"] != VERSION:
        raise SystemExit(f"{var} has a database of another version: remove it with --remove")
    return True


def generate(
    connect: Callable[[], Connection],
    say: Callable[[str], None],
    planned: Sequence[Planned],
    turns: int = RUNS_OF_EACH,
) -> None:
    """Write everything through connections of the superuser: `turns` runs of each experiment."""
    with connect() as connection:
        # Rows come in an order in which every reference exists; nothing is left for the triggers to do.
        connection.execute("SET session_replication_role = replica")
        connection.execute("TRUNCATE experiment, run, host, account, membership CASCADE")
        connection.execute("DELETE FROM team WHERE id <> %s", [DEFAULT_TEAM])
        ids = _small_tables(connection, planned)
        connection.commit()
        _runs(connection, planned, ids, turns, say)
        connection.execute(_ENTRIES.encode())
    say("vacuum and statistics")
    with connect() as connection:
        connection.autocommit = True
        connection.execute("VACUUM (ANALYZE)")
        connection.execute("CHECKPOINT")


def note_complete(var: Path) -> None:
    """Note that the database is complete; without the note it is made again."""
    (var / NOTE).write_text(json.dumps({"version": VERSION}) + "\n")


def sizes(connect: Callable[[], Connection]) -> dict[str, Any]:
    """The number of rows of the large tables, and the megabytes of the database."""
    with connect() as connection:
        found: dict[str, Any] = {
            name: _one(connection, f"SELECT count(*) FROM {name}") for name in ("run", "trial", "result")
        }
        found["database_mb"] = round(_one(connection, "SELECT pg_database_size(current_database())") / 1e6)
    return found


def _one(connection: Connection, query: str) -> Any:
    row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


def _small_tables(connection: Connection, planned: Sequence[Planned]) -> list[str]:
    """Write teams, hosts and experiments; returns the ids of the experiments."""
    for team_id, name in TEAMS.items():
        connection.execute(
            "INSERT INTO team (id, name) VALUES (%s, %s) ON CONFLICT (id) DO NOTHING", [team_id, name]
        )
    for host_id, name in HOSTS:
        connection.execute(
            "INSERT INTO host (id, name, capabilities, environment, last_seen_at)"
            " VALUES (%s, %s, '{}', '{}', clock_timestamp())",
            [host_id, name],
        )
    writer, ids = Writer(seed=0), []
    for one in planned:
        ids.append(writer.new_id("exp"))
        document = canonical(one.experiment)
        connection.execute(
            "INSERT INTO experiment (id, team_id, name, title, definition, digest, created_at)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s)",
            [ids[-1], one.team_id, document["name"], document["title"], json.dumps(document),
             digest(one.experiment), FIRST],
        )  # fmt: skip
    return ids


def _runs(
    connection: Connection, planned: Sequence[Planned], ids: list[str], turns: int, say: Callable[[str], None]
) -> None:
    writer = Writer()
    total = len(planned) * turns
    for begin in range(0, total, BATCH):
        rows: Rows = defaultdict(list)
        for number in range(begin, min(begin + BATCH, total)):
            turn, of = divmod(number, len(planned))
            writer.run(Made(planned[of], ids[of], number, turn, FIRST + number * EVERY), rows)
        for table, columns in COLUMNS.items():
            with connection.cursor().copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
                copy.write("".join(rows[table]))
        connection.commit()
        if (done := begin + BATCH) % 1000 == 0:
            say(f"{done} of {total} runs")
