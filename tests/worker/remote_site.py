"""A server with one enrolled host, and its worker: real API, real PostgreSQL, a proxy between them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.core.definition.canonical import canonical, digest
from backend.core.definition.submitted import validate_document
from backend.core.errors import EngineUnavailable
from backend.core.plan.build import build_plan
from backend.core.plan.claimed import ClaimedTrial
from backend.core.plan.stored import to_store
from backend.core.sample.record import TrialRecord
from backend.settings import Settings
from backend.store import grants, invariants
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import experiments, runs
from backend.store.session import dispose, session_scope
from scripts.starter.certificate import Pair
from tests.accounts import add_account, browser_headers
from tests.api.http_worker import HttpWorker
from tests.api.running import running
from tests.fault_proxy import FaultProxy, fault_proxy
from tests.records import trial_record
from tests.services import as_role
from tests.store.queued_run import QueuedRun
from tests.worker.conftest import FakeTestbed
from worker import reports
from worker import runtime as runtime_module
from worker.runtime import WorkerRuntime
from worker.trial import execute
from worker.workload.hooks import Hooks, Stopped

DOCUMENT = {
    "quality": {"wait_for_quiet_s": 0, "max_other_cores": None, "max_steal": None, "retakes": 0},
    "name": "far-away",
    "title": "Far away",
    "factors": {"path": ["same_container", "container_address"], "duration_s": 1, "warm_up_s": 0},
    "baseline": {"path": "same_container"},
    "metrics": ["tps"],
    "rounds": 2,
    "stopping": {"every": 2, "at_most": 4},
}
LIMIT_S = 60.0
"""A condition that is not met by then never will be."""
WAIT_S = 0.02


class HostTestbed(FakeTestbed):
    """The fake testbed with the other methods that the runtime calls."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def capabilities(self) -> dict[str, Any]:
        return {"cores": 4}

    def engines(self) -> frozenset[str]:
        return frozenset({"on"})

    def environment(self) -> dict[str, str]:
        return {"kernel": "6.1"}

    def changing_environment(self) -> dict[str, str]:
        return {"kernel": "6.1"}


def add_run(settings: Settings, host_id: str, document: dict[str, Any] | None = None) -> QueuedRun:
    """A queued run of two cells and an A/A duplicate in two rounds, with an interim analysis between."""
    found = validate_document(document or DOCUMENT)
    fixed = found.model_copy(update={"rounds": 2, "stopping": None})
    plan = replace(build_plan(fixed, lambda _levels: None), interim_rounds=(1, 2))
    levels = {cell.id: cell.levels for cell in plan.cells}
    rows = [{**asdict(trial), "levels": levels[trial.cell_id]} for trial in plan.trials]
    with session_scope(settings) as session:
        stored, _ = experiments.add(session, DEFAULT_TEAM, canonical(found), digest(found))
        run_id = runs.create(session, stored.id, host_id, to_store(plan), rows).id
    return QueuedRun(settings, host_id, run_id, stored.id)


@dataclass
class Site:
    """The server's database, the proxy, and the worker of the host far-1."""

    owner: Settings
    worker_settings: Settings
    joined: HttpWorker
    proxy: FaultProxy
    runtime: WorkerRuntime
    queued: QueuedRun

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for what the worker's threads do."""
        pause = threading.Event()
        for _ in range(int(LIMIT_S / WAIT_S)):
            if condition():
                return
            pause.wait(WAIT_S)
        states = self.queued.sql("SELECT seq, state, fence FROM trial ORDER BY seq")
        raise AssertionError(f"{states} {[passed.operation for passed in self.proxy.passed[-20:]]}")

    @property
    def testbed(self) -> HostTestbed:
        found = self.runtime._testbed
        assert isinstance(found, HostTestbed)
        return found

    def count(self, state: str) -> int:
        """The number of trials in a state."""
        ((number,),) = self.queued.sql("SELECT count(*) FROM trial WHERE state = :state", state=state)
        return int(number)

    def claims(self) -> int:
        """The number of claims that the server got."""
        return sum(passed.operation == "POST /claims" for passed in self.proxy.passed)

    def has_ended(self) -> bool:
        return self.queued.run()["finished_at"] is not None

    def assert_whole(self) -> None:
        """Every trial recorded once or skipped, no trial lost, nothing in the spool, no lease left."""
        sql = self.queued.sql
        assert self.queued.call(invariants.violations) == []
        progress = self.queued.run()["progress"]
        assert progress["done"] > 0 and progress["done"] + progress["skipped"] == progress["total"], progress
        assert sql("SELECT count(*) FROM trial WHERE lease_until IS NOT NULL") == [(0,)]
        (done,), (results,) = sql("SELECT count(*) FROM trial WHERE state = 'done' UNION ALL "
                                  "SELECT count(*) FROM result")  # fmt: skip
        assert done == results
        ends = sql("SELECT data ->> 'trial_id', count(*) FROM event WHERE kind = 'trial' "
                   "AND data ->> 'state' = 'done' GROUP BY 1 HAVING count(*) > 1")  # fmt: skip
        assert ends == []
        spool = self.runtime._spool
        assert list(spool.folder.glob("*.json")) == [] and spool.quarantined() == []
        assert all(condition["until"] for condition in self.runtime.conditions.as_json())


class MadeUp:
    """In place of the measurement of a trial: the first one meets a fault of the host, the others succeed.

    A measurement ends after a heartbeat was sent.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.measured: list[str] = []
        self.failed = False
        self.after: Callable[[], object] = lambda: None
        """What happens when a trial has been measured."""
        self.waits_for_stop = False
        self._beaten = threading.Event()
        beat = execute._Heartbeat._beat

        def noted(heartbeat: Any) -> None:
            real = heartbeat._queue.heartbeat

            class Queue:
                def heartbeat(self, trial: ClaimedTrial) -> Any:
                    try:
                        return real(trial)
                    finally:
                        beaten.set()

            heartbeat._queue = Queue()
            beat(heartbeat)

        beaten = self._beaten
        monkeypatch.setattr(execute, "HEARTBEAT_S", 0.001)
        monkeypatch.setattr(execute._Heartbeat, "_beat", noted)
        monkeypatch.setattr(execute, "_measure_once", self.measure)

    def measure(self, trial: ClaimedTrial, _testbed: Any, hooks: Hooks, _gate: Any) -> TrialRecord:
        """A record of the trial."""
        assert self._beaten.wait(LIMIT_S)
        self._beaten.clear()
        if not self.failed:
            self.failed = True
            raise EngineUnavailable("dockerd is gone, once")
        self.measured.append(trial.trial_id)
        self.after()
        pause = threading.Event()
        while self.waits_for_stop:
            if (stop := hooks.stop_wanted()) is not None:
                raise Stopped(stop)
            pause.wait(WAIT_S)
        factor = 1.0 if trial.levels["path"] == "same_container" else (0.8, 1.25)[trial.round % 2]
        return TrialRecord.model_validate(trial_record(trial, 1e4 * factor * (1 + trial.round / 1e4)))


@contextmanager
def remote_site(
    owner: Settings,
    testbed: FakeTestbed,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    certificate: Pair | None = None,
) -> Iterator[Site]:
    """A server, and a worker that has not been opened yet.

    With a certificate the server speaks TLS, and the worker, which knows the fingerprint, uses no proxy.
    """
    api = as_role(owner, grants.API)
    if certificate is not None:
        api = with_certificate(api, folder, certificate)
    scheme = "http" if certificate is None else "https"
    headers = browser_headers(api, add_account(api, installation_admin=True))
    with (
        running(server_config(create_app(api), api), scheme) as base,
        fault_proxy(base) as proxy,
        httpx2.Client(base_url=base, trust_env=False, timeout=60, verify=False) as client,
    ):
        joined = HttpWorker.joined(client, headers)  # type: ignore[arg-type]  # as httpx2's own client
        token = folder / "token"
        token.write_text(joined.token)
        token.chmod(0o600)
        settings = Settings(
            server_url=proxy.url if certificate is None else base,
            server_fingerprint=None if certificate is None else certificate.fingerprint,
            host_token_file=token, host_name=joined.name,
            var_dir=folder / "far" / "var", runtime_dir=folder / "far" / "run",
        )  # fmt: skip
        runtime = begin(settings, testbed, folder, monkeypatch)
        try:
            yield Site(owner, settings, joined, proxy, runtime, add_run(owner, joined.host_id))
        finally:
            runtime.close()
            dispose(api)


def with_certificate(settings: Settings, folder: Path, pair: Pair) -> Settings:
    """The settings of a server with this certificate."""
    files = {"tls_cert": folder / "server.pem", "tls_key": folder / "server-key.pem"}
    files["tls_cert"].write_bytes(pair.chain)
    files["tls_key"].write_bytes(pair.key)
    return settings.model_copy(update=files)


def begin(
    settings: Settings, testbed: FakeTestbed, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> WorkerRuntime:
    """A worker of the host, with the fake engine; its threads do not run yet."""
    monkeypatch.setattr(runtime_module, "POLL_S", 0.05)
    monkeypatch.setattr(reports, "HEARTBEAT_S", 0.05)
    runtime = WorkerRuntime(settings, folder)
    runtime._testbed = HostTestbed(testbed.engine)  # type: ignore[assignment]  # in place of the lab's
    monkeypatch.setattr(runtime, "_leftovers", lambda: {"containers": "2: a, b"})
    return runtime
