"""The fake engine implements the protocol, and fails on misuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backend.core.errors import EngineUnavailable
from worker.engine.fake import FakeEngine, FakeTool
from worker.engine.protocol import ContainerSpec, Engine, NetworkSpec

SERVER = ContainerSpec("server", "bench:test", ("pong",), "bench", 1024)


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeEngine]:
    made = FakeEngine(tmp_path, {"tool": FakeTool(stdout="out", stderr="err", exit_code=3)})
    made.ensure_network(NetworkSpec("bench"))
    yield made
    made.remove_everything()


def test_it_follows_the_protocol(fake: FakeEngine) -> None:
    engine: Engine = fake
    server = engine.create(SERVER)
    assert engine.create(SERVER) == server
    assert server.address
    shared = engine.create(ContainerSpec("shared", "bench:test", (), "container:server", 1))
    assert (shared.address, shared.gateway) == (None, None)
    execution = engine.execute(server, ("tool",))
    execution.release()
    found = {"stdout": b"", "stderr": b""}
    while (frames := execution.read(1.0)) is not None:
        for stream, data in frames:
            found[stream] += data
    assert (found, execution.exit_code()) == ({"stdout": b"out", "stderr": b"err"}, 3)
    assert engine.restart("server").pid != server.pid


def test_it_fails_on_misuse(fake: FakeEngine) -> None:
    with pytest.raises(AssertionError, match="never created"):
        fake.create(ContainerSpec("lost", "bench:test", (), "nowhere", 1))
    with pytest.raises(AssertionError, match="does not exist"):
        fake.create(ContainerSpec("lost", "bench:test", (), "container:nobody", 1))
    with pytest.raises(AssertionError, match="two different networks"):
        fake.ensure_network(NetworkSpec("bench", "macvlan"))
    with pytest.raises(AssertionError, match="no container"):
        fake.restart("server")
    server = fake.create(SERVER)
    execution = fake.execute(server, ("tool",))
    with pytest.raises(AssertionError, match="before the gate"):
        execution.read(0.1)
    execution.kill()


@pytest.mark.parametrize("verb", ["ensure_network", "create", "execute", "restart", "remove"])
def test_each_method_can_fail_once_on_request(fake: FakeEngine, verb: str) -> None:
    server = fake.create(SERVER)
    calls: dict[str, Callable[[], object]] = {
        "ensure_network": lambda: fake.ensure_network(NetworkSpec("other")),
        "create": lambda: fake.create(SERVER),
        "execute": lambda: fake.execute(server, ("tool",)).kill(),
        "restart": lambda: fake.restart("server"),
        "remove": lambda: fake.remove("nobody"),
    }
    fake.broken = verb
    with pytest.raises(EngineUnavailable, match=f"{verb} fails on request"):
        calls[verb]()
    calls[verb]()
    assert fake.answers()
