"""An engine that started and stopped leaves the host as it was, in an orderly way and after a crash."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.live.host import snapshot
from worker.engine.docker_engine import EngineUnavailable
from worker.engine.lab import LabEngine
from worker.engine.names import EngineNames, engine_names
from worker.host.ledger import Ledger
from worker.host.reaper import NAMESPACES, sweep

RUNTIME = Path("/run/plimsoll-lefttest")


def state(data: Path) -> dict[str, str]:
    listed = {
        str(place): str(sorted(place.glob("*")))
        for place in (Path("/etc/docker"), Path("/run"), Path("/run/docker"), Path("/run/netns"))
    }
    return snapshot("lefttest", (data,)) | listed


@pytest.fixture
def names(tmp_path: Path) -> EngineNames:
    return engine_names("lefttest", RUNTIME, tmp_path, "on")


def test_an_orderly_stop_leaves_nothing(names: EngineNames, tmp_path: Path) -> None:
    before = state(tmp_path)
    ledger = Ledger(tmp_path / "ledger.jsonl")
    engine = LabEngine(names, ledger, True)
    assert engine.start().answers()
    assert state(tmp_path) != before
    engine.stop()
    assert state(tmp_path) == before
    assert ledger.standing() == []
    assert not RUNTIME.exists()


def test_what_a_crash_leaves_is_swept(names: EngineNames, tmp_path: Path) -> None:
    """The daemons are killed and nobody undoes anything: the next start's sweep must."""
    before = state(tmp_path)
    ledger = Ledger(tmp_path / "ledger.jsonl")
    engine = LabEngine(names, ledger, True)
    docker = engine.start()
    docker.ensure_network("plimsoll-left", "plm9")
    docker.close()
    os.kill(engine.pid, signal.SIGKILL)
    found = sweep(Ledger(ledger.path))
    assert {line.split()[0] for line in found} == {"process", "netns", "mount_root", "mounts"}
    assert state(tmp_path) == before
    assert sweep(Ledger(ledger.path)) == []


def test_what_a_lost_ledger_no_longer_names_is_in_nobodys_way(names: EngineNames, tmp_path: Path) -> None:
    """A host that was cut off keeps the name of a namespace as a plain file, and sockets nobody serves."""
    before = state(tmp_path)
    names.runtime.mkdir(parents=True)
    names.docker_socket.touch()
    stale = NAMESPACES / names.netns
    had_folder = NAMESPACES.is_dir()
    NAMESPACES.mkdir(exist_ok=True)
    stale.touch()
    engine = LabEngine(names, Ledger(tmp_path / "ledger.jsonl"), True)
    try:
        assert engine.start().answers()
    finally:
        engine.stop()
        stale.unlink(missing_ok=True)
        if not had_folder and NAMESPACES.is_dir():
            NAMESPACES.rmdir()
    assert state(tmp_path) == before


def test_an_engine_that_cannot_start_says_why_and_leaves_nothing(names: EngineNames, tmp_path: Path) -> None:
    before = state(tmp_path)
    names.data.mkdir(parents=True)
    (names.data / "docker").write_text("a file where dockerd wants its directory")
    ledger = Ledger(tmp_path / "ledger.jsonl")
    with pytest.raises(EngineUnavailable, match=r"dockerd of engine .* did not start: .+"):
        LabEngine(names, ledger, True).start()
    assert state(tmp_path) == before
    assert ledger.standing() == []
