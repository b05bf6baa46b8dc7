"""One experiment on three hosts: the time from start to end, against that of the slowest host alone."""

from __future__ import annotations

import threading
import time
from typing import Any, Final

from scripts.benchmark.simulated_workers import EnrolledWorker, Server, Times, measured, server
from tests.accounts import signed_in

TRIAL_S: Final = {"quick": 0.6, "middle": 0.9, "slow": 1.2}
"""Seconds of a trial on each host; nothing is measured in it."""
ROUNDS: Final = 4
POLL_S: Final = 0.05
"""Pause of a worker that found nothing to claim."""
_PATHS: Final = ("same_container", "sibling_container", "published_loopback", "container_address")


def measure() -> dict[str, Any]:
    """Seconds of the slowest host's run alone and in the group, and of the group; their ratio."""
    with server() as running:
        workers = {name: running.joined(name, Times()) for name in TRIAL_S}
        slowest = max(TRIAL_S, key=lambda name: TRIAL_S[name])
        alone = _ended_after(running, {slowest: workers[slowest]})
        together = _ended_after(running, workers)
        for worker in workers.values():
            worker.close()
    return {
        "trials_of_each_host": ROUNDS * len(_PATHS),
        "slowest_alone_s": round(alone[slowest], 2),
        "together_s": {name: round(seconds, 2) for name, seconds in together.items()},
        "group_against_slowest_alone": round(max(together.values()) / alone[slowest], 3),
    }


def _ended_after(running: Server, workers: dict[str, EnrolledWorker]) -> dict[str, float]:
    """Seconds from the start of a group to the end of each host's last trial."""
    document = {
        "name": "bench-group",
        "title": "A group of hosts",
        "factors": {"path": list(_PATHS), "duration_s": 1, "warm_up_s": 0},
        "rounds": ROUNDS,
        "baseline": {"path": _PATHS[0]},
    }
    ended: dict[str, float] = {}
    threads = [threading.Thread(target=_run, args=(name, worker, ended)) for name, worker in workers.items()]
    with running.client(signed_in(running.settings)) as api:
        made = api.post("/experiments", json=document).raise_for_status().json()
        began = time.monotonic()
        for thread in threads:
            thread.start()
        path = f"/experiments/{made['id']}/run-groups"
        api.post(path, json={"hosts": list(workers)}).raise_for_status()
    for thread in threads:
        thread.join()
    return {name: at - began for name, at in ended.items()}


def _run(name: str, worker: EnrolledWorker, ended: dict[str, float]) -> None:
    """Carry out every trial of the host's run."""
    for _ in range(ROUNDS * len(_PATHS)):
        while (trial := worker.claim()) is None:
            time.sleep(POLL_S)
        time.sleep(TRIAL_S[name])
        worker.record(trial, *measured(trial))
    ended[name] = time.monotonic()
