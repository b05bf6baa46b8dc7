"""Ledger, spool, lock and reaper on the real file system."""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path

import pytest

from backend.core.errors import StorageFull
from worker.host.ledger import Entry, Ledger
from worker.host.locks import measuring
from worker.host.reaper import end_processes, processes_naming, remove_bare, sweep
from worker.host.spool import Spool, digest


def test_the_ledger_lists_existing_things_newest_first(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    first, second, third = (
        Entry("netns", "a"),
        Entry("mount_root", "/run/b", "b"),
        Entry("process", "c", "/run/c"),
    )
    for entry in (first, second, third):
        ledger.making(entry)
    ledger.gone(second)
    assert Ledger(ledger.path).entries() == [third, first]


def test_an_incomplete_last_line_is_ignored(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.making(Entry("netns", "a"))
    with ledger.path.open("a") as file:
        file.write('{"op": "made", "kind": "net')
    assert ledger.entries() == [Entry("netns", "a")]


def test_an_empty_ledger_is_cleared(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.making(Entry("netns", "a"))
    ledger.clear_if_empty()
    assert ledger.path.read_text()
    ledger.gone(Entry("netns", "a"))
    ledger.clear_if_empty()
    assert ledger.path.read_text() == ""


def test_a_sweep_ends_processes_that_name_the_runtime_directory(tmp_path: Path) -> None:
    runtime = tmp_path / "engines" / "on"
    runtime.mkdir(parents=True)
    left = subprocess.Popen(["sh", "-c", "sleep 60; true", f"{runtime}/containerd.sock"])
    other = subprocess.Popen(["sh", "-c", "sleep 60; true", f"{tmp_path}/elsewhere"])
    try:
        naming = processes_naming(str(runtime))
        assert left.pid in naming
        assert other.pid not in naming
        ledger = Ledger(tmp_path / "ledger.jsonl")
        ledger.making(Entry("mount_root", str(runtime), "plmtest-none"))
        ledger.making(Entry("process", "plmtest-none/containerd", str(runtime)))
        assert len(sweep(ledger)) == 2
        assert left.wait(60) != 0
        assert other.poll() is None
        assert not runtime.exists()
        assert ledger.entries() == []
        assert sweep(ledger) == []
    finally:
        for process in (left, other):
            process.kill()
            process.wait()


def test_ending_a_missing_process_is_no_error() -> None:
    done = subprocess.Popen(["true"])
    done.wait()
    end_processes([done.pid])
    assert done.returncode == 0


def test_the_spool_keeps_complete_records_with_their_digest(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    written = spool.write("trl_a", 2, {"b": 1, "a": [1.5]}, ("path_contradicted", "not so"))
    (read,) = spool.waiting()
    assert read == written
    assert read.sha256 == digest({"a": [1.5], "b": 1})
    assert (read.trial_id, read.fence) == ("trl_a", 2)
    spool.forget(read)
    assert list(tmp_path.iterdir()) == []


def test_a_number_without_json_form_is_not_spooled(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        Spool(tmp_path).write("trl_a", 1, {"a": float("nan")}, None)


def test_a_full_disk_is_reported_and_leaves_no_incomplete_record(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], check=True)
    try:
        spool = Spool(small)
        with pytest.raises(StorageFull, match="64 MiB are needed"):
            spool.check_room()
        with pytest.raises(StorageFull, match="No space left"):
            spool.write("trl_a", 1, {"a": "x" * 1_000_000}, None)
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_the_measuring_lock_has_one_holder_and_creates_no_file(tmp_path: Path) -> None:
    with measuring(tmp_path):
        descriptor = os.open(tmp_path, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(descriptor)
    assert list(tmp_path.iterdir()) == []


def test_a_sweep_treats_missing_things_as_removed(tmp_path: Path) -> None:
    """After a reboot the ledger names links, programs and a daemon that no longer exist."""
    ledger = Ledger(tmp_path / "ledger.jsonl")
    entries = [
        Entry("netns", "plmtest-none"),
        Entry("link", "plmtest-none/port1"),
        Entry("bare", str(tmp_path / "engines" / "on" / "bare"), "plmtest-none"),
        Entry("host_image", str(tmp_path / "docker.sock"), "bench:test"),
        Entry("host_engine", str(tmp_path / "docker.sock"), "plmtest-host"),
    ]
    for entry in entries:
        ledger.making(entry)
    assert sweep(ledger) == [f"{entry.kind} {entry.name}" for entry in reversed(entries)]
    assert ledger.entries() == []


def test_the_remains_of_a_bare_program_are_removed_with_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    (folder / "volumes" / "data").mkdir(parents=True)
    (tmp_path / "docker").mkdir()
    remove_bare(folder, "plmtest-none")
    assert list(tmp_path.iterdir()) == [tmp_path / "docker"]
