"""A running installation of the whole product, as a client sees it."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from backend.cli import local_access

NOISE_ALLOWED = {"wait_for_quiet_s": 0, "max_other_cores": None, "max_steal": None, "retakes": 0}
"""These tests do not wait for a quiet host."""
CELLS = {
    "path": ["same_container", "published_loopback"],
    "userland_proxy": [True, False],
    "scale": [1],
    "duration_s": [1],
    "warm_up_s": [0],
}
START_LIMIT_S = 240.0
RUN_LIMIT_S = 240.0


@dataclass
class Product:
    """A running installation: the address of its page, its starter, and its folder."""

    url: str
    starter: subprocess.Popen[bytes]
    var: Path
    install_id: str

    def headers(self) -> dict[str, str]:
        """Those of the command line on this host."""
        access = local_access.read(self.var / local_access.FILE)
        assert access is not None
        return {"Authorization": f"Bearer {access.token}"}

    def get(self, path: str) -> Any:
        answer = httpx2.get(f"{self.url}/api/v1{path}", headers=self.headers(), timeout=70)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any) -> Any:
        answer = httpx2.post(f"{self.url}/api/v1{path}", json=body, headers=self.headers(), timeout=30)
        assert answer.status_code in (200, 201, 202), answer.text
        return answer.json()

    def run(self, name: str, rounds: int, factors: dict[str, Any] = CELLS, **more: Any) -> str:
        """Submit and start; the run's id. `more` are further fields of the definition."""
        experiment = self.post(
            "/experiments",
            {
                "name": name,
                "title": name,
                "factors": factors,
                "rounds": rounds,
                "seed": 7,
                "baseline": {"path": "same_container", "userland_proxy": True},
                "quality": NOISE_ALLOWED,
            }
            | more,
        )
        started: dict[str, Any] = self.post(f"/experiments/{experiment['id']}/runs", {})
        return str(started["id"])

    def await_run(self, run_id: str, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        deadline = time.monotonic() + RUN_LIMIT_S
        while time.monotonic() < deadline:
            seen: dict[str, Any] = self.get(f"/runs/{run_id}?wait=1")
            if condition(seen):
                return seen
        raise AssertionError(f"{run_id} did not get there: {seen}")

    def worker_pid(self) -> int:
        """The Celery worker, a child of the starter."""
        for child in Path(f"/proc/{self.starter.pid}/task").glob("*/children"):
            for pid in child.read_text().split():
                if "worker.app" in Path(f"/proc/{pid}/cmdline").read_text():
                    return int(pid)
        raise AssertionError("no worker runs")


def terminal(run: dict[str, Any]) -> bool:
    return run["state"] in ("done", "cancelled", "incomplete")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def await_ready(starter: subprocess.Popen[bytes], var: Path) -> None:
    """Wait until the page answers."""
    deadline = time.monotonic() + START_LIMIT_S
    while not (var / "ready.json").exists():
        assert starter.poll() is None, f"the starter ended with code {starter.returncode}"
        assert time.monotonic() < deadline, "not ready in time"
        with contextlib.suppress(subprocess.TimeoutExpired):
            starter.wait(0.2)
