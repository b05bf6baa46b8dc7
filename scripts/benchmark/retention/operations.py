"""What the queue, the lists and the deletion cost in a database: milliseconds, and blocks that they touch."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from backend.core.plan.claimed import ClaimedTrial
from backend.core.plan.model import Cell
from backend.core.plan.stored import to_store
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import (
    aa_pairs,
    deletion,
    figures,
    hosts,
    other_runs,
    result_rows,
    retention,
    run_view,
    runs,
    trials,
    usage,
)
from scripts.benchmark.server.documents import Planned
from scripts.benchmark.server.records import Attempt, record

REPEATS: Final = 15
HOST: Final = "rack-live"
LOADS: Final = (("pgbench", "postgres"),)
METRIC: Final = "tps"
_BLOCKS: Final = text("""
    WITH own AS (
        SELECT oid, reltoastrelid FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')),
    every AS (
        SELECT oid FROM own
        UNION SELECT reltoastrelid FROM own WHERE reltoastrelid <> 0
        UNION SELECT indexrelid FROM pg_index JOIN own ON reltoastrelid = indrelid)
    SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0)::bigint FROM every
""")
"""The blocks of the tables that this transaction has read so far, from memory or from disk."""
_ENDED: Final = text("""
    SELECT id, host_id FROM run
     WHERE finished_at IS NOT NULL AND team_id = :team ORDER BY md5(id || :turn) LIMIT 1
""")
_EXPERIMENT: Final = text("SELECT id FROM experiment WHERE team_id = :team LIMIT 1")
_TRIALS: Final = text("SELECT count(*) FROM trial WHERE run_id = :id")
_JUST_ENDED: Final = (
    text("UPDATE run SET finished_at = clock_timestamp() WHERE id = :id"),
    text(
        "UPDATE trial SET started_at = clock_timestamp(), finished_at = clock_timestamp() WHERE run_id = :id"
    ),
)

Figures = dict[str, dict[str, float]]
Measured = tuple[str, float, int]


def measure(url: str, planned: Planned, repeats: int = REPEATS) -> Figures:
    """The median of each operation; every transaction is rolled back, so that the database stays as it is."""
    engine = create_engine(url, poolclass=NullPool)
    with Session(engine) as session:
        experiment = session.execute(_EXPERIMENT, {"team": DEFAULT_TEAM}).scalar_one()
    times: dict[str, list[float]] = defaultdict(list)
    blocks: dict[str, list[int]] = defaultdict(list)
    for turn in range(repeats):
        for part in (_queue, _reads, _deletion):
            with Session(engine) as session:
                for name, ms, touched in part(session, planned, experiment, turn):
                    times[name].append(ms)
                    blocks[name].append(touched)
                session.rollback()
    engine.dispose()
    return {
        name: {
            "median_ms": round(statistics.median(found), 2),
            "max_ms": round(max(found), 2),
            "blocks": round(statistics.median(blocks[name])),
        }
        for name, found in times.items()
    }


def _timed(session: Session, name: str, work: Callable[[], object]) -> Measured:
    before = session.execute(_BLOCKS).scalar_one()
    began = time.perf_counter()
    work()
    session.flush()
    ms = (time.perf_counter() - began) * 1000
    return name, ms, session.execute(_BLOCKS).scalar_one() - before


def _queue(session: Session, planned: Planned, experiment: str, turn: int) -> Iterator[Measured]:
    """A new run, and the life of its first trial."""
    host = hosts.announce(session, HOST, {}, {})
    rows = [
        {"cell_id": trial.cell_id, "round": trial.round, "position": trial.position, "seq": trial.seq,
         "levels": next(cell.levels for cell in planned.plan.cells if cell.id == trial.cell_id)}
        for trial in planned.plan.trials
    ]  # fmt: skip
    plan = to_store(planned.plan)
    yield _timed(session, "queue a run", lambda: runs.create(session, experiment, host, plan, rows))
    claimed: list[ClaimedTrial] = []

    def claim() -> None:
        found = trials.claim(session, host, "bench")
        assert found is not None
        claimed.append(found)

    yield _timed(session, "claim", claim)
    trial = claimed[0]
    yield _timed(session, "heartbeat", lambda: trials.heartbeat(session, trial.trial_id, trial.fence))
    cell = Cell(trial.cell_id, "", trial.levels, False, False, None, None)
    attempt = Attempt(trial.trial_id, cell, "", datetime.now(UTC), {}, 1.0)
    payload = record(attempt, Random(turn)) | {"fence": 1}
    yield _timed(
        session, "record", lambda: trials.record(session, trial.trial_id, trial.fence, payload, "0", None)
    )


def _reads(session: Session, planned: Planned, experiment: str, turn: int) -> Iterator[Measured]:
    """What pages, limits and the next plan read."""
    run = session.execute(_ENDED, {"team": DEFAULT_TEAM, "turn": str(turn)}).one()
    works: dict[str, Callable[[], Any]] = {
        "list of runs, first page": lambda: runs.page(session, DEFAULT_TEAM, 50, None),
        "list of runs, from a run of any age": lambda: runs.page(session, DEFAULT_TEAM, 50, run.id),
        "run": lambda: run_view.read_views(session, [run.id]),
        "result of a run": lambda: result_rows.read(session, run.id),
        "use of the quotas": lambda: usage.read(session, DEFAULT_TEAM),
        "pairs of the A/A check": lambda: aa_pairs.newest(session, run.host_id, METRIC, LOADS),
        "other runs of the experiment": lambda: other_runs.other_runs(session, [run.id]),
        "figures for monitoring": lambda: figures.read(session),
        "preview of a retention": lambda: retention.preview(session, DEFAULT_TEAM, 90),
    }
    for name, work in works.items():
        yield _timed(session, name, work)
    for statement in _JUST_ENDED:
        session.execute(statement, {"id": run.id})
    yield _timed(session, "use of the quotas, a run ended today", lambda: usage.read(session, DEFAULT_TEAM))
    retention.set_days(session, DEFAULT_TEAM, 36_000)
    yield _timed(session, "runs that are due, none is", lambda: retention.due(session, 20))
    retention.set_days(session, DEFAULT_TEAM, 1)
    yield _timed(session, "runs that are due, most are", lambda: retention.due(session, 20))


def _deletion(session: Session, planned: Planned, experiment: str, turn: int) -> Iterator[Measured]:
    """The deletion of one run, per 100 trials."""
    run = session.execute(_ENDED, {"team": DEFAULT_TEAM, "turn": str(turn)}).one()
    number = session.execute(_TRIALS, {"id": run.id}).scalar_one()
    name, ms, blocks = _timed(
        session, "deletion, of 100 trials", lambda: deletion.delete_run(session, run.id)
    )
    yield name, ms * 100 / number, round(blocks * 100 / number)
