"""Workers of enrolled hosts: latency of claim and record with many of them, and what https adds to a trial.

The API runs in a process of its own with TLS. Fifty simulated workers claim, report and record as real ones
do, each a run of trials that take some seconds; nothing is measured in them. Needs no root.
"""

from __future__ import annotations

import random
import statistics
import threading
import time
from dataclasses import dataclass
from typing import Any, Final

from scripts.benchmark.simulated_workers import DirectWorker, EnrolledWorker, Server, Times, measured, server
from tests.accounts import signed_in

WORKERS: Final = 50
TRIAL_S: Final = (5.0, 2.5)
"""Seconds from claim to record of a simulated trial: fifty workers make 10 and 20 trials a second of them.

With the defaults, 2 s of warm-up and a window of 10 s, they make 4 at most. The shortest trial has a window
of 1 s, and containers to start and stop beside it.
"""
SECONDS: Final = 60.0
BEAT_S: Final = 2.5
SEEN_S: Final = 10.0
ALONE: Final = 200
"""Trials of one worker, by each way to the database in turn."""
_PATHS: Final = ("same_container", "sibling_container", "published_loopback", "container_address")


def measure(seconds: float = SECONDS, workers: int = WORKERS) -> dict[str, Any]:
    """Latencies with many workers at once, and the time of a trial's requests by each way."""
    with server() as running:
        bench = _Bench(running)
        return {
            "overhead_of_https": bench.alone(),
            "together": [bench.together(workers, seconds, trial_s) for trial_s in TRIAL_S],
        }


@dataclass(frozen=True)
class _Bench:
    server: Server

    def alone(self) -> dict[str, Any]:
        """One worker of each kind, their trials in turn: the time of claim, heartbeat and record."""
        far, near = Times(), Times()
        enrolled = self.server.joined("far", far)
        direct = DirectWorker(self.server.settings, "near", near)
        for name in ("far", "near"):
            self._start_run(name, ALONE)
        sums: dict[str, list[float]] = {"https": [], "direct": []}
        cpu_s = dict.fromkeys(sums, 0.0)
        for _ in range(ALONE):
            for kind, worker in (("https", enrolled), ("direct", direct)):
                used = self.server.cpu_s()
                sums[kind].append(_trial(worker))
                cpu_s[kind] += self.server.cpu_s() - used
        enrolled.close()
        medians = {kind: statistics.median(values) for kind, values in sums.items()}
        return {
            "trials": ALONE,
            "https_ms_per_trial": round(medians["https"], 1),
            "direct_ms_per_trial": round(medians["direct"], 1),
            "added_ms_per_trial": round(medians["https"] - medians["direct"], 1),
            "services_cpu_ms_per_trial": {kind: round(1000 * s / ALONE, 1) for kind, s in cpu_s.items()},
            "https": far.summary(),
            "direct": near.summary(),
        }

    def together(self, workers: int, seconds: float, trial_s: float) -> dict[str, Any]:
        """Many workers at once, each with its own run of trials of `trial_s` seconds."""
        times = Times()
        names = [f"rack-{number}-{trial_s:g}" for number in range(workers)]
        joined = [self.server.joined(name, times) for name in names]
        for name in names:
            self._start_run(name, int(seconds / trial_s) + 2)
        used, ends = self.server.cpu_s(), time.monotonic() + seconds
        threads = [threading.Thread(target=_work, args=(worker, ends, trial_s)) for worker in joined]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for worker in joined:
            worker.close()
        recorded = len(times.found["record"])
        return {
            "workers": workers,
            "seconds": seconds,
            "trial_s": trial_s,
            "records": recorded,
            "trials_per_s": round(recorded / seconds, 1),
            "services_cpu_ms_per_trial": round(1000 * (self.server.cpu_s() - used) / recorded, 1),
            "requests_per_s": round(sum(map(len, times.found.values())) / seconds, 1),
            "requests": times.summary(),
        }

    def _start_run(self, host: str, trials_: int) -> None:
        """Start a run of at least so many trials."""
        document = {
            "name": "bench-workers",
            "title": "Trials of many workers",
            "factors": {"path": list(_PATHS), "duration_s": 10},
            "rounds": max(2, -(-trials_ // len(_PATHS))),
            "baseline": {"path": _PATHS[0]},
        }
        with self.server.client(signed_in(self.server.settings)) as api:
            made = api.post("/experiments", json=document).raise_for_status().json()
            path = f"/experiments/{made['id']}/runs"
            api.post(path, json={"host": host}).raise_for_status()


def _trial(worker: EnrolledWorker | DirectWorker) -> float:
    """Milliseconds of one trial's requests: claim, a heartbeat, record."""
    began = time.perf_counter()
    trial = worker.claim()
    claimed = time.perf_counter()
    assert trial is not None, "the run has trials left"
    payload, sha256 = measured(trial)
    ready = time.perf_counter()
    worker.beat(trial)
    worker.record(trial, payload, sha256)
    return 1000 * (claimed - began + time.perf_counter() - ready)


def _work(worker: EnrolledWorker, ends: float, trial_s: float) -> None:
    """Claim, report and record until the end, the first trial after a random part of one."""
    time.sleep(random.uniform(0, trial_s))
    seen_at = time.monotonic() + random.uniform(0, SEEN_S)
    while time.monotonic() < ends and (trial := worker.claim()) is not None:
        due = time.monotonic() + trial_s
        while (left := due - time.monotonic()) > 0:
            time.sleep(min(BEAT_S, left))
            if left > BEAT_S or trial_s <= BEAT_S:
                worker.beat(trial)
            if time.monotonic() > seen_at:
                worker.seen()
                seen_at += SEEN_S
        worker.record(trial, *measured(trial))
