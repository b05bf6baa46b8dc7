"""The disk of PostgreSQL's write-ahead log is really full: the API says so, and no stored data is lost."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.settings import Settings
from backend.store import grants, invariants
from backend.store.session import dispose
from tests.accounts import signed_in
from tests.api.client import BASE
from tests.services import PostgresServer, RedisServer, as_role, migrate
from tests.store.queued_run import queue_run
from tests.worker.test_full_disk import fill, recorded
from worker.host.spool import Spool
from worker.trial.recording import drain
from worker.trial_queue import StoreTrialQueue

SMALL, LARGE = "24m", "256m"


@dataclass
class SmallLog:
    """A server whose write-ahead log has a file system of 24 MiB, and the settings of its database."""

    server: PostgresServer
    disk: Path
    owner: Settings

    def make_space(self) -> None:
        """Enlarge the file system; start the server again if it has stopped, as its supervisor does."""
        subprocess.run(["mount", "-o", f"remount,size={LARGE}", str(self.disk)], check=True)
        try:
            self.server.connect("postgres").close()
        except psycopg.OperationalError:
            self.server.stop()
            self.server.start()


@pytest.fixture
def log(redis_server: RedisServer, owner_settings: Settings) -> Iterator[SmallLog]:
    """A server of its own: without space for its log, PostgreSQL stops as a whole."""
    home = Path(tempfile.mkdtemp(prefix="plm-wal-"))
    home.chmod(0o755)
    disk = home / "log"
    disk.mkdir()
    argv = ["mount", "-t", "tmpfs", "-o", f"size={SMALL},mode=0700,uid=postgres", "tmpfs", str(disk)]
    if subprocess.run(argv, check=False, capture_output=True).returncode:
        shutil.rmtree(home)
        pytest.skip("only root mounts a file system")
    server = PostgresServer(home, (f"--waldir={disk}", "--wal-segsize=1"))
    server.start()
    try:
        server.create_roles()
        with server.connect("postgres") as connection:
            connection.execute(f"CREATE DATABASE small OWNER {grants.MIGRATE}")
        migrate(server.url("small", grants.MIGRATE))
        owner = owner_settings.model_copy(update={"database_url": server.url("small")})
        yield SmallLog(server, disk, owner)
        dispose(owner)
    finally:
        server.stop()
        subprocess.run(["umount", "--lazy", str(disk)], check=True)
        shutil.rmtree(home, ignore_errors=True)


def test_a_full_log_stops_the_database_and_loses_nothing(log: SmallLog, tmp_path: Path) -> None:
    settings, store = as_role(log.owner, grants.API), StoreTrialQueue(as_role(log.owner, grants.WORKER))
    queued, spool = queue_run(log.owner), Spool(tmp_path / "spool")
    runs = f"/api/v1/experiments/{queued.experiment_id}/runs"
    for _ in range(4):
        queued.another_run()
    with TestClient(create_app(settings), base_url=BASE, headers=signed_in(settings)) as api:
        stored, waiting = fill(spool, queued, store)
        assert stored, "some records fit"

        answers = iter(lambda: api.post(runs, json={"host": "bench-1"}), None)
        refused = next(answer for answer in answers if answer.status_code != 202)
        assert refused.status_code in (503, 507)
        assert refused.json()["code"] in ("database_unavailable", "unavailable", "storage_full")
        assert "database" in refused.json()["detail"]
        assert api.get("/healthz").status_code == 200, "the API itself goes on"
        assert drain(spool, store) == 1, "the record stays in the spool"

        log.make_space()
        assert drain(spool, store) == 0
        assert recorded(queued) == stored | {waiting}
        assert queued.call(invariants.violations) == []
        assert api.get(f"/api/v1/runs/{queued.run_id}").status_code == 200
        assert api.post(runs, json={"host": "bench-1"}).status_code == 202
    for used in (settings, as_role(log.owner, grants.WORKER)):
        dispose(used)
