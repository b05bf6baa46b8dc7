"""The page in Chromium: first view, a large matrix, library, scrolling, CPU and memory over live events."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx2
from scipy import stats

from backend.store import grants
from backend.store.models import DEFAULT_TEAM
from scripts.benchmark import library
from scripts.benchmark.chromium.script import run_script, session_of
from scripts.benchmark.server import live_run, people
from scripts.benchmark.server.documents import PATHS
from scripts.benchmark.server.installation import services
from scripts.benchmark.server.requests import API

FOLDER: Final = "chromium"
"""Below var/bench: the installation, removed before and after."""
SECONDS: Final = 600
"""So long a page follows live events."""
MEASURED: Final = 1000
"""Trials that are recorded before the page opens."""
_DOCUMENT: Final = {
    "name": "large",
    "title": "A run of 500 cells in ten rounds",
    "factors": {"path": list(PATHS[:5]), "clients": list(range(1, 101)), "duration_s": 10},
    "baseline": {"path": PATHS[0]},
    "rounds": 10,
}
"""500 cells and the duplicates of their baselines."""

Say = Callable[[str], None]


def measure(root: Path, var: Path, seconds: int, say: Say) -> dict[str, Any]:
    """Times in ms, frames, CPU milliseconds a second, and the heap in MB by minutes with its growth."""
    shutil.rmtree(var, ignore_errors=True)
    try:
        with services(root, var) as installation:
            settings = installation.settings(grants.API)
            person = people.person(settings, DEFAULT_TEAM, "admin")
            say(f"{library.RUNS} runs of a library")
            library.fill(installation.settings(grants.MIGRATE), person.account_id, library.RUNS)
            installation.start_api()
            base = f"{installation.url}{API}"
            with httpx2.Client(base_url=base, headers=person.by_token, timeout=120, trust_env=False) as api:
                run = live_run.start(installation.settings(grants.WORKER), api, _DOCUMENT)
                say(f"recording {MEASURED} trials")
                run.record(MEASURED)
                say(f"Chromium, {seconds} s of live events among them")
                session = session_of(installation.url, settings, person)
                config = {**session, "run": run.run_id, "seconds": seconds}
                return _with_events(run, config, var / "page.json")
    finally:
        shutil.rmtree(var, ignore_errors=True)


def _with_events(run: live_run.LiveRun, config: dict[str, Any], file: Path) -> dict[str, Any]:
    """Run the script while the run's trials change."""
    over = threading.Event()
    changes = threading.Thread(target=run.change_until, args=(over,))
    changes.start()
    try:
        found: dict[str, Any] = run_script("page.mjs", config, file)
    finally:
        over.set()
        changes.join()
    return found | {"heap_kb_per_minute": _slope(found["heap_mb_by_minute"])}


def _slope(samples: list[list[float]]) -> dict[str, float]:
    """By how much the heap grows: Theil and Sen's slope with its 95 % interval, without the first quarter."""
    minutes, megabytes = zip(*samples[len(samples) // 4 :], strict=True)
    slope, _, low, high = stats.theilslopes(megabytes, minutes, 0.95)
    return {name: round(1000 * value, 1) for name, value in (("slope", slope), ("low", low), ("high", high))}
