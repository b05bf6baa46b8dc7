"""Hosts, groups of runs and a team's usage for the browser: only the records are made up."""

from __future__ import annotations

import random
from typing import Any, Final

from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.repositories import hosts
from backend.store.session import session_scope
from tests.api.client import DOCUMENT, Worker

PATHS: Final = ("same_container", "published_loopback", "host_network")
NAMES: Final = ("bench-1", "bench-2", "metal-in-the-basement.lab.example.org")
CAPABILITIES: Final[dict[str, Any]] = {
    "paths": list(PATHS),
    "engines": ["on", "off", "host"],
    "programs": ["docker-proxy", "rootlesskit-proxy"],
    "reasons": {"path.macvlan": "the kernel has no macvlan", "engine.swarm": "no swarm on this host"},
    "cores": 8,
    "memory_bytes": 16 * 2**30,
    "max_scale": 400,
    "host_userland_proxy": True,
}
EXPERIMENT: Final = DOCUMENT | {
    "name": "ladder",
    "title": "Path ladder on every host of the laboratory",
    "factors": {
        "path": list(PATHS),
        "clients": [1, 16],
        "duration_s": 1,
        "warm_up_s": 0,
    },
    "baseline": {"path": "same_container"},
    "rounds": 10,
    "metrics": ["tps", "cpu_us_per_txn"],
}
KERNELS: Final = ("6.1.0-28-amd64", "6.12.9", "6.12.9")


def seed(api: TestClient, settings: Settings) -> dict[str, str]:
    """Three hosts that measured, one group that ended and one in progress; returns their ids."""
    workers = [_host(settings, name, kernel) for name, kernel in zip(NAMES, KERNELS, strict=True)]
    experiment = api.post("/api/v1/experiments", json=EXPERIMENT).raise_for_status().json()["id"]
    ended = _group(api, experiment)
    for place, worker in enumerate(workers):
        _measure(worker, place)
    _set_environments(settings)
    active = _group(api, experiment)
    claimed = workers[0].claim()
    workers[0].record(claimed)
    return {"ended": ended, "active": active}


def _host(settings: Settings, name: str, kernel: str) -> Worker:
    worker = Worker(settings)
    facts = {
        "kernel": kernel,
        "host": name,
        "cpu": "AMD EPYC 7302P",
        "os": "Debian GNU/Linux 12",
        "cores": "8",
    }
    with session_scope(worker.own) as session:
        worker.host_id = hosts.announce(session, name, CAPABILITIES, facts)
    return worker


def _group(api: TestClient, experiment: str) -> str:
    url = f"/api/v1/experiments/{experiment}/run-groups"
    found: str = api.post(url, json={"hosts": list(NAMES)}).raise_for_status().json()["id"]
    return found


def _set_environments(settings: Settings) -> None:
    """Each run has the environment of its own host; `Worker` gives all of them the same."""
    change = "UPDATE run SET environment = host.environment FROM host WHERE host.id = run.host_id"
    with session_scope(settings) as session:
        session.execute(text(change))


def _measure(worker: Worker, place: int) -> None:
    """Record every trial: the last host's published port costs more than that of the others."""
    noise = random.Random(place)
    cost = {"same_container": 1.0, "host_network": 0.97, "published_loopback": 0.8 if place < 2 else 0.62}
    while worker.open():
        claimed = worker.claim()
        rate = 12_000.0 * (1 + place / 3) * cost[str(claimed.levels["path"])]
        worker.record(claimed, rate * noise.lognormvariate(0, 0.01))


def addresses(api: TestClient, groups: dict[str, str]) -> dict[str, str]:
    """The ids in addresses: of finished and active runs, a trial, an experiment, groups and links."""
    ended, active = (
        [
            each["run_id"]
            for each in api.get(f"/api/v1/run-groups/{group}").raise_for_status().json()["members"]
        ]
        for group in (groups["ended"], groups["active"])
    )
    run = api.get(f"/api/v1/runs/{ended[0]}").raise_for_status().json()
    trial = api.get(f"/api/v1/runs/{run['id']}/trials").raise_for_status().json()["data"][0]
    private, posted = (
        api.post(f"/api/v1/runs/{run['id']}/shares", json={"kind": kind}).raise_for_status().json()["token"]
        for kind in ("private", "unfurl")
    )
    schedule = api.post(
        f"/api/v1/experiments/{run['experiment_id']}/schedules",
        json={"cron": "0 2 * * *", "time_zone": "UTC", "hosts": [NAMES[-1]]},
    )
    return {
        "scheduleId": schedule.raise_for_status().json()["id"],
        "runId": run["id"],
        "cellId": trial["cell_id"],
        "round": str(trial["round"]),
        "trialId": trial["id"],
        "otherRunId": ended[1],
        "activeRunId": active[0],
        "groupId": groups["ended"],
        "activeGroupId": groups["active"],
        "experimentId": run["experiment_id"],
        "host": NAMES[-1],
        "token": private,
        "posted": posted,
    }
