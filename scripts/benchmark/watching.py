"""What ten open pages cost inside measured windows: CPU of API, PostgreSQL and Redis as a share of a core.

The API has its own services. A simulated worker records trials and announces windows in which nothing else
happens, so that only the cost of the pages is measured; needs no root.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2

from backend.measured_window import announce_window
from backend.queue import connect, publish_events, publish_live
from backend.settings import Settings
from backend.store import grants
from backend.store.repositories import trials
from backend.store.session import session_scope
from scripts.benchmark.rest import client
from scripts.benchmark.simulated_page import Page
from tests.accounts import add_account, add_token
from tests.api.client import Worker
from tests.records import trial_record
from tests.services import ROOT, PostgresServer, RedisServer, migrate
from worker.host.processes import children_of, cpu_ns

PAGES: Final = 10
WINDOWS: Final = 8
WINDOW_S: Final = 4.0
WARM_UP_S: Final = 1.0
BETWEEN_S: Final = 0.3
"""From a trial's record to the next one's warm-up."""
FILLED: Final = 2
"""Rounds that are recorded before, so that a result costs as much as in the middle of a run."""
SIZES: Final = (20, 200)
START_LIMIT_S: Final = 60.0
HOST: Final = "bench-watching"


@dataclass(frozen=True)
class Product:
    """The running services: the address of the API, and the first process of each."""

    settings: Settings
    url: str
    roots: tuple[int, ...]

    def cpu_s(self) -> float:
        """CPU seconds of all their running processes so far."""
        waiting, total = list(self.roots), 0
        while waiting:
            pid = waiting.pop()
            total += cpu_ns(pid) or 0
            waiting += children_of(pid)
        return total / 1e9


def measure() -> list[dict[str, Any]]:
    """For each size of a run: the share of a core inside windows, with PAGES pages open and with none."""
    with started() as product:
        return [_compared(product, cells) for cells in SIZES]


def _compared(product: Product, cells: int) -> dict[str, Any]:
    shares = {}
    pages: list[Page] = []
    for count in (0, PAGES):
        opened = _run(product, cells, count)
        shares[count] = opened.shares
        pages = opened.pages
    return {
        "cells": cells,
        "pages": PAGES,
        "windows": WINDOWS,
        "window_s": WINDOW_S,
        "percent_of_a_core_without_pages": _percent(shares[0]),
        "percent_of_a_core_with_pages": _percent(shares[PAGES]),
        "largest_window_percent": round(100 * max(shares[PAGES]), 2),
        "results_sent": sum(page.results for page in pages),
        "results_unchanged": sum(page.unchanged for page in pages),
        "live_samples": sum(page.samples for page in pages),
    }


def _percent(shares: list[float]) -> float:
    return round(100 * statistics.mean(shares), 2)


@dataclass(frozen=True)
class Opened:
    """The shares of a core in each window, and the pages that were open."""

    shares: list[float]
    pages: list[Page]


def _run(product: Product, cells: int, count: int) -> Opened:
    worker = Worker(product.settings)
    worker.announce(HOST)
    with client(product.url, 120) as api:
        experiment = api.post("/experiments", json=_definition(cells)).raise_for_status().json()
        run = api.post(f"/experiments/{experiment['id']}/runs", json={"host": HOST}).raise_for_status().json()
        for _ in range(FILLED * cells):
            _recorded(worker)
        stop = threading.Event()
        pages = [Page(product.url, run["id"], stop) for _ in range(count)]
        threads = [threading.Thread(target=page.open, daemon=True) for page in pages]
        for thread in threads:
            thread.start()
        for page in pages:
            page.ready.wait(60)
        shares = [_window(product, worker, run["id"]) for _ in range(WINDOWS)]
        stop.set()
        api.post(f"/runs/{run['id']}:cancel").raise_for_status()
        for thread in threads:
            thread.join(60)
    return Opened(shares, pages)


def _recorded(worker: Worker) -> None:
    with session_scope(worker.own) as session:
        claimed = trials.claim(session, worker.host_id, "bench")
        assert claimed is not None, "the run has trials left"
    with session_scope(worker.own) as session:
        payload = trial_record(claimed)
        trials.record(session, claimed.trial_id, claimed.fence, payload, claimed.trial_id, None)


def _window(product: Product, worker: Worker, run_id: str) -> float:
    """One trial: its window announced and kept, then its record; the services' share of a core inside."""
    client = connect(worker.settings)
    with session_scope(worker.own) as session:
        claimed = trials.claim(session, worker.host_id, "bench")
        assert claimed is not None, "the run has trials left"
    publish_events(client, run_id)
    announce_window(client, HOST, WARM_UP_S, WINDOW_S)
    time.sleep(WARM_UP_S)  # the warm-up: what pages asked for after the last trial is done in it
    used, began = product.cpu_s(), time.monotonic()
    while (t := time.monotonic() - began) < WINDOW_S:
        sample = {"client": 0.5, "server": 0.5, "proxy": 0.1, "other": 0.0}
        publish_live(
            client,
            run_id,
            {"trial_id": claimed.trial_id, "cell_id": claimed.cell_id, "t": t, "rate": 1.0, "cores": sample},
        )
        time.sleep(min(1.0, max(0.0, WINDOW_S - t)))
    share = (product.cpu_s() - used) / (time.monotonic() - began)
    with session_scope(worker.own) as session:
        payload = trial_record(claimed)
        trials.record(session, claimed.trial_id, claimed.fence, payload, claimed.trial_id, None)
    publish_events(client, run_id)
    time.sleep(BETWEEN_S)
    return share


def _definition(cells: int) -> dict[str, Any]:
    return {
        "name": "bench-watching",
        "title": "A run that is watched",
        "factors": {
            "path": ["same_container", "sibling_container", "published_loopback", "container_address"],
            "clients": list(range(1, cells // 4 + 1)),
            "duration_s": int(WINDOW_S),
        },
        "rounds": 5,
        "baseline": {"path": "same_container", "clients": 1},
        "metrics": ["tps", "cpu_us_per_txn", "latency_avg_ms"],
    }


@contextmanager
def started(certificate: Path | None = None, **more: str) -> Iterator[Product]:
    """PostgreSQL, Redis and the API, each in its own process, in a directory that is removed with them.

    With a file of certificate and key, the API speaks https; `more` are further settings of it.
    """
    home = Path(tempfile.mkdtemp(prefix="plm-bench-"))
    home.chmod(0o755)
    for name in ("pg", "redis"):
        (home / name).mkdir()
    postgres, redis = PostgresServer(home / "pg"), RedisServer(home / "redis")
    try:
        postgres.start()
        redis.start()
        postgres.create_roles()
        with postgres.connect("postgres") as connection:
            connection.execute(f'CREATE DATABASE "bench" OWNER {grants.MIGRATE}')
        migrate(postgres.url("bench", grants.MIGRATE))
        settings = Settings(
            database_url=postgres.url("bench", grants.API),
            redis_socket=redis.socket,
            var_dir=home / "var",
            runtime_dir=home / "run",
            host_name=HOST,
        )
        os.environ["PLIMSOLL_TOKEN"] = add_token(settings, add_account(settings))
        with _api(settings, certificate, more) as (url, pid):
            roots = (pid, _pid(postgres), _pid(redis))
            yield Product(settings, url, roots)
    finally:
        redis.stop()
        postgres.stop()
        shutil.rmtree(home, ignore_errors=True)


def _pid(server: PostgresServer | RedisServer) -> int:
    assert server._process is not None, "it was started"
    return server._process.pid


@contextmanager
def _api(settings: Settings, certificate: Path | None, more: dict[str, str]) -> Iterator[tuple[str, int]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "PLIMSOLL_DATABASE_URL": settings.database_url,
        "PLIMSOLL_REDIS_SOCKET": str(settings.redis_socket),
        "PLIMSOLL_VAR_DIR": str(settings.var_dir),
        "PLIMSOLL_RUNTIME_DIR": str(settings.runtime_dir),
        "PLIMSOLL_HOST_NAME": settings.host_name,
    }
    environment["PLIMSOLL_PORT"] = str(port)
    environment |= {f"PLIMSOLL_{name.upper()}": value for name, value in more.items()}
    if certificate is not None:
        environment |= {"PLIMSOLL_TLS_CERT": str(certificate), "PLIMSOLL_TLS_KEY": str(certificate)}
    child = subprocess.Popen([sys.executable, "-m", "backend.api.serve"], env=environment, cwd=ROOT)
    try:
        url = f"{'http' if certificate is None else 'https'}://127.0.0.1:{port}"
        trusted = certificate is None or ssl.create_default_context(cafile=certificate)
        deadline = time.monotonic() + START_LIMIT_S
        while not _answers(url, trusted):
            if child.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("the API did not start")
            time.sleep(0.1)  # another process opens the port; bounded
        yield url, child.pid
    finally:
        child.kill()  # it may still serve streams
        child.wait(30)


def _answers(url: str, trusted: ssl.SSLContext | bool) -> bool:
    with contextlib.suppress(httpx2.HTTPError):
        return httpx2.get(f"{url}/healthz", timeout=5, trust_env=False, verify=trusted).is_success
    return False
