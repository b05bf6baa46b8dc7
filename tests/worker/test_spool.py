"""Files that can never be recorded are quarantined with their reason, and block no other."""

from __future__ import annotations

import json
import logging
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DataError, ProgrammingError

from backend.core.errors import StorageFull, Unavailable
from backend.settings import Settings
from backend.store.repositories import trials
from tests.records import trial_record
from tests.store.queued_run import QueuedRun, queue_run
from worker.host import spool as spool_module
from worker.host.spool import Spool
from worker.trial.recording import drain
from worker.trial_queue import StoreTrialQueue


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool")


@pytest.fixture
def queued(owner_settings: Settings) -> QueuedRun:
    return queue_run(owner_settings)


@pytest.fixture
def store(settings: Settings) -> StoreTrialQueue:
    return StoreTrialQueue(settings)


def spooled(queued: QueuedRun, spool: Spool) -> tuple[str, dict[str, Any]]:
    """A complete record of a claimed trial, in the spool."""
    claimed = queued.must_claim()
    payload = trial_record(claimed)
    spool.write(claimed.trial_id, claimed.fence, payload, None)
    return claimed.trial_id, payload


def state(queued: QueuedRun, trial_id: str) -> str:
    ((found,),) = queued.sql("SELECT state FROM trial WHERE id = :id", id=trial_id)
    return str(found)


TORN = {
    "half": b'{"payload": {"trial_id": "trl_',
    "nothing": b"",
    "no_record": b'{"payload": [], "failure": null}',
    "no_payload": b'{"failure": null}',
    "not_text": b"\xff\xfe",
}


@pytest.mark.parametrize("content", TORN.values(), ids=TORN)
def test_an_incomplete_file_is_quarantined_and_the_others_are_recorded(
    queued: QueuedRun, spool: Spool, store: StoreTrialQueue, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    torn = spool.folder / "trl_0000000000000000-f1.json"
    torn.write_bytes(content)
    trial_id, _ = spooled(queued, spool)
    with caplog.at_level(logging.ERROR):
        assert drain(spool, store) == 0
    assert state(queued, trial_id) == "done"
    (aside,) = spool.quarantined()
    assert aside.name == torn.name and aside.reason.startswith("the file is not a complete record: ")
    assert (spool.quarantine_folder / torn.name).read_bytes() == content
    assert torn.name in caplog.text
    assert drain(spool, store) == 0


def test_a_name_without_a_fence_is_quarantined(
    queued: QueuedRun, spool: Spool, store: StoreTrialQueue
) -> None:
    spooled(queued, spool)
    (whole,) = spool.folder.glob("*.json")
    whole.rename(spool.folder / "copy.json")
    assert drain(spool, store) == 0
    assert [aside.name for aside in spool.quarantined()] == ["copy.json"]


def test_a_record_of_another_database_is_quarantined(
    queued: QueuedRun, spool: Spool, store: StoreTrialQueue
) -> None:
    trial_id, payload = spooled(queued, spool)
    other = "trl_" + "0" * 16
    spool.write(other, 1, payload | {"trial_id": other}, None)
    assert drain(spool, store) == 0
    assert state(queued, trial_id) == "done"
    assert [aside.reason for aside in spool.quarantined()] == ["NotFound: there is no such trial"]


def test_a_compatible_record_of_an_older_schema_is_recorded(
    queued: QueuedRun, spool: Spool, store: StoreTrialQueue
) -> None:
    trial_id, payload = spooled(queued, spool)
    for optional in ("histogram", "facts", "processes"):
        payload.pop(optional, None)
    spool.write(trial_id, 1, payload, None)
    assert drain(spool, store) == 0
    assert state(queued, trial_id) == "done" and not spool.quarantined()


def test_a_record_of_an_unknown_schema_is_quarantined(
    queued: QueuedRun, spool: Spool, store: StoreTrialQueue
) -> None:
    trial_id, payload = spooled(queued, spool)
    del payload["metrics"]
    spool.write(trial_id, 1, payload, None)
    assert drain(spool, store) == 0
    assert state(queued, trial_id) == "running"
    assert "metrics" in spool.quarantined()[0].reason


def test_a_record_that_the_database_rejects_is_quarantined(
    queued: QueuedRun, spool: Spool, store: StoreTrialQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    spooled(queued, spool)

    def refuse(*_: object) -> str:
        raise DataError("INSERT", {}, Exception("invalid byte sequence"))

    monkeypatch.setattr(trials, "record", refuse)
    assert drain(spool, store) == 0
    assert "the database refuses the record: invalid byte sequence" in spool.quarantined()[0].reason


class Away:
    """A store that raises."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def record(self, _record: object) -> str:
        raise self._error


def test_an_outage_quarantines_nothing(
    queued: QueuedRun, spool: Spool, caplog: pytest.LogCaptureFixture
) -> None:
    spooled(queued, spool)
    spooled(queued, spool)
    assert drain(spool, Away(Unavailable("the database does not answer"))) == 2
    assert drain(spool, Away(ProgrammingError("INSERT", {}, Exception("no such column")))) == 2
    assert "Traceback" in caplog.text
    assert len(list(spool.waiting())) == 2 and not spool.quarantined()


def test_an_incomplete_file_of_a_crash_is_deleted_at_the_start(
    spool: Spool, caplog: pytest.LogCaptureFixture
) -> None:
    (spool.folder / "trl_a-f1.partial").write_text('{"payl')
    spool.recover()
    assert "trl_a-f1.partial is deleted" in caplog.text
    assert not list(spool.folder.iterdir())


def test_an_unreadable_file_is_quarantined(
    queued: QueuedRun, spool: Spool, store: StoreTrialQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may read everything, so that the error is simulated."""
    trial_id, _ = spooled(queued, spool)
    locked = spool.folder / "trl_0-f1.json"
    locked.write_text("{}")
    read = Path.read_text

    def refuse(path: Path, *arguments: Any, **named: Any) -> str:
        if path == locked:
            raise PermissionError(13, "Permission denied", str(path))
        return read(path, *arguments, **named)

    monkeypatch.setattr(Path, "read_text", refuse)
    assert drain(spool, store) == 0
    assert state(queued, trial_id) == "done"
    assert "Permission denied" in spool.quarantined()[0].reason


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    place = tmp_path / "small"
    place.mkdir()
    argv = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run(argv, check=False, capture_output=True).returncode:
        pytest.skip("only root mounts a file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_on_a_full_disk_an_incomplete_file_is_quarantined_without_its_reason(small: Path) -> None:
    spool = Spool(small)
    spool.quarantine_folder.mkdir()
    (small / "trl_a-f1.json").write_text('{"payl')
    with pytest.raises(OSError, match="No space left"):
        (small / "filler").write_bytes(b"x" * 1_000_000)
    with pytest.raises(StorageFull, match="No space left"):
        spool.write("trl_b", 1, {"a": "x" * 100_000}, None)
    assert list(spool.waiting()) == []
    (aside,) = spool.quarantined()
    assert aside.name == "trl_a-f1.json"
    assert not list(small.glob("*.partial"))


def test_a_file_that_cannot_be_moved_is_skipped_and_logged_once(
    spool: Spool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (spool.folder / "trl_a-f1.json").write_text("{")

    def read_only(*_: object) -> Path:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "replace", read_only)
    for _ in range(3):
        assert list(spool.waiting()) == []
    assert caplog.text.count("cannot be recorded") == 1


def test_quarantine_is_bounded(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool_module, "MAX_QUARANTINED", 3)
    for number in range(5):
        (spool.folder / f"trl_{number}-f1.json").write_text(json.dumps(number))
        assert list(spool.waiting()) == []
    assert len(spool.quarantined()) == 3
    assert len(list(spool.quarantine_folder.iterdir())) == 6, "three files with a reason each"
