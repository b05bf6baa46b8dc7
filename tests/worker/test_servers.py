"""Servers and reverse proxies: ownership, restarts, and what remains when one stage fails."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from backend.core.definition.factors import Level
from backend.core.errors import EngineUnavailable, HostCommandFailed, TrialFailed
from backend.core.plan.restarts import ServedCell
from backend.core.topology.deployment import EngineSpec, ServerSpec, reverse_proxy_spec, server_spec
from backend.core.topology.paths import PATHS
from backend.core.workload.target import Target
from tests.worker.conftest import FakeTestbed, FakeTrial
from worker.engine.fake import FakeEngine, FakeTool
from worker.sample.cgroup import find_hierarchy
from worker.topology.clients import Clients
from worker.topology.deployment import Deployment
from worker.topology.engine_pool import EngineHandle
from worker.topology.networks import ensure_parent
from worker.topology.reverse_proxy import ReverseProxy
from worker.topology.servers import Servers
from worker.workload.hooks import NO_HOOKS, NoHooks, Stop, Stopped

PATH = "container_address"


class OneEnginePool:
    """A pool whose every engine is the fake engine."""

    def __init__(self, handle: EngineHandle) -> None:
        self._handle = handle

    def handle(self, _spec: EngineSpec) -> EngineHandle:
        return self._handle

    def handle_of(self, _server: ServerSpec) -> EngineHandle:
        return self._handle

    def running(self) -> dict[str, EngineHandle]:
        return {self._handle.key: self._handle}


class StopAfter(NoHooks):
    """Requests a stop when a command of this kind has begun."""

    def __init__(self, engine: FakeEngine, word: str) -> None:
        self._engine = engine
        self._word = word

    def stop_wanted(self) -> Stop | None:
        return "cancel" if any(self._word in command for command in self._engine.commands) else None


def levels(**changes: Level) -> dict[str, Level]:
    return {**FakeTrial().levels, **changes}


def cell(replica: int = 0, **changes: Level) -> ServedCell:
    return ServedCell(levels(**changes), replica)


@pytest.fixture
def servers(testbed: FakeTestbed) -> Iterator[Servers]:
    pool = OneEnginePool(testbed.handle())
    hierarchy = find_hierarchy()
    made = Servers(pool, Clients(pool, hierarchy), hierarchy)  # type: ignore[arg-type]  # the verbs used
    made.image = "bench:test"
    yield made
    made.close()


def start(servers: Servers, block: int, *cells: ServedCell, run: str = "run_a") -> list[str]:
    """Start a block; returns the start ids of its cells' servers."""
    servers.start_block(run, block, lambda: cells, NO_HOOKS)
    return [
        servers.get(server_spec(c.levels, c.replica), NO_HOOKS, fresh=bool(c.levels["fresh_server"])).start_id
        for c in cells
    ]


def fills(engine: FakeEngine) -> int:
    return sum("-i" in command for command in engine.commands)


def test_each_block_has_one_start_of_its_server(servers: Servers) -> None:
    first = start(servers, 0, cell())
    assert start(servers, 0, cell()) == first
    second = start(servers, 1, cell())
    assert second != first
    assert start(servers, 1, cell(), run="run_b") != second, "a server does not outlive its run"


def test_an_aa_duplicate_has_a_filled_server_of_its_own(servers: Servers, engine: FakeEngine) -> None:
    baseline, duplicate = start(servers, 0, cell(), cell(replica=1))
    assert baseline != duplicate
    assert fills(engine) == 2
    assert len(engine.containers) == 2


def test_tables_in_memory_are_filled_again_and_tables_on_a_volume_stay(
    servers: Servers, engine: FakeEngine
) -> None:
    for block in range(3):
        start(servers, block, cell())
    assert fills(engine) == 3
    ids = {start(servers, block, cell(storage="volume"))[0] for block in range(3, 6)}
    assert (len(ids), fills(engine)) == (3, 4)


def test_a_server_that_every_trial_restarts_is_not_restarted_by_the_block(
    servers: Servers, engine: FakeEngine
) -> None:
    first, second = (start(servers, block, cell(fresh_server=True)) for block in range(2))
    assert first == second
    assert fills(engine) == 1


def test_servers_that_the_next_block_does_not_need_are_removed(servers: Servers, engine: FakeEngine) -> None:
    start(servers, 0, cell(), cell(shared_buffers_mb=64))
    start(servers, 1, cell())
    assert len(engine.containers) == 1


def test_a_cancel_ends_the_filling_of_tables(servers: Servers, engine: FakeEngine) -> None:
    engine.tools["pgbench"] = FakeTool(seconds=600)
    with pytest.raises(Stopped) as stopped:
        servers.start_block("run_a", 0, lambda: [cell()], StopAfter(engine, "-i"))
    assert stopped.value.why == "cancel"
    engine.tools["pgbench"] = FakeTool()
    start(servers, 0, cell())
    assert fills(engine) == 2, "half-filled tables are made from the beginning"


def test_a_cancel_ends_the_wait_for_a_reply_and_leaves_no_container(
    servers: Servers, engine: FakeEngine
) -> None:
    engine.tools["psql"] = FakeTool(exit_code=2)
    with pytest.raises(Stopped):
        servers.start_block("run_a", 0, lambda: [cell()], StopAfter(engine, "psql"))
    assert not engine.containers


def test_a_server_that_does_not_start_fails_its_own_trial(
    servers: Servers, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.topology.deployment.READY_LIMIT_S", 0.0)
    engine.tools["psql"] = FakeTool(stderr="no room", exit_code=2)
    servers.start_block("run_a", 0, lambda: [cell()], NO_HOOKS)
    assert not engine.containers
    with pytest.raises(TrialFailed, match="no room"):
        servers.get(server_spec(levels()), NO_HOOKS, fresh=False)


def deployed(testbed: FakeTestbed, **changes: Level) -> Deployment:
    spec = server_spec(levels(**changes))
    return Deployment(testbed.handle(), spec, "bench:test", 20001, find_hierarchy())


def descriptors() -> list[str]:
    """The cgroup files that this process has open."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(link.readlink()))
        except FileNotFoundError:  # the listing's own descriptor
            continue
    return sorted(file for file in found if file.startswith("/sys/fs/cgroup"))


@pytest.mark.parametrize("stage", ["restart", "reply"])
def test_a_restart_that_fails_leaves_nothing_and_may_be_removed_again(
    testbed: FakeTestbed, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    monkeypatch.setattr("worker.topology.deployment.READY_LIMIT_S", 0.0)
    before = descriptors()
    server = deployed(testbed)
    assert descriptors() != before
    if stage == "restart":
        engine.broken = "restart"
    else:
        engine.tools["psql"] = FakeTool(stderr="starting up", exit_code=2)
    with pytest.raises((EngineUnavailable, TrialFailed)):
        server.restart()
    assert not engine.containers
    assert descriptors() == before
    other = os.open("/dev/null", os.O_RDONLY)  # takes the number of the meter's closed file
    server.remove()
    server.remove()
    os.fstat(other)
    os.close(other)


def test_a_server_that_fails_to_restart_is_forgotten(servers: Servers, engine: FakeEngine) -> None:
    (first,) = start(servers, 0, cell(storage="volume"))
    engine.broken = "restart"
    (second,) = start(servers, 1, cell(storage="volume"))
    assert first != second
    assert len(engine.containers) == 1


def test_a_container_that_could_not_be_removed_is_not_used_again(
    testbed: FakeTestbed, engine: FakeEngine
) -> None:
    left = deployed(testbed)
    again = Deployment(testbed.handle(), left.spec, "bench:test", 20002, find_hierarchy())
    assert again.server.pid != left.server.pid
    spec, _ = engine.containers[again.server.name]
    assert again.start_id != left.start_id
    assert spec.published == {again.listen.port: 20002}
    again.remove()


@pytest.mark.parametrize("stage", ["execute", "reply", "stopped"])
def test_a_reverse_proxy_that_fails_leaves_no_container(
    testbed: FakeTestbed, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    monkeypatch.setattr("worker.topology.reverse_proxy.READY_LIMIT_S", 0.0)
    path = PATHS["nginx_stream"]
    server = deployed(testbed, path=path.name)
    spec = reverse_proxy_spec(levels(path=path.name, front_workers=1))
    assert spec is not None
    hooks: NoHooks = NO_HOOKS
    if stage == "execute":
        engine.broken = "execute"
    else:
        engine.tools["psql"] = FakeTool(stderr="refused", exit_code=2)
        engine.commands.clear()
        hooks = StopAfter(engine, "psql") if stage == "stopped" else NO_HOOKS
    with pytest.raises((EngineUnavailable, TrialFailed, Stopped)):
        ReverseProxy(server, spec, "bench:test", 20005, Target("198.18.64.2", 5432), find_hierarchy(), hooks)
    assert list(engine.containers) == [server.server.name]
    server.remove()


def test_servers_of_one_block_start_in_parallel(servers: Servers, engine: FakeEngine) -> None:
    engine.tools["pgbench"] = FakeTool(seconds=0.2)
    seen: set[str] = set()
    run = Deployment.ensure_database

    def noted(self: Deployment, scale: int, hooks: NoHooks = NO_HOOKS) -> None:
        seen.add(threading.current_thread().name)
        run(self, scale, hooks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Deployment, "ensure_database", noted)
        start(servers, 0, cell(), cell(replica=1))
    assert len(seen) == 2


def test_servers_that_start_in_parallel_create_one_parent_device(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []
    looked = threading.Barrier(2)

    def run(argv: Sequence[str]) -> str:
        if "show" in argv:
            if not made:
                with contextlib.suppress(threading.BrokenBarrierError):
                    looked.wait(0.2)  # both check before either makes it, unless one waits for the other
                raise HostCommandFailed("does not exist")
        elif "add" in argv:
            made.append("mac0")
        return ""

    monkeypatch.setattr("worker.topology.networks.run", run)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: ensure_parent("/proc/self/ns/net", "mac0"), range(2)))
    assert made == ["mac0"]
