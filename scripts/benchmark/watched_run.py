"""What ten open pages cost a real run: CPU of API, PostgreSQL and Redis inside its measured windows.

The worker of a started product executes a run. In its first and last round no page is open; in the rounds
between, ten clients send the page's requests, so that a drift that is linear in time cancels.
"""

from __future__ import annotations

import datetime
import os
import statistics
import threading
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import httpx2
import numpy as np

from scripts.benchmark.memory import pids_of
from scripts.benchmark.product import NOISE_ALLOWED, started
from scripts.benchmark.rest import client
from scripts.benchmark.simulated_page import Page
from worker.host.processes import children_of, cpu_ns

PAGES: Final = 10
WATCHED: Final = (2, 3)
"""Rounds with open pages, of ROUNDS."""
ROUNDS: Final = 4
WINDOW_S: Final = 5
READ_EVERY_S: Final = 0.05
PROGRAMS: Final = ("backend.api.serve", "postgres", "redis-server")
RUN_LIMIT_S: Final = 1800.0


@dataclass
class CpuClock(threading.Thread):
    """Reads the CPU of processes and their children every READ_EVERY_S; times in seconds since 1970."""

    roots: list[int]
    stop: threading.Event
    at: list[float] = field(default_factory=list)
    used: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        """Read until `stop`, with real-time priority. CPU of ended processes stays counted."""
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
        seen: dict[int, int] = {}
        while not self.stop.wait(READ_EVERY_S):
            waiting = list(self.roots)
            while waiting:
                pid = waiting.pop()
                if (now := cpu_ns(pid)) is not None:
                    seen[pid] = now
                    waiting += children_of(pid)
            self.at.append(time.time())
            self.used.append(sum(seen.values()) / 1e9)

    def cores(self, begin: float, end: float) -> float:
        """Cores used in this time, between readings by linear interpolation."""
        at_begin, at_end = np.interp((begin, end), self.at, self.used)
        return float(at_end - at_begin) / (end - begin)


def measure(root: Path, var: Path, runtime: Path) -> dict[str, Any]:
    """Percent of a core inside the windows of a real run, without pages and with PAGES."""
    with started(root, var) as (url, _):
        stop = threading.Event()
        clock = CpuClock([pid for name in PROGRAMS for pid in pids_of(name, var, runtime)], stop)
        clock.start()
        try:
            return _figures(_watched(url), clock)
        finally:
            stop.set()


def _watched(url: str) -> list[dict[str, Any]]:
    """Run the experiment with pages open in the WATCHED rounds; returns each trial's round and window."""
    with client(url, 70) as api:
        experiment = api.post("/experiments", json=_definition()).raise_for_status().json()
        run = api.post(f"/experiments/{experiment['id']}/runs", json={}).raise_for_status().json()
        cells = run["progress"]["total"] // ROUNDS
        _until(api, run["id"], cells * (WATCHED[0] - 1))
        stop = threading.Event()
        for page in [Page(url, run["id"], stop) for _ in range(PAGES)]:
            threading.Thread(target=page.open, daemon=True).start()
        _until(api, run["id"], cells * WATCHED[-1])
        stop.set()
        _until(api, run["id"], cells * ROUNDS)
        trials = api.get(f"/runs/{run['id']}/trials").raise_for_status().json()["data"]
        return [_window(api, trial) for trial in trials]


def _until(api: httpx2.Client, run_id: str, done: int) -> None:
    """Wait for so many trials; sends requests only between trials, after events of the stream."""
    deadline = time.monotonic() + RUN_LIMIT_S
    run = api.get(f"/runs/{run_id}").raise_for_status().json()
    with api.stream("GET", f"/runs/{run_id}/events?after={run['last_event_id']}") as answer:
        count = run["progress"]["done"]
        for line in answer.iter_lines():
            count += line.startswith("data: ") and '"state": "done"' in line and '"trial_id"' in line
            if count >= done:
                return
            if time.monotonic() > deadline:
                raise SystemExit("the run did not end in time")


def _window(api: httpx2.Client, trial: dict[str, Any]) -> dict[str, Any]:
    if trial["state"] != "done":
        raise SystemExit(f"a trial did not end well: {trial}")
    window = api.get(f"/trials/{trial['id']}").raise_for_status().json()["record"]["window"]
    begin, end = (
        datetime.datetime.fromisoformat(window[at]).timestamp() for at in ("started_at", "ended_at")
    )
    return {"round": trial["round"], "seq": trial["seq"], "begin": begin, "end": end}


def _figures(trials: list[dict[str, Any]], clock: CpuClock) -> dict[str, Any]:
    shares: dict[bool, list[float]] = {False: [], True: []}
    ordered = sorted(trials, key=lambda trial: trial["seq"])
    for before, trial in pairwise([{"round": 0}, *ordered]):
        if before["round"] == trial["round"]:  # a round's first window: its pages are being opened
            watched = trial["round"] in WATCHED
            shares[watched].append(clock.cores(trial["begin"], trial["end"]))
    without, with_pages = (100 * statistics.mean(shares[watched]) for watched in (False, True))
    return {
        "pages": PAGES,
        "cells": len(trials) // ROUNDS,
        "window_s": WINDOW_S,
        "longest_time_between_readings_s": round(float(np.diff(clock.at).max()), 3),
        "windows_without_pages": len(shares[False]),
        "windows_with_pages": len(shares[True]),
        "percent_of_a_core_without_pages": round(without, 2),
        "percent_of_a_core_with_pages": round(with_pages, 2),
        "difference_percent": round(with_pages - without, 2),
        "largest_window_percent": round(100 * max(shares[True]), 2),
    }


def _definition() -> dict[str, Any]:
    return {
        "name": "bench-watched-run",
        "title": "A real run that is watched",
        "factors": {
            "path": ["same_container", "sibling_container", "published_loopback", "container_address"],
            "clients": [1, 4, 16],
            "duration_s": WINDOW_S,
            "warm_up_s": 1,
        },
        "rounds": ROUNDS,
        "baseline": {"path": "same_container", "clients": 1},
        "quality": NOISE_ALLOWED,
    }
