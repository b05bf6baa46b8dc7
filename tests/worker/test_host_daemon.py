"""The host's own daemon is cleaned up, however its engine is stopped."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from backend.core.errors import EngineUnavailable
from backend.core.topology.deployment import EngineSpec
from worker.engine.names import InstallPaths
from worker.host.ledger import Ledger
from worker.images.bootstrap import ImageArchive
from worker.topology import engine_pool as pool_module
from worker.topology.engine_pool import EnginePool

HOST = EngineSpec("host", False)


class Daemon:
    """A host's daemon that counts its clean-ups; the last instance is in `last`."""

    last: Daemon

    def __init__(self, _socket: Path, _install: str, _ledger: Ledger) -> None:
        self.cleaned = 0
        self.refuses = False
        self.pid, self.netns, self.key, self.address = 1, "/proc/self/ns/net", "host", "198.18.1.1"
        self.docker = SimpleNamespace(versions_with=lambda _image: {}, answers=lambda: True)
        self.cgroup = "/plimsoll-host"
        Daemon.last = self

    def start(self) -> None:
        """It runs already."""

    def load_image(self, _path: str, tag: str) -> str:
        return tag

    def stop(self) -> None:
        self.cleaned += 1
        if self.refuses:
            raise EngineUnavailable("its image stays: in use")


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def pool(tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch) -> EnginePool:
    monkeypatch.setattr(pool_module, "HostDaemon", Daemon)
    install = InstallPaths("daemontest", tmp_path, tmp_path)
    made = EnginePool(install, Ledger(tmp_path / "ledger.jsonl"), {}, tmp_path / "docker.sock", said.append)
    made.image.set_result(ImageArchive("image:1", tmp_path / "image.tar"))
    made.handle(HOST)
    return made


def test_stopping_cleans_it_once(pool: EnginePool) -> None:
    pool.stop()
    pool.stop()
    assert Daemon.last.cleaned == 1


def test_discarding_cleans_it_and_the_next_use_connects_again(pool: EnginePool) -> None:
    first = Daemon.last
    pool.discard("host")
    pool.handle(HOST)
    pool.stop()
    assert (first.cleaned, Daemon.last.cleaned, first is Daemon.last) == (1, 1, False)


def test_remains_on_it_are_reported(pool: EnginePool, said: list[str]) -> None:
    Daemon.last.refuses = True
    pool.stop()
    assert said == ["the host's own daemon was not cleaned up: its image stays: in use"]
