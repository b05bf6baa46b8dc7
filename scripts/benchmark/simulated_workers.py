"""Simulated workers: the requests of an enrolled host's worker over HTTPS, and those of the server's own."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import secrets
import ssl
import statistics
import tempfile
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
from tests.accounts import add_account, browser_headers
from tests.records import trial_record

POINTS: Final = 50


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


@dataclass(frozen=True)
class Server:
    """An API with TLS: its settings, its URL, whom to trust, and the CPU seconds of its services so far."""

    settings: Settings
    url: str
    trust: ssl.SSLContext
    cpu_s: Callable[[], float]

    def client(self, headers: dict[str, str] | None = None) -> httpx2.Client:
        """A client of the API."""
        return httpx2.Client(
            base_url=f"{self.url}/api/v1", headers=headers, verify=self.trust, trust_env=False, timeout=60
        )

    def joined(self, name: str, times: Times) -> EnrolledWorker:
        """The worker of a new host, which has announced itself."""
        admin = browser_headers(self.settings, add_account(self.settings, installation_admin=True))
        with self.client() as api:
            made = api.post("/hosts/enrolments", json={}, headers=admin).raise_for_status().json()
            body = {"secret": made["secret"], "name": name, "nonce": secrets.token_hex(16)}
            body |= {"release": release(), "protocol": PROTOCOL}
            token = api.post("/worker/enrolment", json=body).raise_for_status().json()["token"]
        worker = EnrolledWorker(self.url, self.trust, token, name, times)
        worker.announce()
        return worker


@contextmanager
def server() -> Iterator[Server]:
    """The services, the API in a process of its own with TLS."""
    with tempfile.TemporaryDirectory(prefix="plm-bench-tls-") as folder:
        made = make(("127.0.0.1",), datetime.now(UTC))
        pair = Path(folder) / "server.pem"
        pair.write_bytes(made.key + made.chain)
        trust = ssl.create_default_context(cadata=made.chain.decode())
        with started(pair, quota_active_runs="1000", log_level="warning") as product:
            encrypted = {"tls_cert": pair, "tls_key": pair}  # the name of a browser's cookie depends on it
            settings = product.settings.model_copy(update=encrypted)
            yield Server(settings, product.url, trust, product.cpu_s)


def measured(trial: ClaimedTrial) -> tuple[dict[str, Any], str]:
    """A record of about the size of a worker's, and its hash."""
    payload = trial_record(trial, random.uniform(9000, 11000))
    payload["per_second"] = [{**payload["per_second"][0], "t": float(second)} for second in range(10)]
    cores = dict.fromkeys(("client", "server", "proxy", "kernel", "other"), 0.51234)
    payload["cpu_series"] = [{"t": 0.2 * point, "cores": cores} for point in range(POINTS)]
    payload["commands"][0]["stdout"] = "progress: 1.0 s, 10234.5 tps, lat 0.486 ms stddev 0.113\n" * 20
    text = json.dumps(payload, sort_keys=True, allow_nan=False)
    return payload, hashlib.sha256(text.encode()).hexdigest()
