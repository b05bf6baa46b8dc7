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

from scripts.benchmark.rest import client

START_LIMIT_S = 1200.0
NOISE_ALLOWED = {"wait_for_quiet_s": 0, "max_other_cores": None, "max_steal": None, "retakes": 0}
"""For the overhead of the product itself: no trial waits for a quiet host or is repeated."""
RUN_LIMIT_S = 600.0
PORT = 8497
MIXED: tuple[dict[str, Any], ...] = (
    {
        "tool": "pgbench",
        "path": [
            "same_container",
            "sibling_container",
            "container_address",
            "published_loopback",
            "published_host_address",
        ],
        "userland_proxy": [True, False],
    },
    {
        "tool": "wrk",
        "path": ["container_address", "published_loopback", "nginx_stream", "haproxy_tcp", "host_network"],
        "userland_proxy": [True, False],
    },
)


@contextmanager
def started(root: Path, var: Path) -> Iterator[tuple[str, float]]:
    """Start the product with scripts/up; yields its address and the seconds until it was ready."""
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
                raise SystemExit(f"scripts/up was not ready in time; see {var}/log")
            time.sleep(0.05)  # another process writes the file; bounded
        os.environ["PLIMSOLL_VAR_DIR"] = str(var)  # `client` takes the token from there
        yield str(json.loads(ready.read_text())["url"]), time.monotonic() - began
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait(180)


def overhead(url: str) -> dict[str, Any]:
    """Seconds of a trial without its warm-up and window, from one trial's start to the next.

    Over a mixed matrix of twenty cells: ten with pgbench, ten with wrk, some with reverse proxies.
    """
    gaps = [gap for cells in MIXED for gap in _gaps(_run(url, _definition(cells)), windows=2.0)]
    # The first trial of each server, which also fills its tables, is included.
    return {"trials": len(gaps), "median_s": round(statistics.median(gaps), 3), "max_s": round(max(gaps), 3)}


def path_table(url: str) -> dict[str, Any]:
    """The path table of whoisnian-2024, quick form: from its first trial's start to its end over its windows.

    A window is warm-up and measurement together. The servers come up in the time of the first trial.
    """
    presets = _get(url, "/presets")["data"]
    preset = next(p for p in presets if p["name"] == "whoisnian-2024-paths-quick")
    began = time.monotonic()
    trials = _run(url, preset["definition"] | {"quality": NOISE_ALLOWED})
    took = time.monotonic() - began
    factors = preset["definition"]["factors"]
    window = factors["duration_s"][0] + factors["warm_up_s"][0]
    return {
        "trials": len(trials),
        "windows_s": window * len(trials),
        "took_s": round(took, 1),
        "ratio": round(took / (window * len(trials)), 3),
    }


def _definition(factors: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": "bench-overhead",
        "title": f"Time per trial beside its windows, {factors['tool']}",
        "factors": factors | {"duration_s": 1, "warm_up_s": 1},
        "rounds": 3,
        "baseline": {"path": factors["path"][0], "userland_proxy": True},
        "quality": NOISE_ALLOWED,
    }


def _run(url: str, definition: dict[str, Any]) -> list[dict[str, Any]]:
    """Run an experiment and return its trials. Ends the benchmark where one of them failed."""
    with client(url, 70) as api:
        experiment = api.post("/experiments", json=definition).raise_for_status().json()
        run = api.post(f"/experiments/{experiment['id']}/runs", json={}).raise_for_status().json()
        deadline = time.monotonic() + RUN_LIMIT_S
        while run["finished_at"] is None and time.monotonic() < deadline:
            run = api.get(f"/runs/{run['id']}?wait=30").raise_for_status().json()
        trials: list[dict[str, Any]] = api.get(f"/runs/{run['id']}/trials").raise_for_status().json()["data"]
    if broken := [trial for trial in trials if trial["state"] != "done"]:
        raise SystemExit(f"{len(broken)} trials of {definition['name']} failed: {broken[0]}")
    return trials


def _get(url: str, path: str) -> dict[str, Any]:
    with client(url, 30) as api:
        found: dict[str, Any] = api.get(path).raise_for_status().json()
    return found


def _gaps(trials: list[dict[str, Any]], windows: float) -> list[float]:
    starts = sorted(datetime.datetime.fromisoformat(trial["started_at"]) for trial in trials)
    return [(b - a).total_seconds() - windows for a, b in pairwise(starts)]
