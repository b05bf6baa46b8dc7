"""The time to the worker's next trial after an outage of Redis.

A private PostgreSQL and Redis, and the real worker process with trials of half a second that measure nothing.
Redis is stopped for each of the durations during a run; a second run is submitted in each outage, and its
message is lost.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import text

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.submitted import validate_document
from backend.queue import make_celery, wake
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import experiments, hosts, runs
from backend.store.session import session_scope
from tests.services import PostgresServer, RedisServer, migrate

DURATIONS_S: Final = (1, 2, 5, 12, 30, 60, 120)
PASSES: Final = 3
LIMIT_S: Final = 10.0
"""The limit from the return of Redis to the next trial."""
WAIT_S: Final = 60.0
DOCUMENT: Final = {
    "name": "outages",
    "title": "Outages",
    "rounds": 2,
    "factors": {"path": ["same_container", "published_loopback"]},
    "baseline": {"path": "same_container"},
}
HOST: Final = "bench-outages"
ENDED: Final = "SELECT count(*) FROM trial WHERE state = 'failed'"
LAST: Final = """SELECT extract(epoch FROM max(started_at)) FROM trial"""
GAPS: Final = """
    SELECT max(gap) FROM (SELECT extract(epoch FROM started_at - lag(started_at) OVER (ORDER BY started_at))
                            AS gap, started_at FROM trial WHERE started_at IS NOT NULL) g
     WHERE started_at >= to_timestamp(:since)
"""
FIRST_AFTER: Final = """
    SELECT extract(epoch FROM min(started_at)) FROM trial WHERE started_at >= to_timestamp(:since)
"""
BEGUN: Final = "SELECT extract(epoch FROM min(started_at)) FROM trial WHERE run_id = :run"


@dataclass(frozen=True)
class Outage:
    """One outage: its length, the longest time between two trials' beginnings in and after it, the time from
    the return of Redis to the next trial, and from submitting a run during it to its first trial; seconds."""

    seconds: int
    longest_gap_s: float
    next_trial_s: float
    new_run_s: float


class Installation:
    """A database, a Redis, and a worker process."""

    def __init__(self, home: Path, log: Path) -> None:
        home.chmod(0o755)
        for name in ("pg", "redis"):
            (home / name).mkdir()
        self.postgres, self.redis = PostgresServer(home / "pg"), RedisServer(home / "redis")
        self.postgres.start()
        self.redis.start()
        migrate(self.postgres.url("postgres"))
        self.settings = Settings(
            database_url=self.postgres.url("postgres"),
            redis_socket=self.redis.socket,
            var_dir=home / "var",
            runtime_dir=home / "run",
            host_name=HOST,
        )
        with session_scope(self.settings) as session:
            self._host_id = hosts.announce(session, HOST, {}, {})
        self._celery = make_celery(self.settings)
        self._log = log
        self.worker: subprocess.Popen[bytes] | None = None

    def start_worker(self) -> None:
        """Start the worker process and wait for its first trial."""
        given = self.settings
        environment = os.environ | {
            "PLIMSOLL_DATABASE_URL": given.database_url,
            "PLIMSOLL_REDIS_SOCKET": str(given.redis_socket),
            "PLIMSOLL_VAR_DIR": str(given.var_dir),
            "PLIMSOLL_RUNTIME_DIR": str(given.runtime_dir),
            "PLIMSOLL_HOST_NAME": HOST,
        }
        with self._log.open("wb") as log:
            argv = [sys.executable, "-m", "scripts.benchmark.outage_worker"]
            self.worker = subprocess.Popen(argv, env=environment, stdout=log, stderr=log)
        self.until(lambda: self.ask(ENDED) > 0)

    def submit(self, trials: int) -> str:
        """Queue a run of so many trials, oldest first, and send its messages; returns its id."""
        experiment = validate_document(DOCUMENT)
        cells = [{"id": "c1", "label": "same container"}]
        estimate = {"trials": trials, "seconds": 0.5 * trials, "window_seconds": 0.0, "deployments": 0}
        plan = {"cells": cells, "estimate": estimate, "varied": [], "warnings": []}
        levels = {"path": "same_container", "userland_proxy": True}
        rows = [
            {"cell_id": "c1", "round": number, "position": 1, "seq": number, "levels": levels}
            for number in range(1, trials + 1)
        ]
        with session_scope(self.settings) as session:
            stored, _ = experiments.add(session, DEFAULT_TEAM, canonical(experiment), digest(experiment))
            run = runs.create(session, stored.id, self._host_id, plan, rows)
        wake(self._celery, HOST, trials)
        return run.id

    def ask(self, statement: str, **values: Any) -> float:
        """The number that a query returns; 0 where it is null."""
        with session_scope(self.settings) as session:
            return float(session.execute(text(statement), values).scalar_one() or 0.0)

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition. Raises RuntimeError with the worker's last lines after WAIT_S."""
        deadline = time.monotonic() + WAIT_S
        while not condition():
            if time.monotonic() > deadline:
                raise RuntimeError(f"the worker runs no trial:\n{self._log.read_text()[-2000:]}")
            time.sleep(0.02)  # the database announces nothing to this client; bounded by the deadline

    def stop(self) -> None:
        """End everything."""
        if self.worker is not None:
            self.worker.terminate()
            self.worker.wait(WAIT_S)
        self.redis.stop()
        self.postgres.stop()


@contextlib.contextmanager
def installation(log: Path) -> Iterator[Installation]:
    """An installation in a temporary folder: short, because the path of a Unix socket has 107 bytes."""
    home = Path(tempfile.mkdtemp(prefix="plm-"))
    made = Installation(home, log)
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(home, ignore_errors=True)


def outage(installed: Installation, seconds: int) -> Outage:
    """Kill Redis for so long while a run goes on."""
    if installed.ask("SELECT count(*) FROM trial WHERE state = 'queued'") < 4 * (seconds + 20):
        installed.submit(20 * (seconds + 60))
        installed.until(lambda: time.time() - installed.ask(LAST) < 5)
    before = time.time()
    installed.redis.stop()
    time.sleep(seconds)
    installed.redis.start()
    back = time.time()
    installed.until(lambda: installed.ask(FIRST_AFTER, since=back) > 0)
    longest, next_trial = installed.ask(GAPS, since=before), installed.ask(FIRST_AFTER, since=back) - back
    return Outage(seconds, round(longest, 2), round(next_trial, 2), round(new_run(installed), 2))


def new_run(installed: Installation) -> float:
    """Seconds to the first trial of a run that is submitted to an idle worker while Redis is away."""
    with session_scope(installed.settings) as session:
        for run_id in session.scalars(text("SELECT id FROM run WHERE finished_at IS NULL")).all():
            runs.cancel(session, run_id)
    installed.until(
        lambda: installed.ask("SELECT count(*) FROM trial WHERE state IN ('queued', 'running')") == 0
    )
    installed.redis.stop()
    try:
        submitted = time.time()
        late = installed.submit(2)
        installed.until(lambda: installed.ask(BEGUN, run=late) > 0)
        return installed.ask(BEGUN, run=late) - submitted
    finally:
        installed.redis.start()


def measure(var: Path, say: Callable[[str], None], passes: int = PASSES) -> dict[str, Any]:
    """Every duration in turn, `passes` times."""
    found = []
    with installation(var / "outage-worker.log") as installed:
        installed.submit(400)
        installed.start_worker()
        for _ in range(passes):
            for seconds in DURATIONS_S:
                found.append(outage(installed, seconds))
                say(f"Redis away for {seconds} s: {found[-1]}")
    late = [one for one in found if max(one.next_trial_s, one.new_run_s) > LIMIT_S]
    return {
        "outages": len(found),
        "within_10_s": len(found) - len(late),
        "longest_gap_s": max(one.longest_gap_s for one in found),
        "next_trial_s": {
            "median": round(statistics.median(one.next_trial_s for one in found), 2),
            "most": max(one.next_trial_s for one in found),
        },
        "new_run_s": {
            "median": round(statistics.median(one.new_run_s for one in found), 2),
            "most": max(one.new_run_s for one in found),
        },
        "each": [vars(one) for one in found],
    }
