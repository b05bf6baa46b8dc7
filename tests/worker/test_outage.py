"""The worker's process with a real Celery consumer during an outage of Redis."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.queue import make_celery, queue_name, wake
from backend.settings import Settings
from tests.scripts.waiting import eventually
from tests.services import ROOT, RedisServer
from tests.store.queued_run import QueuedRun, queue_run

LIMIT_S = 120.0


@pytest.fixture
def queued(owner_settings: Settings) -> QueuedRun:
    return queue_run(owner_settings)


@pytest.fixture
def worker(settings: Settings, queued: QueuedRun, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`worker.app` as Celery runs it, on this test's database and Redis; its trials measure nothing."""
    given = {
        "PLIMSOLL_DATABASE_URL": settings.database_url,
        "PLIMSOLL_REDIS_URL": settings.redis,
        "PLIMSOLL_VAR_DIR": str(settings.var_dir),
        "PLIMSOLL_RUNTIME_DIR": str(settings.runtime_dir),
        "PLIMSOLL_HOST_NAME": settings.host_name,
    }
    argv = [sys.executable, "-m", "scripts.benchmark.outage_worker"]
    with (tmp_path / "worker.log").open("wb") as log:
        process = subprocess.Popen(argv, cwd=ROOT, env=os.environ | given, stdout=log, stderr=log)
    yield process
    process.kill()
    process.wait()


def ended(queued: QueuedRun) -> int:
    return int(queued.sql("SELECT count(*) FROM trial WHERE state = 'failed'")[0][0])


def test_runs_continue_without_redis_and_the_consumer_reconnects(
    worker: subprocess.Popen[bytes], queued: QueuedRun, settings: Settings, redis_server: RedisServer
) -> None:
    assert eventually(lambda: ended(queued) >= 1, LIMIT_S)
    redis_server.stop()
    try:
        assert eventually(lambda: ended(queued) == 4, LIMIT_S)
        queued.another_run()
        assert eventually(lambda: ended(queued) == 8, LIMIT_S), "no message announced this run"
    finally:
        redis_server.start()
    redis_server.client().lpush(queue_name(settings.host_name), "no message")
    assert wake(make_celery(settings), settings.host_name, 3)
    queue = queue_name(settings.host_name)
    assert eventually(lambda: redis_server.client().llen(queue) == 0, LIMIT_S), "it takes messages again"
    assert worker.poll() is None
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(LIMIT_S) == 0
    assert not list(settings.runtime_dir.iterdir()), "the lock leaves no file"


def test_a_second_worker_names_the_first_and_ends(
    worker: subprocess.Popen[bytes], queued: QueuedRun, settings: Settings
) -> None:
    assert eventually(lambda: ended(queued) >= 1, LIMIT_S)
    environment = dict(
        item.split("=", 1)
        for item in Path(f"/proc/{worker.pid}/environ").read_text().split("\0")
        if "=" in item
    )
    argv = [sys.executable, "-m", "scripts.benchmark.outage_worker"]
    second = subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert f"another worker of this installation runs: process {worker.pid} (worker)" in second.stderr
    assert worker.poll() is None
    assert eventually(lambda: ended(queued) == 4, LIMIT_S)
