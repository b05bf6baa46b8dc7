"""Docker is upgraded, the daemon restarted or the host rebooted while a run is measured."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.core.errors import EngineUnavailable
from backend.core.plan.claimed import ClaimedTrial
from backend.core.sample.record import TrialRecord
from backend.core.topology.deployment import EngineSpec
from backend.settings import Settings
from backend.store import grants, invariants
from backend.store.session import dispose
from tests.accounts import add_account, browser_headers
from tests.records import trial_record
from tests.services import as_role
from tests.store.queued_run import QueuedRun
from tests.worker.conftest import FakeTestbed
from tests.worker.remote_site import add_run, remote_site
from tests.worker.test_testbed import FakeEnginePool, testbed
from worker.engine import programs
from worker.engine.programs import OF_DOCKER, docker_proxy_digest, running_program_digest
from worker.host import environment
from worker.runtime import WorkerRuntime
from worker.topology.engine_pool import EngineHandle
from worker.topology.testbed import Testbed
from worker.trial import execute

__all__ = ["testbed"]
OLD, NEW = "27.1.1", "27.2.0"


def put(folder: Path, version: str) -> None:
    """Install Docker's programs of this version as dpkg does: new files, renamed over the old ones."""
    for name in OF_DOCKER:
        new = folder / f"{name}.dpkg-new"
        new.write_text(version)
        new.chmod(0o755)
        new.rename(folder / name)


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of Docker's programs; an engine has the version that they had when it was started."""
    folder = tmp_path / "docker"
    folder.mkdir()
    put(folder, OLD)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    start = FakeEnginePool._start_lab

    def with_version(pool: FakeEnginePool, key: str, spec: EngineSpec) -> EngineHandle:
        return replace(start(pool, key, spec), versions={"docker": (folder / "dockerd").read_text()})

    monkeypatch.setattr(FakeEnginePool, "_start_lab", with_version)
    return folder


@dataclass
class Worker:
    """A worker whose trials are made up on the real testbed's engines, which are fake."""

    runtime: WorkerRuntime
    testbed: Testbed
    owner: Settings
    host_id: str
    measured: list[str]
    before: Callable[[int], None] = lambda _number: None
    """Called with the number of earlier measurements when one begins; may raise."""

    def measure(self, trial: ClaimedTrial, testbed: Testbed, hooks: Any, _gate: Any) -> TrialRecord:
        self.before(len(self.measured))
        setup = testbed.setup(trial.levels, replica=trial.replica, hooks=hooks)
        try:
            self.measured.append(trial.trial_id)
            record = trial_record(trial, 1e4 * (1 + trial.round / 1e4))
            return TrialRecord.model_validate(record | {"versions": setup.versions(testbed.tools)})
        finally:
            setup.close()

    def run(self) -> QueuedRun:
        """A run, measured to its end."""
        queued = add_run(self.owner, self.host_id)
        for _ in range(40):
            self.runtime._breaker.succeeded()  # no pauses between the attempts
            self.runtime.turn()
            if queued.run()["finished_at"] is not None:
                break
        assert queued.run()["state"] == "done", queued.sql("SELECT state, fence FROM trial")
        assert queued.call(invariants.violations) == []
        return queued


@pytest.fixture(params=["of the server", "joined"])
def worker(
    request: pytest.FixtureRequest,
    owner_settings: Settings,
    settings: Settings,
    docker: Path,
    testbed: Testbed,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Worker]:
    def made(runtime: WorkerRuntime) -> Worker:
        runtime._testbed = testbed
        runtime._announcement.refresh(runtime._testbed)
        assert runtime._begin()
        found = Worker(runtime, testbed, owner_settings, "", [])
        monkeypatch.setattr(execute, "_measure_once", found.measure)
        return found

    if request.param == "joined":
        with remote_site(owner_settings, FakeTestbed(testbed._pool.made[0]), tmp_path, monkeypatch) as site:  # type: ignore[attr-defined]
            site.queued.sql("DELETE FROM run")
            found = made(site.runtime)
            found.host_id = site.joined.host_id
            yield found
    else:
        runtime = WorkerRuntime(settings, settings.var_dir)
        found = made(runtime)
        found.host_id = runtime._queue.host_id  # type: ignore[attr-defined]
        yield found
        runtime.close()


def docker_versions(queued: QueuedRun) -> list[str]:
    """The engine's version in the record of each trial, in the order of measurement."""
    return [
        row[0]
        for row in queued.sql(
            "SELECT r.payload -> 'versions' ->> 'docker' FROM result r JOIN trial t ON t.id = r.trial_id "
            "WHERE t.run_id = :run ORDER BY t.seq",
            run=queued.run_id,
        )
    ]


def environment_of(queued: QueuedRun) -> str:
    """The engine's version in the environment of the run."""
    found = "SELECT environment ->> 'engine on docker' FROM run WHERE id = :run"
    return str(queued.sql(found, run=queued.run_id)[0][0])


def warnings(owner: Settings, queued: QueuedRun) -> str:
    """What the result, which the page shows, warns of."""
    api = as_role(owner, grants.API)
    headers = browser_headers(api, add_account(api))
    with TestClient(create_app(api), base_url="http://127.0.0.1:8420") as client:
        answer = client.get(f"/api/v1/runs/{queued.run_id}/result", headers=headers)
    dispose(api)
    assert answer.status_code == 200, answer.text
    return "\n".join(answer.json()["warnings"])


def test_an_upgrade_between_two_trials(worker: Worker, docker: Path) -> None:
    """The engines start again, so that no trial mixes an old daemon with a new runc; the result says so."""

    def upgrade(number: int) -> None:
        if number == 3:
            put(docker, NEW)

    worker.before = upgrade
    queued = worker.run()
    assert docker_versions(queued) == [OLD] * 3 + [NEW] * 3
    assert queued.sql("SELECT count(*) FROM trial WHERE fence > 1") == [(0,)], "no attempt was lost"
    warned = warnings(worker.owner, queued)
    assert f"docker changed during the run ({OLD}, then {NEW})" in warned
    assert "mix trials from before and after" in warned
    assert environment_of(queued) == OLD, "what the run began with"
    later = worker.run()
    assert environment_of(later) == NEW
    assert docker_versions(later) == [NEW] * 6 and "docker" not in warnings(worker.owner, later)


def test_an_upgrade_that_ends_the_daemon_within_a_trial(worker: Worker, docker: Path) -> None:
    """That trial returns to the queue and is measured once, with the new version."""
    failed: list[int] = []

    def upgrade(number: int) -> None:
        if number == 2 and not failed:
            failed.append(number)
            put(docker, NEW)
            for engine in worker.testbed._pool.made:  # type: ignore[attr-defined]
                engine.die()
            raise EngineUnavailable("the daemon has closed the connection")

    worker.before = upgrade
    queued = worker.run()
    assert docker_versions(queued) == [OLD] * 2 + [NEW] * 4
    assert len(worker.measured) == len(set(worker.measured)) == 6, "nothing lost, nothing twice"
    ends = "SELECT outcome, count(*) FROM attempt WHERE outcome IS NOT NULL GROUP BY 1 ORDER BY 1"
    assert queued.sql(ends) == [("engine_lost", 1), ("recorded", 6)]
    assert f"docker changed during the run ({OLD}, then {NEW})" in warnings(worker.owner, queued)


def test_an_upgrade_while_the_worker_is_idle(worker: Worker, docker: Path) -> None:
    """The page of the host, and the next run, have the new version; nothing is mixed."""
    worker.runtime.turn()
    put(docker, NEW)
    worker.runtime.turn()
    queued = add_run(worker.owner, worker.host_id)
    stored = queued.sql(
        "SELECT environment ->> 'engine on docker' FROM host WHERE id = :id", id=worker.host_id
    )
    assert stored == [(NEW,)]
    queued.sql("DELETE FROM run")
    assert environment_of(worker.run()) == NEW


def test_a_package_that_is_installed_again_costs_no_trial_and_no_warning(
    worker: Worker, docker: Path
) -> None:
    worker.before = lambda number: put(docker, OLD) if number == 3 else None
    queued = worker.run()
    assert docker_versions(queued) == [OLD] * 6
    assert queued.sql("SELECT count(*) FROM trial WHERE fence > 1") == [(0,)]
    assert "during the run" not in warnings(worker.owner, queued)


def test_a_half_installed_package_is_waited_for(
    worker: Worker, docker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While dpkg replaces the programs the engine cannot start: the trial returns to the queue."""
    start = FakeEnginePool._start_lab

    def refuses(pool: FakeEnginePool, key: str, spec: EngineSpec) -> EngineHandle:
        monkeypatch.setattr(FakeEnginePool, "_start_lab", start)
        put(docker, NEW)
        raise EngineUnavailable("dockerd: No such file or directory")

    def upgrade(number: int) -> None:
        if number == 3 and docker_of(worker) == OLD:
            (docker / "dockerd").unlink()
            monkeypatch.setattr(FakeEnginePool, "_start_lab", refuses)

    worker.before = upgrade
    queued = worker.run()
    assert docker_versions(queued) == [OLD] * 3 + [NEW] * 3
    assert len(worker.measured) == len(set(worker.measured)) == 6


def docker_of(worker: Worker) -> str:
    found = worker.testbed._pool.running().get("on")
    return "" if found is None else found.versions["docker"]


def test_a_reboot_into_another_kernel(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each trial says on which kernel and since which boot it ran."""
    known = environment.trial_environment()

    def reboot(number: int) -> None:
        if number == 3:
            now = known | {"kernel": "6.99.0", "boot id": "another"}
            monkeypatch.setattr("worker.topology.trial_setup.trial_environment", lambda: now)

    worker.before = reboot
    warned = warnings(worker.owner, worker.run())
    assert f"kernel changed during the run ({known['kernel']}, then 6.99.0)" in warned
    assert "The host was started again during the run" in warned


def test_the_digest_is_of_the_program_that_runs_also_after_it_was_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian rebuilds docker-proxy without another version of Docker."""
    found = shutil.which("sleep")
    assert found is not None
    copied = tmp_path / "docker-proxy"
    shutil.copy(found, copied)
    monkeypatch.setattr(programs, "_find", lambda _name: copied)
    expected = docker_proxy_digest()
    pid = os.posix_spawn(copied, [str(copied), "60"], {})
    try:
        (tmp_path / "new").write_text("another build")
        (tmp_path / "new").rename(copied)
        assert running_program_digest(pid) == expected != docker_proxy_digest()
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    assert running_program_digest(pid) is None
