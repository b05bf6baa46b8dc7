"""Files of an installation are its owner's alone, and its logs have a bounded size."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from scripts.starter import layout, log_file, private
from scripts.starter.log_file import LogFile
from scripts.starter.processes import Service, Supervisor
from scripts.starter.reach import Reach
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Terminal
from tests.scripts.waiting import eventually
from worker.host.ledger import Entry, Ledger
from worker.host.spool import Spool


def open_to_others(folder: Path) -> list[str]:
    """What group or others may access."""
    found = [folder, *folder.rglob("*")]
    return [str(path.relative_to(folder)) for path in found if stat.S_IMODE(path.lstat().st_mode) & 0o077]


def service(name: str, script: str) -> Service:
    return Service(
        name=name, argv=("sh", "-c", script), environment={"PATH": os.environ["PATH"]}, ready=lambda: True
    )


@pytest.fixture
def permissive() -> None:
    """The umask of most shells."""
    os.umask(0o022)


def test_an_installation_of_an_earlier_release_is_closed_at_its_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, permissive: None
) -> None:
    monkeypatch.setattr(layout, "RUNTIME_PARENT", tmp_path / "run")
    (tmp_path / "run").mkdir()
    var = tmp_path / "var"
    for name in ("log/api.log", "spool/quarantine/a.json", "ledger.jsonl", "demo.json", "images/a.tar"):
        (var / name).parent.mkdir(parents=True, exist_ok=True)
        (var / name).write_text("x")
    inside = var / "images/rootfs-1/bin"
    inside.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (var / "link").symlink_to(tmp_path / "elsewhere")
    made = layout.prepare(tmp_path, var, Reach())
    assert set(open_to_others(var)) == {"images/a.tar", "images/rootfs-1", "images/rootfs-1/bin", "link"}
    assert stat.S_IMODE((tmp_path / "elsewhere").stat().st_mode) == 0o755
    assert stat.S_IMODE(made.runtime.stat().st_mode) == 0o711


def test_images_of_another_installation_below_stay_as_they_are(tmp_path: Path, permissive: None) -> None:
    """Those of the tests are in var/live-tests: their programs could not be run any more."""
    program = tmp_path / "live-tests/images/rootfs-1/bin/pong"
    program.parent.mkdir(parents=True)
    program.touch()
    program.chmod(0o755)
    private.tighten(tmp_path)
    assert stat.S_IMODE(program.stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "live-tests/images").stat().st_mode) == 0o700


def test_a_program_that_stays_executable_for_its_owner(tmp_path: Path, permissive: None) -> None:
    (tmp_path / "tool").touch()
    (tmp_path / "tool").chmod(0o755)
    private.tighten(tmp_path)
    assert stat.S_IMODE((tmp_path / "tool").stat().st_mode) == 0o700


def test_services_and_their_logs_make_private_files(tmp_path: Path, permissive: None) -> None:
    tmp_path.chmod(0o700)
    supervisor = Supervisor(tmp_path, Terminal(), Stop())
    try:
        supervisor.start(service("some", f"echo hello; : >{tmp_path}/made; exec sleep 60"))
        assert eventually((tmp_path / "made").exists)
        log = tmp_path / "some.log"
        assert eventually(lambda: log.exists() and log.read_text() != "")
    finally:
        supervisor.stop_all()
    assert open_to_others(tmp_path) == []


def test_a_log_rotates_while_its_service_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "LIMIT", 20_000)
    supervisor = Supervisor(tmp_path, Terminal(), Stop())
    try:
        supervisor.start(service("loud", f"seq 5000; : >{tmp_path}/done; exec sleep 60"))
        assert eventually((tmp_path / "done").exists)
    finally:
        supervisor.stop_all()
    assert eventually(lambda: (tmp_path / "loud.log").read_text().endswith(" 5000\n"))
    files = sorted(path.name for path in tmp_path.glob("loud.log*"))
    assert files == ["loud.log", "loud.log.1", "loud.log.2"]
    assert all((tmp_path / name).stat().st_size <= 20_000 for name in files)
    kept = "".join((tmp_path / name).read_text() for name in reversed(files))
    numbers = [int(line.split()[1]) for line in kept.splitlines()]
    assert numbers == list(range(numbers[0], 5001)), "nothing is lost at a rotation"


def test_an_earlier_log_counts_into_the_size(tmp_path: Path) -> None:
    path = tmp_path / "api.log"
    path.write_text("old\n" * 10)
    log = LogFile(path, limit=41)
    log.write("new")
    log.close()
    assert path.read_text() == "new\n"
    assert (tmp_path / "api.log.1").read_text() == "old\n" * 10


def test_spool_and_ledger_of_the_worker_are_private(tmp_path: Path, permissive: None) -> None:
    tmp_path.chmod(0o700)
    spool = Spool(tmp_path / "spool")
    spool.write("trl_1", 1, {}, None)
    spool.quarantine(spool.write("trl_2", 1, {}, None).path, "refused")
    Ledger(tmp_path / "ledger.jsonl").making(Entry("netns", "plm0-on"))
    assert len(list(spool.quarantine_folder.iterdir())) == 2
    assert open_to_others(tmp_path) == []
