"""The testbed on fake engines: lost parts are replaced, together with everything that depends on them."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from backend.core.definition.factors import Level
from backend.core.errors import EngineUnavailable
from backend.core.topology.deployment import EngineSpec
from tests.worker.conftest import FakeTrial, FakeTrialQueue, fake_handle
from tests.worker.test_execute import Live
from worker.engine.fake import FakeEngine, FakeTool
from worker.engine.names import InstallPaths, engine_names
from worker.host.processes import identify
from worker.host.reaper import remove_cgroup
from worker.host.spool import Spool
from worker.images.bootstrap import ImageArchive
from worker.topology import engine_pool as pool_module
from worker.topology import testbed as testbed_module
from worker.topology.engine_pool import EngineHandle, EnginePool
from worker.topology.testbed import Testbed
from worker.trial.breaker import Breaker
from worker.trial.execute import execute_trial

INSTALL = f"test{os.getpid()}"


class FakeEnginePool(EnginePool):
    """A pool of fake engines; every engine that was started is in `made`."""

    made: tuple[FakeEngine, ...] = ()
    tools: Mapping[str, FakeTool] = {}

    def _start_lab(self, key: str, spec: EngineSpec) -> EngineHandle:
        folder = self._install.var / f"{key}-{len(self.made)}"
        folder.mkdir(parents=True)
        engine = FakeEngine(folder, dict(self.tools))
        self.made += (engine,)
        image = self.image.result()
        engine.load_image(str(image.path), image.tag)
        return fake_handle(engine, key, engine_names(self._install, key).cgroup)


def fake_parts(tmp_path: Path, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fakes in place of Docker, the image and the probe of the host."""
    image = ImageArchive("bench:test", tmp_path / "image.tar")
    monkeypatch.setattr(FakeEnginePool, "tools", engine.tools)
    monkeypatch.setattr(testbed_module, "EnginePool", FakeEnginePool)
    for name, answer in (
        ("missing_program", None),
        ("ensure_image", image),
        ("relay_program", tmp_path / "relay"),
        ("inspect_host", (None, None)),
        ("probe", {}),
        ("tool_versions", {"pgbench": "15"}),
    ):
        monkeypatch.setattr(testbed_module, name, lambda *_, _answer=answer: _answer)


@pytest.fixture
def testbed(tmp_path: Path, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Testbed]:
    """A started testbed on fakes."""
    fake_parts(tmp_path, engine, monkeypatch)
    made = Testbed(InstallPaths(INSTALL, tmp_path / "run", tmp_path / "var"))
    made.start()
    yield made
    for one in engines(made):
        one.remove_everything()
    made.stop()
    for key in ("on", "off"):
        remove_cgroup(f"plm{INSTALL}-{key}")


def test_engines_start_while_the_image_is_made(
    tmp_path: Path, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Building it takes most of a first start."""
    waiting = threading.Barrier(3, timeout=60)

    class Waiting(FakeEnginePool):
        def _start_lab(self, key: str, spec: EngineSpec) -> EngineHandle:
            waiting.wait()
            return super()._start_lab(key, spec)

    def make(*_: object) -> ImageArchive:
        waiting.wait()
        raise EngineUnavailable("the image could not be built: no package")

    fake_parts(tmp_path, engine, monkeypatch)
    monkeypatch.setattr(testbed_module, "EnginePool", Waiting)
    monkeypatch.setattr(testbed_module, "ensure_image", make)
    testbed = Testbed(InstallPaths(INSTALL, tmp_path / "run", tmp_path / "var"))
    with pytest.raises(EngineUnavailable, match="no package"):
        testbed.start()
    assert testbed.engines() == frozenset()


def test_an_engine_that_cannot_start_is_reported_while_the_image_is_made(
    tmp_path: Path, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Making the image may take minutes; the start fails after it."""
    reported: list[str] = []
    seen = threading.Event()

    class Broken(FakeEnginePool):
        def _start_lab(self, key: str, spec: EngineSpec) -> EngineHandle:
            if key == "off":
                raise EngineUnavailable("dockerd ended at once: no nat table")
            return super()._start_lab(key, spec)

    def report(text: str) -> None:
        reported.append(text)
        if "no nat table" in text:
            seen.set()

    def make(*_: object) -> ImageArchive:
        assert seen.wait(60), reported
        return ImageArchive("bench:test", tmp_path / "image.tar")

    fake_parts(tmp_path, engine, monkeypatch)
    monkeypatch.setattr(testbed_module, "EnginePool", Broken)
    monkeypatch.setattr(testbed_module, "ensure_image", make)
    testbed = Testbed(InstallPaths(INSTALL, tmp_path / "run", tmp_path / "var"), report)
    with pytest.raises(EngineUnavailable, match="no nat table"):
        testbed.start()
    why = (
        "lab engine off cannot start: dockerd ended at once: no nat table; the image is still made, for the "
    )
    assert [text for text in reported if "no nat table" in text] == [why + "next start"]


@pytest.fixture(autouse=True)
def nothing_is_left(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No test may end with a failed clean-up, which is logged."""
    yield
    assert "cleaning up after trial" not in caplog.text


def engines(testbed: Testbed) -> tuple[FakeEngine, ...]:
    pool = testbed._pool
    assert isinstance(pool, FakeEnginePool)
    return pool.made


def running(testbed: Testbed, key: str = "on") -> FakeEngine:
    found = testbed._pool.running()[key].engine
    assert isinstance(found, FakeEngine)
    return found


FENCES = itertools.count(1)


def run(
    testbed: Testbed, queue: FakeTrialQueue, folder: Path, breaker: Breaker | None = None, **levels: Level
) -> str:
    trial = FakeTrial(fence=next(FENCES))
    trial = replace(trial, levels=dict(trial.levels) | levels)
    return execute_trial(trial, testbed, queue, Spool(folder / "spool"), Live(), threading.Event(), breaker)


def ended(testbed: Testbed, queue: FakeTrialQueue, folder: Path, **levels: Level) -> None:
    """A trial ends without a host fault: the testbed works."""
    before = len(queue.records)
    assert run(testbed, queue, folder, **levels) in ("done", "failed")
    assert len(queue.records) == before + 1, queue.endings


@pytest.mark.parametrize("verb", ["ensure_network", "create", "execute", "answers"])
def test_one_failure_of_docker_costs_one_attempt(
    testbed: Testbed, queue: FakeTrialQueue, tmp_path: Path, verb: str
) -> None:
    first = running(testbed)
    first.broken = verb
    if verb == "answers":  # noticed before the trial needs anything: the engine is started again at once
        ended(testbed, queue, tmp_path)
        assert running(testbed) is not first
        return
    outcome = run(testbed, queue, tmp_path)
    if outcome == "requeued":
        assert queue.endings == [("requeue", "engine_lost", f"{verb} fails on request")]
        assert "on" not in testbed._pool.running(), "the engine is not used again as it is"
        assert not first.containers, "what was made on it is removed"
    ended(testbed, queue, tmp_path)


def test_a_restart_that_fails_costs_one_attempt(
    testbed: Testbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    ended(testbed, queue, tmp_path, fresh_server=True)
    running(testbed).broken = "restart"
    assert run(testbed, queue, tmp_path, fresh_server=True) == "requeued"
    assert queue.endings == [("requeue", "engine_lost", "restart fails on request")]
    ended(testbed, queue, tmp_path, fresh_server=True)


def test_a_removal_that_fails_hides_no_reason(
    testbed: Testbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    ended(testbed, queue, tmp_path)
    engine = running(testbed)
    engine.tools["pgbench"] = FakeTool(stderr="FATAL: broken", exit_code=1)
    engine.broken = "remove"
    assert run(testbed, queue, tmp_path) == "failed"
    assert queue.endings[-1][1] == "tool_failed"


def test_an_engine_that_dies_is_started_again_with_its_servers(
    testbed: Testbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    ended(testbed, queue, tmp_path)
    first = running(testbed)
    first.die()
    ended(testbed, queue, tmp_path)
    second = running(testbed)
    assert second is not first and len(engines(testbed)) == 3
    assert len(second.containers) == len(first.containers), "server and client were made anew"


def test_an_engine_that_dies_during_a_trial_is_named_as_the_reason(
    testbed: Testbed, queue: FakeTrialQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended(testbed, queue, tmp_path)
    engine, execute = running(testbed), FakeEngine.execute

    def dies(self: FakeEngine, *arguments: Any) -> Any:
        execution = execute(self, *arguments)
        self.die()
        return execution

    with monkeypatch.context() as patched:
        patched.setattr(FakeEngine, "execute", dies)
        assert run(testbed, queue, tmp_path) == "requeued"
    ((kind, code, detail),) = queue.endings
    assert (kind, code) == ("requeue", "engine_lost") and detail.startswith("the engine on does not answer")
    engine.remove_everything()
    ended(testbed, queue, tmp_path)


def test_a_dead_server_costs_no_attempt_and_never_a_run(
    testbed: Testbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    """A dead process once failed all trials of a run: they read the files of its pid."""
    breaker = Breaker()
    ended(testbed, queue, tmp_path)
    for _ in range(3):
        (pid,) = testbed.servers().values()
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert identify(pid) is None
        assert run(testbed, queue, tmp_path, breaker) == "requeued"
        kind, code, detail = queue.endings[-1]
        assert (kind, code, queue.counted[-1]) == ("requeue", "server_lost", False)
        assert "has ended between two trials" in detail
        ended(testbed, queue, tmp_path)
        assert pid not in testbed.servers().values()
        breaker.succeeded()


def test_two_preparations_at_once_make_one_bare_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    both = threading.Barrier(2, timeout=60)

    class Slow:
        """A bare host whose making takes until the other thread has had its chance to make one too."""

        def __init__(self, *_: object) -> None:
            made.append(self)

    monkeypatch.setattr(pool_module, "BareHost", Slow)
    monkeypatch.setattr(pool_module, "root_file_system", lambda _image: tmp_path)
    pool = FakeEnginePool(InstallPaths(INSTALL, tmp_path, tmp_path), None, {}, tmp_path, print)  # type: ignore[arg-type]
    pool.image.set_result(ImageArchive("bench:test", tmp_path))
    docker = SimpleNamespace(images=SimpleNamespace(environment=lambda _tag: {}))
    engine: Any = SimpleNamespace(
        docker=docker, names=engine_names(InstallPaths(INSTALL, tmp_path, tmp_path), "on")
    )

    def ask() -> object:
        both.wait()
        return pool._bare_host("on", engine)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.submit(ask), threads.submit(ask)
        assert first.result() is second.result()
    assert len(made) == 1


@pytest.mark.parametrize(
    ("gone", "why"),
    [("namespace", "has lost its network namespace"), ("link", "has lost its link to the other engines")],
)
def test_what_an_engine_has_lost_is_the_reason_of_its_failures(
    testbed: Testbed,
    queue: FakeTrialQueue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    gone: str,
    why: str,
) -> None:
    """A client whose packets are lost fails by its own time limit; that is no failure of the trial."""
    ended(testbed, queue, tmp_path)
    pool = testbed._pool
    running(testbed).tools["pgbench"] = FakeTool(stderr="0.0 tps", exit_code=124)
    if gone == "namespace":
        monkeypatch.setattr(pool_module, "namespace_file", lambda _netns: tmp_path / "none")
    else:
        monkeypatch.setitem(pool._engines, "on", SimpleNamespace(stop=lambda: None))  # type: ignore[arg-type]
        monkeypatch.setattr(pool._segment, "is_lost", lambda: True)
    monkeypatch.setattr(pool, "handle", lambda _spec: pool.running()["on"])
    assert run(testbed, queue, tmp_path) == "requeued"
    kind, code, detail = queue.endings[-1]
    assert (kind, code) == ("requeue", "engine_lost")
    assert detail.startswith(f"the engine on {why}; seen as: ") and "ended with code 124" in detail
    assert "on" not in pool.running()
