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
from worker.host.reaper import sweep

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


def test_an_engine_that_cannot_start_says_why_and_leaves_nothing(names: EngineNames, tmp_path: Path) -> None:
    before = state(tmp_path)
    names.data.mkdir(parents=True)
    (names.data / "docker").write_text("a file where dockerd wants its directory")
    ledger = Ledger(tmp_path / "ledger.jsonl")
    with pytest.raises(EngineUnavailable, match=r"dockerd of engine .* did not start: .+"):
        LabEngine(names, ledger, True).start()
    assert state(tmp_path) == before
    assert ledger.standing() == []
