"""One worker an installation: a second one names the first and changes nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.core.errors import AlreadyRunning
from backend.settings import Settings
from tests.services import ROOT
from worker.host.ledger import Entry, Ledger
from worker.host.locks import NAME, InstanceLock
from worker.runtime import WorkerRuntime

HOLD = """
import sys
from pathlib import Path
from worker.host.locks import InstanceLock
lock = InstanceLock(Path(sys.argv[1]))
lock.acquire()
print("held", flush=True)
sys.stdin.readline()
lock.release()
print("released", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def first(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock until it reads a line."""
    argv = [sys.executable, "-c", HOLD, str(tmp_path / "run")]
    with subprocess.Popen(
        argv, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_the_second_worker_names_the_first(first: subprocess.Popen[str], tmp_path: Path) -> None:
    with pytest.raises(AlreadyRunning) as refusal:
        InstanceLock(tmp_path / "run").acquire()
    expected = rf"another worker .* runs: process {first.pid} \(worker\), since \d{{4}}-.*; stop it first"
    assert re.fullmatch(expected, str(refusal.value))


def test_a_killed_worker_holds_no_lock(first: subprocess.Popen[str], tmp_path: Path) -> None:
    first.send_signal(signal.SIGKILL)
    first.wait()
    lock = InstanceLock(tmp_path / "run")
    lock.acquire()
    assert lock.held and str(os.getpid()) in (tmp_path / "run" / NAME).read_text()
    lock.release()
    lock.release()
    assert not lock.held and list((tmp_path / "run").iterdir()) == []


def test_a_stopped_worker_leaves_no_file(first: subprocess.Popen[str], tmp_path: Path) -> None:
    assert first.stdin is not None and first.stdout is not None
    first.stdin.write("\n")
    first.stdin.flush()
    assert first.stdout.readline() == "released\n"
    assert list((tmp_path / "run").iterdir()) == []
    InstanceLock(tmp_path / "run").acquire()


def test_a_lock_file_that_is_deleted_while_it_is_opened_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open
    path = tmp_path / NAME

    def and_deleted(*arguments: object, **named: object) -> int:
        monkeypatch.setattr(os, "open", opened)
        descriptor = opened(*arguments, **named)  # type: ignore[arg-type]
        path.unlink()
        return descriptor

    monkeypatch.setattr(os, "open", and_deleted)
    lock = InstanceLock(tmp_path)
    lock.acquire()
    with pytest.raises(AlreadyRunning):
        InstanceLock(tmp_path).acquire()
    lock.release()


def test_a_second_worker_ends_before_it_changes_anything(
    first: subprocess.Popen[str], settings: Settings, tmp_path: Path
) -> None:
    ledger = Ledger(settings.var_dir / "ledger.jsonl")
    entry = Entry("mount_root", str(tmp_path / "engine"), "plmtest-none")
    ledger.making(entry)
    (tmp_path / "engine").mkdir()
    assert settings.runtime_dir == tmp_path / "run"
    runtime = WorkerRuntime(settings)
    with pytest.raises(AlreadyRunning):
        runtime.open()
    runtime.close()
    assert ledger.entries() == [entry] and (tmp_path / "engine").exists()


def test_the_reaper_removes_nothing_of_a_running_worker(first: subprocess.Popen[str], tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "var" / "ledger.jsonl")
    ledger.making(Entry("netns", "plmtest-none"))
    places = {"PLIMSOLL_VAR_DIR": str(tmp_path / "var"), "PLIMSOLL_RUNTIME_DIR": str(tmp_path / "run")}
    argv = [sys.executable, "-m", "worker.host.reaper", "--all"]
    ended = subprocess.run(
        argv, cwd=ROOT, env=os.environ | places, capture_output=True, text=True, check=False
    )
    assert ended.returncode != 0
    assert "nothing is removed: another worker of this installation runs" in ended.stderr
    assert len(ledger.entries()) == 1
