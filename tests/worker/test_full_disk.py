"""The disk of PostgreSQL is really full: a record waits in the spool, the API says why, nothing is lost."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.settings import Settings
from backend.store import grants, invariants
from backend.store.repositories.trials import ClaimedTrial
from tests.accounts import signed_in
from tests.api.client import BASE, problem_of
from tests.records import trial_record
from tests.services import PostgresServer, as_role
from tests.store.queued_run import QueuedRun, queue_run
from worker.host.spool import Spool
from worker.trial.recording import drain
from worker.trial_queue import StoreTrialQueue

pytestmark = pytest.mark.new_database  # it moves the files

TABLES = ("result", "trial")
SMALL, LARGE = "9m", "64m"


@pytest.fixture
def disk(postgres: PostgresServer, owner_settings: Settings) -> Iterator[Path]:
    """A file system of 9 MiB with the tables of trials and results."""
    place = postgres.home / "small"
    place.mkdir()
    argv = ["mount", "-t", "tmpfs", "-o", f"size={SMALL},mode=0700,uid=postgres", "tmpfs", str(place)]
    if subprocess.run(argv, check=False, capture_output=True).returncode:
        place.rmdir()
        pytest.skip("only root mounts a file system")
    with postgres.connect("postgres") as server, postgres.connect(_name(owner_settings)) as connection:
        server.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
        for table in TABLES:
            connection.execute(f"ALTER TABLE {table} SET TABLESPACE small")
        yield place
        for table in TABLES:
            connection.execute(f"ALTER TABLE {table} SET TABLESPACE pg_default")
        server.execute("CHECKPOINT")
        server.execute("DROP TABLESPACE small")
    # Backends keep closed tables open for a while.
    subprocess.run(["umount", "--lazy", str(place)], check=True)
    place.rmdir()


def _name(settings: Settings) -> str:
    return settings.database_url.partition("?")[0].rpartition("/")[2]


def spooled(spool: Spool, claimed: ClaimedTrial, size: int = 3 * 2**20) -> str:
    """A record with so many bytes of raw output that do not compress, in the spool."""
    record: dict[str, Any] = trial_record(claimed)
    record["commands"][0]["stdout"] = os.urandom(size // 2).hex()
    spool.write(claimed.trial_id, claimed.fence, record, None)
    return claimed.trial_id


def recorded(queued: QueuedRun) -> set[str]:
    return {row[0] for row in queued.sql("SELECT trial_id FROM result")}


def fill(spool: Spool, queued: QueuedRun, store: StoreTrialQueue) -> tuple[set[str], str]:
    """Record trials until the disk is full: those that were stored, and the one that waits."""
    stored: set[str] = set()
    while True:
        trial_id = spooled(spool, queued.must_claim())
        if drain(spool, store):
            return stored, trial_id
        stored.add(trial_id)


def test_a_record_waits_until_the_disk_has_space_again(
    disk: Path, owner_settings: Settings, worker_settings: Settings, tmp_path: Path
) -> None:
    queued, spool = queue_run(owner_settings), Spool(tmp_path / "spool")
    store = StoreTrialQueue(worker_settings)
    stored, waiting = fill(spool, queued, store)
    assert recorded(queued) == stored
    ((state, fence),) = queued.sql("SELECT state, fence FROM trial WHERE id = :id", id=waiting)
    assert (state, fence) == ("running", 1)
    assert drain(spool, store) == 1, "it is still full"
    subprocess.run(["mount", "-o", f"remount,size={LARGE}", str(disk)], check=True)
    assert drain(spool, store) == 0
    assert recorded(queued) == stored | {waiting}
    assert list(spool.waiting()) == [] and spool.quarantined() == []
    assert queued.call(invariants.violations) == []


def test_the_api_says_that_the_disk_is_full_and_a_deletion_makes_space(
    disk: Path, postgres: PostgresServer, owner_settings: Settings, worker_settings: Settings, tmp_path: Path
) -> None:
    queued, spool = queue_run(owner_settings), Spool(tmp_path / "spool")
    store = StoreTrialQueue(worker_settings)
    for _ in range(4):
        spooled(spool, queued.must_claim(), 2**20)
    assert drain(spool, store) == 0
    old, _ = queued.run_id, queued.another_run()
    reserve = disk / "reserve"
    reserve.write_bytes(b"x" * 2**18)
    _, waiting = fill(spool, queued, store)
    settings = as_role(owner_settings, grants.API)
    api = TestClient(create_app(settings), base_url=BASE, headers=signed_in(settings))
    runs = f"/api/v1/experiments/{queued.experiment_id}/runs"
    answers = iter(lambda: api.post(runs, json={"host": "bench-1"}), None)
    refused = next(answer for answer in answers if answer.status_code != 202)
    assert "free space on its disk" in problem_of(refused, 507, "storage_full")["detail"]
    assert queued.call(invariants.violations) == [], "no run is queued in part"
    assert api.get(f"/api/v1/runs/{old}").status_code == 200
    assert api.delete(f"/api/v1/runs/{old}").status_code == 204
    reserve.unlink()
    with postgres.connect(_name(owner_settings)) as connection:
        connection.execute("VACUUM result")  # needs a few pages itself
    assert drain(spool, store) == 0
    assert waiting in recorded(queued)
    assert queued.call(invariants.violations) == []
