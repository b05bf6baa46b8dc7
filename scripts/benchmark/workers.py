"""Workers of enrolled hosts: latency of claim and record with many of them, and what https adds to a trial.

The API runs in a process of its own with TLS. Fifty simulated workers claim, report and record as real ones
do, each a run of trials that take some seconds; nothing is measured in them. Needs no root.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import secrets
import ssl
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import httpx2

from backend.core.plan.claimed import ClaimedTrial
from backend.queue import connect, publish_events
from backend.settings import Settings
from backend.store.repositories import hosts, runs, trials
from backend.store.session import session_scope
from backend.worker_protocol import PROTOCOL, header, release
from scripts.benchmark.watching import started
from scripts.starter.certificate import make
from tests.accounts import add_account, browser_headers, signed_in
from tests.records import trial_record

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
POINTS: Final = 50
_PATHS: Final = ("same_container", "sibling_container", "published_loopback", "container_address")


@dataclass
class Times:
    """Milliseconds of each kind of request; for several threads."""

    found: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @contextmanager
    def taken(self, kind: str) -> Iterator[None]:
        """Add the time of this context."""
        began = time.perf_counter()
        yield
        self.found[kind].append(1000 * (time.perf_counter() - began))

    def summary(self) -> dict[str, dict[str, float]]:
        """Number, median, 95th percentile and maximum of each kind."""
        return {
            kind: {
                "n": len(values),
                "p50_ms": round(statistics.median(values), 1),
                "p95_ms": round(statistics.quantiles(values, n=20)[-1], 1),
                "max_ms": round(max(values), 1),
            }
            for kind, values in sorted(self.found.items())
        }


class EnrolledWorker:
    """The requests of one enrolled host's worker, on one connection."""

    def __init__(self, url: str, trust: ssl.SSLContext, token: str, name: str, times: Times) -> None:
        headers = {"Authorization": f"Bearer {token}", **header()}
        self._http = httpx2.Client(
            base_url=f"{url}/api/v1/worker", headers=headers, verify=trust, trust_env=False, timeout=30
        )
        self._name, self._times = name, times

    def announce(self) -> None:
        """Announce the host."""
        body = {"capabilities": {}, "environment": {"kernel": "6.12"}, "install_id": "bench"}
        self._http.put("/host", json=body).raise_for_status()

    def claim(self) -> ClaimedTrial | None:
        """Claim a trial."""
        body: dict[str, Any] = {
            "key": secrets.token_urlsafe(12),
            "environment": {"kernel": "6.12"},
            "last": [],
        }
        with self._times.taken("claim"):
            answer = self._http.post("/claims", json=body).raise_for_status()
        found = answer.json()["trial"]
        return None if found is None else ClaimedTrial(**found)

    def beat(self, trial: ClaimedTrial) -> None:
        """Extend the lease."""
        with self._times.taken("heartbeat"):
            path = f"/trials/{trial.trial_id}/heartbeat"
            self._http.post(path, json={"fence": trial.fence}).raise_for_status()

    def seen(self) -> None:
        """Report that the worker runs."""
        body: dict[str, Any] = {
            "conditions": [],
            "disk": None,
            "sent_at": datetime.now(UTC).isoformat(),
            "clock": None,
        }
        with self._times.taken("seen"):
            self._http.post("/seen", json=body).raise_for_status()

    def record(self, trial: ClaimedTrial, payload: dict[str, Any], sha256: str) -> None:
        """Send a record, packed."""
        with self._times.taken("record"):
            body = {"fence": trial.fence, "payload": payload, "sha256": sha256, "failure": None}
            packed = gzip.compress(json.dumps(body).encode(), compresslevel=1)
            headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
            path = f"/trials/{trial.trial_id}/record"
            answer = self._http.put(path, content=packed, headers=headers).raise_for_status()
        assert answer.json()["outcome"] == "recorded", answer.text

    def close(self) -> None:
        """Close the connection."""
        self._http.close()


class DirectWorker:
    """The same requests on the database, as the server's own worker makes them."""

    def __init__(self, settings: Settings, name: str, times: Times) -> None:
        self._settings, self._times = settings, times
        self._redis = connect(settings)
        with session_scope(settings) as session:
            self.host_id = hosts.announce(session, name, {}, {"kernel": "6.12"})

    def claim(self) -> ClaimedTrial | None:
        """Claim a trial."""
        with self._times.taken("claim"):
            with session_scope(self._settings) as session:
                trial = trials.claim(session, self.host_id, "bench")
                if trial is not None:
                    runs.set_environment(session, trial.run_id, {"kernel": "6.12"})
            if trial is not None:
                publish_events(self._redis, trial.run_id)
        return trial

    def beat(self, trial: ClaimedTrial) -> None:
        """Extend the lease."""
        with self._times.taken("heartbeat"), session_scope(self._settings) as session:
            trials.heartbeat(session, trial.trial_id, trial.fence)

    def record(self, trial: ClaimedTrial, payload: dict[str, Any], sha256: str) -> None:
        """Store a record."""
        with self._times.taken("record"):
            with session_scope(self._settings) as session:
                outcome = trials.record(session, trial.trial_id, trial.fence, payload, sha256, None)
            publish_events(self._redis, trial.run_id)
        assert outcome == "recorded"


def measure(seconds: float = SECONDS, workers: int = WORKERS) -> dict[str, Any]:
    """Latencies with many workers at once, and the time of a trial's requests by each way."""
    with tempfile.TemporaryDirectory(prefix="plm-bench-tls-") as folder:
        made = make(("127.0.0.1",), datetime.now(UTC))
        pair = Path(folder) / "server.pem"
        pair.write_bytes(made.key + made.chain)
        trust = ssl.create_default_context(cadata=made.chain.decode())
        with started(pair, quota_active_runs="1000", log_level="warning") as product:
            encrypted = {"tls_cert": pair, "tls_key": pair}  # the name of a browser's cookie depends on it
            settings = product.settings.model_copy(update=encrypted)
            bench = _Bench(settings, product.url, trust, product.cpu_s)
            return {
                "overhead_of_https": bench.alone(),
                "together": [bench.together(workers, seconds, trial_s) for trial_s in TRIAL_S],
            }


@dataclass(frozen=True)
class _Bench:
    settings: Settings
    url: str
    trust: ssl.SSLContext
    cpu_s: Callable[[], float]

    def alone(self) -> dict[str, Any]:
        """One worker of each kind, their trials in turn: the time of claim, heartbeat and record."""
        far, near = Times(), Times()
        enrolled = self._joined("far", far)
        direct = DirectWorker(self.settings, "near", near)
        for name in ("far", "near"):
            self._start_run(name, ALONE)
        sums: dict[str, list[float]] = {"https": [], "direct": []}
        cpu_s = dict.fromkeys(sums, 0.0)
        for _ in range(ALONE):
            for kind, worker in (("https", enrolled), ("direct", direct)):
                used = self.cpu_s()
                sums[kind].append(_trial(worker))
                cpu_s[kind] += self.cpu_s() - used
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
        joined = [self._joined(name, times) for name in names]
        for name in names:
            self._start_run(name, int(seconds / trial_s) + 2)
        used, ends = self.cpu_s(), time.monotonic() + seconds
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
            "services_cpu_ms_per_trial": round(1000 * (self.cpu_s() - used) / recorded, 1),
            "requests_per_s": round(sum(map(len, times.found.values())) / seconds, 1),
            "requests": times.summary(),
        }

    def _joined(self, name: str, times: Times) -> EnrolledWorker:
        admin = browser_headers(self.settings, add_account(self.settings, installation_admin=True))
        with httpx2.Client(base_url=f"{self.url}/api/v1", verify=self.trust, trust_env=False) as api:
            made = api.post("/hosts/enrolments", json={}, headers=admin).raise_for_status().json()
            body = {"secret": made["secret"], "name": name, "nonce": secrets.token_hex(16)}
            body |= {"release": release(), "protocol": PROTOCOL}
            token = api.post("/worker/enrolment", json=body).raise_for_status().json()["token"]
        worker = EnrolledWorker(self.url, self.trust, token, name, times)
        worker.announce()
        return worker

    def _start_run(self, host: str, trials_: int) -> None:
        """Start a run of at least so many trials."""
        document = {
            "name": "bench-workers",
            "title": "Trials of many workers",
            "factors": {"path": list(_PATHS), "duration_s": 10},
            "rounds": max(2, -(-trials_ // len(_PATHS))),
            "baseline": {"path": _PATHS[0]},
        }
        headers = signed_in(self.settings)
        with httpx2.Client(
            base_url=f"{self.url}/api/v1", headers=headers, verify=self.trust, trust_env=False, timeout=60
        ) as api:
            made = api.post("/experiments", json=document).raise_for_status().json()
            path = f"/experiments/{made['id']}/runs"
            api.post(path, json={"host": host}).raise_for_status()


def _trial(worker: EnrolledWorker | DirectWorker) -> float:
    """Milliseconds of one trial's requests: claim, a heartbeat, record."""
    began = time.perf_counter()
    trial = worker.claim()
    claimed = time.perf_counter()
    assert trial is not None, "the run has trials left"
    payload, sha256 = _record(trial)
    ready = time.perf_counter()
    worker.beat(trial)
    worker.record(trial, payload, sha256)
    return 1000 * (claimed - began + time.perf_counter() - ready)


def _record(trial: ClaimedTrial) -> tuple[dict[str, Any], str]:
    """A record of about the size of a worker's, and its hash."""
    payload = trial_record(trial, random.uniform(9000, 11000))
    payload["per_second"] = [{**payload["per_second"][0], "t": float(second)} for second in range(10)]
    cores = dict.fromkeys(("client", "server", "proxy", "kernel", "other"), 0.51234)
    payload["cpu_series"] = [{"t": 0.2 * point, "cores": cores} for point in range(POINTS)]
    payload["commands"][0]["stdout"] = "progress: 1.0 s, 10234.5 tps, lat 0.486 ms stddev 0.113\n" * 20
    text = json.dumps(payload, sort_keys=True, allow_nan=False)
    return payload, hashlib.sha256(text.encode()).hexdigest()


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
        worker.record(trial, *_record(trial))
