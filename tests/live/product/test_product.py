"""The whole product on real engines: a small study, a killed worker, a cancelled run, and the host."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.live.conftest import ROOT
from tests.live.product.installation import CELLS, Product, terminal


def test_the_small_study_runs_and_every_path_is_proven(product: Product, study: dict[str, Any]) -> None:
    run_id = study["id"]
    assert study["state"] == "done", study
    assert study["progress"] | {"eta_s": None} == {
        "total": 5,
        "done": 5,
        "failed": 0,
        "cancelled": 0,
        "skipped": 0,
        "spared": 0,
        "made_up": 0,
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
    assert len(by_label) == 5
    through = by_label["published_loopback", True, False]
    roles = {share["role"]: share["us_per_txn"] for share in through["cpu"]}
    assert roles["proxy"] > 5
    assert all(cell["evidence"]["proven"] == 1 for cell in chart["cells"])
    record = product.get(f"/trials/{trials[0]['id']}")["record"]
    (measured,) = (one for one in record["commands"] if one["purpose"] == "measure")
    assert measured["argv"][0] == "pgbench"
    assert "number of transactions actually processed" in measured["stdout"]


@pytest.mark.full
def test_a_comparison_decided_by_an_interim_analysis_is_not_measured_further(product: Product) -> None:
    """docker-proxy halves the rate of small requests: seven rounds show it, so the others are skipped."""
    paths = CELLS | {"userland_proxy": [True]}
    stopping = {"every": 4, "at_most": 15}
    run_id = product.run("looks", rounds=7, factors=paths, stopping=stopping)
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


@pytest.mark.full
def test_a_killed_worker_costs_one_attempt_and_leaves_nothing(product: Product) -> None:
    run_id = product.run("killed", rounds=2, factors=CELLS | {"duration_s": [2]})
    product.await_run(run_id, lambda run: run["progress"]["done"] >= 1 and run["current"] is not None)
    victim = product.worker_pid()
    killed = product.get(f"/runs/{run_id}")["current"]["trial_id"]
    os.kill(victim, signal.SIGKILL)
    done = product.await_run(run_id, terminal)
    assert done["state"] == "done", done
    assert done["progress"]["done"] == 10
    trials = product.get(f"/runs/{run_id}/trials")["data"]
    assert len({(trial["cell_id"], trial["round"]) for trial in trials}) == len(trials) == 10
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
    assert done["progress"]["cancelled"] == 20
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
