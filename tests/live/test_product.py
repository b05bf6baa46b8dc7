"""The whole product on real engines: a small study, a killed worker, a cancelled run, and the host."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from backend.cli import local_access
from tests.live.conftest import ROOT
from tests.live.folders import forget_engines, new_folder
from tests.live.host import snapshot
from worker.engine.names import InstallPaths
from worker.topology.testbed import Testbed

NOISE_ALLOWED = {"wait_for_quiet_s": 0, "max_other_cores": None, "max_steal": None, "retakes": 0}
"""These tests do not wait for a quiet host."""
CELLS = {
    "path": ["same_container", "sibling_container", "published_loopback"],
    "userland_proxy": [True, False],
    "scale": [1],
    "duration_s": [2],
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


@pytest.fixture(scope="module")
def product(testbed: Testbed, install: InstallPaths) -> Iterator[Product]:
    """A complete installation; after its stop the host must be unchanged."""
    var = new_folder("live-product", install)
    before = snapshot("none")
    port = free_port()
    starter = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "scripts.starter",
            "--root",
            str(ROOT),
            "--var",
            str(var),
            "--port",
            str(port),
        ],
        cwd=ROOT,
    )
    try:
        _await_ready(starter, var)
        made = Product(f"http://127.0.0.1:{port}", starter, var, (var / "install-id").read_text().strip())
        yield made
    finally:
        starter.send_signal(signal.SIGTERM)
        code = starter.wait(120)
        forget_engines(var)
    assert code == 0
    after = snapshot(made.install_id, (var,))
    assert after == before
    assert not Path("/run", f"plimsoll-{made.install_id}").exists()


def _await_ready(starter: subprocess.Popen[bytes], var: Path) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while not (var / "ready.json").exists():
        assert starter.poll() is None, f"the starter ended with code {starter.returncode}"
        assert time.monotonic() < deadline, "not ready in time"
        with contextlib.suppress(subprocess.TimeoutExpired):
            starter.wait(0.2)


def test_the_small_study_runs_and_every_path_is_proven(product: Product) -> None:
    run_id = product.run("study-small", rounds=2)
    done = product.await_run(run_id, terminal)
    assert done["state"] == "done", done
    assert done["progress"] | {"eta_s": None} == {
        "total": 14,
        "done": 14,
        "failed": 0,
        "cancelled": 0,
        "skipped": 0,
        "spared": 0,
        "running": 0,
        "eta_s": None,
    }
    trials = product.get(f"/runs/{run_id}/trials")["data"]
    unproven = [trial["id"] for trial in trials if trial["evidence_verdict"] != "proven"]
    assert not unproven, [product.get(f"/trials/{id_}")["record"]["evidence"] for id_ in unproven]
    chart = product.get(f"/runs/{run_id}/result")
    by_label = {
        (c["levels"]["path"], c["levels"]["userland_proxy"], c["is_duplicate"]): c for c in chart["cells"]
    }
    assert len(by_label) == 7
    through = by_label["published_loopback", True, False]
    roles = {share["role"]: share["us_per_txn"] for share in through["cpu"]}
    assert roles["proxy"] > 5
    assert all(cell["evidence"]["proven"] == 2 for cell in chart["cells"])
    record = product.get(f"/trials/{trials[0]['id']}")["record"]
    assert record["commands"][-1]["argv"][0] == "pgbench"
    assert "number of transactions actually processed" in record["commands"][-1]["stdout"]


def test_a_comparison_decided_by_an_interim_analysis_is_not_measured_further(product: Product) -> None:
    """docker-proxy halves the rate of small requests: seven rounds show it, so the others are skipped."""
    paths = CELLS | {"path": ["same_container", "published_loopback"], "userland_proxy": [True]}
    stopping = {"every": 4, "at_most": 15}
    run_id = product.run("looks", rounds=7, factors=paths | {"duration_s": [1]}, stopping=stopping)
    done = product.await_run(run_id, terminal)
    progress = done["progress"]
    assert done["state"] == "done" and progress["total"] == 45, done
    assert progress["done"] + progress["skipped"] == 45 and progress["failed"] == 0
    chart = product.get(f"/runs/{run_id}/result")
    assert chart["looks"]["planned"] == [7, 11, 15]
    proxied = next(cell for cell in chart["cells"] if cell["levels"]["path"] == "published_loopback")
    assert proxied["comparisons"]["tps"]["verdict"] == "worse"
    assert proxied["decided_at"] in chart["looks"]["taken"]
    trials = product.get(f"/runs/{run_id}/trials")["data"]
    late = {
        t["state"] for t in trials if t["cell_id"] == proxied["id"] and t["round"] > proxied["decided_at"]
    }
    assert late == ({"spared"} if proxied["decided_at"] < 15 else set())
    assert all(t["state"] == "done" for t in trials if t["round"] <= proxied["decided_at"])


def test_a_killed_worker_costs_one_attempt_and_leaves_nothing(product: Product) -> None:
    run_id = product.run("killed", rounds=2, factors=CELLS | {"duration_s": [4]})
    product.await_run(run_id, lambda run: run["progress"]["done"] >= 1 and run["current"] is not None)
    victim = product.worker_pid()
    killed = product.get(f"/runs/{run_id}")["current"]["trial_id"]
    os.kill(victim, signal.SIGKILL)
    done = product.await_run(run_id, terminal)
    assert done["state"] == "done", done
    assert done["progress"]["done"] == 14
    trials = product.get(f"/runs/{run_id}/trials")["data"]
    assert len({(trial["cell_id"], trial["round"]) for trial in trials}) == len(trials) == 14
    outcomes = [entry["outcome"] for entry in product.get(f"/trials/{killed}")["history"]]
    assert outcomes == ["lost", "recorded"]
    assert product.worker_pid() != victim
    assert _engines(product.install_id) == 2
    checked = subprocess.run(
        [str(Path(sys.executable).with_name("plimsoll")), "check-invariants"],
        env=os.environ | environment(product),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_cancelled_run_stops_within_seconds(product: Product) -> None:
    run_id = product.run("cancelled", rounds=4, factors=CELLS | {"duration_s": [60]})
    product.await_run(run_id, lambda run: run["current"] is not None)
    began = time.monotonic()
    product.post(f"/runs/{run_id}:cancel", {})
    done = product.await_run(run_id, terminal)
    assert done["state"] == "cancelled"
    assert done["progress"]["cancelled"] == 28
    assert time.monotonic() - began < 30, "a trial of 60 s must not be waited for"


def environment(product: Product) -> dict[str, str]:
    """The environment of this installation's processes, read from its worker."""
    raw = Path(f"/proc/{product.worker_pid()}/environ").read_text()
    pairs = (item.partition("=") for item in raw.split("\0") if item.startswith("PLIMSOLL_"))
    return {name: value for name, _, value in pairs}


def _engines(install_id: str) -> int:
    """The number of running daemons of this installation."""
    wanted = f"/run/plimsoll-{install_id}/engines/"
    lines = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            lines.append(entry.read_text())
    return sum(line.startswith("dockerd\0") and wanted in line for line in lines)


def test_the_ledger_names_only_existing_things(product: Product) -> None:
    standing: dict[tuple[str, str], str] = {}
    for line in (product.var / "ledger.jsonl").read_text().splitlines():
        entry = json.loads(line)
        standing[entry["kind"], entry["name"]] = entry["op"]
    made = Counter(kind for (kind, _), op in standing.items() if op == "made")
    # Two engines, and the wire with a link to each; two daemons an engine.
    assert made == {"mount_root": 2, "mounts": 2, "netns": 3, "link": 2, "process": 4}
