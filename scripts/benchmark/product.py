"""Benchmarks of the whole product, through scripts/up and the REST API."""

from __future__ import annotations

import datetime
import json
import os
import signal
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2

START_LIMIT_S = 1200.0
RUN_LIMIT_S = 600.0
PORT = 8497


@contextmanager
def started(root: Path, var: Path) -> Iterator[tuple[str, float]]:
    """Start the product with scripts/up; gives its address and the seconds until it was ready."""
    ready = var / "ready.json"
    ready.unlink(missing_ok=True)
    began = time.monotonic()
    child = subprocess.Popen(
        [str(root / "scripts" / "up"), "--port", str(PORT)],
        env=os.environ | {"PLIMSOLL_VAR_DIR": str(var)},
        stdout=subprocess.DEVNULL,
        cwd=root,
    )
    try:
        while not ready.exists():
            if child.poll() is not None or time.monotonic() - began > START_LIMIT_S:
                raise SystemExit(f"scripts/up did not get ready; see {var}/log")
            time.sleep(0.05)  # another process writes the file; bounded
        yield str(json.loads(ready.read_text())["url"]), time.monotonic() - began
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait(180)


def overhead(url: str) -> dict[str, float]:
    """Seconds that a trial costs beside its warm-up and window, from one trial's start to the next's."""
    definition = {
        "name": "bench-overhead",
        "title": "Time per trial beside its windows",
        "factors": {
            "path": ["same_container", "sibling_container", "container_address", "published_loopback"],
            "userland_proxy": [True, False],
            "duration_s": 1,
            "warm_up_s": 1,
        },
        "rounds": 3,
        "baseline": {"path": "same_container", "userland_proxy": True},
    }
    with httpx2.Client(base_url=f"{url}/api/v1", timeout=70, trust_env=False) as api:
        experiment = api.post("/experiments", json=definition).raise_for_status().json()
        run = api.post(f"/experiments/{experiment['id']}/runs", json={}).raise_for_status().json()
        deadline = time.monotonic() + RUN_LIMIT_S
        while run["finished_at"] is None and time.monotonic() < deadline:
            run = api.get(f"/runs/{run['id']}?wait=30").raise_for_status().json()
        trials = api.get(f"/runs/{run['id']}/trials").raise_for_status().json()["data"]
    return _gaps(trials, windows=2.0)


def _gaps(trials: list[dict[str, Any]], windows: float) -> dict[str, float]:
    starts = sorted(datetime.datetime.fromisoformat(trial["started_at"]) for trial in trials)
    gaps = [(b - a).total_seconds() - windows for a, b in pairwise(starts)]
    # The first trial of each engine also fills its tables; it is one of the longest and stays in.
    return {
        "trials": len(trials),
        "median_s": round(statistics.median(gaps), 3),
        "max_s": round(max(gaps), 3),
    }
