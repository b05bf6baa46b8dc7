"""An engine leaves the host unchanged, after an orderly stop and after a crash."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from backend.core.errors import EngineUnavailable
from tests.live.folders import remove_interrupted
from tests.live.host import snapshot
from tests.live.lab import tiny_root
from worker.engine.bare import BareHost
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import LINK_ADDRESSES, EngineNames, InstallPaths, engine_names
from worker.engine.protocol import ContainerSpec, NetworkSpec
from worker.engine.segment import Segment
from worker.engine.swarm import form
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
    return engine_names(InstallPaths("lefttest", RUNTIME, tmp_path), "on")


def lab_engine(names: EngineNames, ledger: Ledger, segment: Segment | None = None) -> LabEngine:
    setting = names.key.rpartition("-")[2]
    settings = LabSettings(setting != "off", address=LINK_ADDRESSES[setting])
    return LabEngine(names, ledger, settings, segment or Segment("lefttest", ledger))


def is_alive(pid: int) -> bool:
    """Whether a process runs; a child of the test that has ended is not waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_an_orderly_stop_leaves_nothing(names: EngineNames, tmp_path: Path) -> None:
    before = state(tmp_path)
    ledger = Ledger(tmp_path / "ledger.jsonl")
    segment = Segment("lefttest", ledger)
    engine = lab_engine(names, ledger, segment)
    assert engine.start().answers()
    assert state(tmp_path) != before
    engine.stop()
    segment.stop()
    segment.stop()
    assert state(tmp_path) == before
    assert ledger.entries() == []
    assert not RUNTIME.exists()


def test_the_remains_of_a_crash_are_removed(names: EngineNames, tmp_path: Path) -> None:
    """The daemons are killed and nothing is undone: the sweep of the next start removes it."""
    before = state(tmp_path)
    ledger = Ledger(tmp_path / "ledger.jsonl")
    engine = lab_engine(names, ledger)
    docker = engine.start()
    docker.ensure_network(NetworkSpec("plimsoll-left", bridge="plm9"))
    docker.close()
    os.kill(engine.pid, signal.SIGKILL)
    found = sweep(Ledger(ledger.path))
    assert {line.split()[0] for line in found} == {"process", "netns", "link", "mount_root", "mounts"}
    assert state(tmp_path) == before
    assert sweep(Ledger(ledger.path)) == []


def test_an_interrupted_run_of_these_tests_leaves_the_next_one_no_engine(
    names: EngineNames, tmp_path: Path
) -> None:
    before = state(tmp_path)
    engine = lab_engine(names, Ledger(tmp_path / "ledger.jsonl"))
    engine.start().close()
    os.kill(engine.pid, signal.SIGKILL)
    assert (names.data / "docker").is_dir()
    remove_interrupted(tmp_path)
    assert not names.data.exists()
    assert state(tmp_path) == before


@pytest.mark.full
def test_a_crashed_swarm_and_its_bare_programs_are_removed_and_start_again(tmp_path: Path) -> None:
    """Two nodes, an overlay and a program outside Docker are killed; afterwards all of them work again."""
    before = state(tmp_path)
    ledger = Ledger(tmp_path / "ledger.jsonl")
    for _ in range(2):
        segment = Segment("lefttest", ledger)
        nodes = [
            lab_engine(engine_names(InstallPaths("lefttest", RUNTIME, tmp_path), key), ledger, segment)
            for key in ("swarm", "remote")
        ]
        for node in nodes:
            node.start()
        form(*nodes)
        assert nodes[0].docker is not None
        nodes[0].docker.ensure_network(NetworkSpec("left-overlay", "overlay", subnet="198.19.9.0/24"))
        bare = BareHost(tiny_root(tmp_path / "root"), nodes[0].names.netns, nodes[0].names, ledger)
        bare.create(ContainerSpec("first", "", ("sleep", "600"), "host", 2**26))
        program = bare.create(ContainerSpec("left", "", ("sleep", "600"), "host", 2**26))
        assert is_alive(program.pid)
        for node in nodes:
            os.kill(node.pid, signal.SIGKILL)
        found = sweep(Ledger(ledger.path))
        assert {"bare", "link", "netns"} <= {line.split()[0] for line in found}
        assert not is_alive(program.pid)
        assert state(tmp_path) == before


@pytest.mark.full
def test_remains_without_a_ledger_block_no_start(names: EngineNames, tmp_path: Path) -> None:
    """After a power failure the name of a namespace is a plain file, and sockets have no listener."""
    before = state(tmp_path)
    names.runtime.mkdir(parents=True)
    names.docker_socket.touch()
    segment = Segment("lefttest", Ledger(tmp_path / "ledger.jsonl"))
    stale = [NAMESPACES / name for name in (names.netns, segment.netns)]
    had_folder = NAMESPACES.is_dir()
    NAMESPACES.mkdir(exist_ok=True)
    for file in stale:
        file.touch()
    engine = lab_engine(names, Ledger(tmp_path / "ledger.jsonl"), segment)
    try:
        assert engine.start().answers()
    finally:
        engine.stop()
        segment.stop()
        for file in stale:
            file.unlink(missing_ok=True)
        if not had_folder and NAMESPACES.is_dir():
            NAMESPACES.rmdir()
    assert state(tmp_path) == before


def test_an_engine_that_cannot_start_has_a_reason_and_leaves_nothing(
    names: EngineNames, tmp_path: Path
) -> None:
    before = state(tmp_path)
    names.data.mkdir(parents=True)
    (names.data / "docker").write_text("a file where dockerd wants its directory")
    ledger = Ledger(tmp_path / "ledger.jsonl")
    segment = Segment("lefttest", ledger)
    with pytest.raises(EngineUnavailable, match=r"dockerd of engine .* did not start: .+"):
        lab_engine(names, ledger, segment).start()
    segment.stop()
    assert state(tmp_path) == before
    assert ledger.entries() == []


def test_an_unusable_proxy_program_is_refused_before_anything_is_created(
    names: EngineNames, tmp_path: Path
) -> None:
    before = state(tmp_path)
    program = tmp_path / "relay"
    ledger = Ledger(tmp_path / "ledger.jsonl")
    engine = LabEngine(names, ledger, LabSettings(True, program), Segment("lefttest", ledger))
    with pytest.raises(EngineUnavailable, match="the proxy program relay does not exist"):
        engine.start()
    program.touch()
    with pytest.raises(EngineUnavailable, match=r"cannot be executed: chmod \+x"):
        engine.start()
    program.chmod(0o777)
    with pytest.raises(EngineUnavailable, match="can be changed by users other than root"):
        engine.start()
    assert state(tmp_path) == before
    assert ledger.entries() == []
