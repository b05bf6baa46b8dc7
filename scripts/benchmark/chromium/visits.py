"""Visits of Home, of a new experiment and of a result: requests by kind, bytes, first chart, layout shift."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import httpx2

from backend.store import grants
from backend.store.models import DEFAULT_TEAM
from scripts.benchmark.chromium.script import run_script, session_of
from scripts.benchmark.server import live_run, people
from scripts.benchmark.server.documents import PATHS
from scripts.benchmark.server.installation import services
from scripts.benchmark.server.requests import API

FOLDER: Final = "visits"
"""Below var/bench: the installation, removed before and after."""
VISITS: Final = 7
"""Of each page on each network; the pages alternate."""
_DOCUMENT: Final = {
    "name": "visited",
    "title": "docker-proxy on and off on three paths",
    "factors": {"path": list(PATHS[:3]), "userland_proxy": [True, False], "duration_s": 10},
    "compare": "userland_proxy",
    "rounds": 10,
}
FIGURES: Final = {
    "requests": "requests to the first chart",
    "all_requests": "requests",
    "kb": "kB to the first chart",
    "drawn_ms": "first chart, ms",
    "lcp_ms": "largest paint, ms",
    "shift": "layout shift",
}

Say = Callable[[str], None]


def measure(root: Path, var: Path, visits: int, say: Say) -> list[dict[str, Any]]:
    """For each page and network: median, minimum and maximum of each of `FIGURES`, and requests by kind."""
    shutil.rmtree(var, ignore_errors=True)
    try:
        with services(root, var) as installation:
            settings = installation.settings(grants.API)
            person = people.person(settings, DEFAULT_TEAM, "admin")
            installation.start_api()
            with httpx2.Client(
                base_url=f"{installation.url}{API}", headers=person.by_token, timeout=120, trust_env=False
            ) as api:
                run = live_run.start(installation.settings(grants.WORKER), api, _DOCUMENT)
                progress = api.get(f"/runs/{run.run_id}").raise_for_status().json()["progress"]
                run.record(progress["total"])
            say(f"{visits} visits of each page")
            session = session_of(installation.url, settings, person)
            config = {**session, "run": run.run_id, "visits": visits}
            rows: list[dict[str, Any]] = run_script("visits.mjs", config, var / "visits.json")
            return rows
    finally:
        shutil.rmtree(var, ignore_errors=True)


def markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    """The figures as a table, median (minimum to maximum), and the requests to the first chart by kind."""
    return "\n".join(_lines(rows))


def _lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield f"| page | network | n | {' | '.join(FIGURES.values())} | by kind |"
    yield "| --- | --- | ---: |" + " ---: |" * len(FIGURES) + " --- |"
    for row in rows:
        figures = " | ".join(_spread(name, row[name]) for name in FIGURES)
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(row["kinds"].items()))
        yield f"| {row['page']} | {row['network']} | {row['n']} | {figures} | {kinds} |"


def _spread(name: str, values: Sequence[float]) -> str:
    median, low, high = (f"{value:.3f}" if name == "shift" else f"{value:.0f}" for value in values)
    return median if low == high else f"{median} ({low} to {high})"
