"""The spool: a finished trial is written to a file on this host before it goes to the database.

While the database does not answer nothing is lost; the fence decides later whether the record counts. A file
that cannot be recorded is moved to `quarantine`, with its reason beside it, so that it blocks no other.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from backend.core.errors import StorageFull

log = logging.getLogger(__name__)

LEAST_FREE_BYTES = 64 * 1024 * 1024
MAX_QUARANTINED = 100
"""Number of files in quarantine; beyond it the oldest are deleted."""
REASON = ".reason"


@dataclass(frozen=True)
class Spooled:
    """One record on disk: where, for which trial and fence, its payload and the payload's SHA-256."""

    path: Path
    trial_id: str
    fence: int
    payload: dict[str, Any]
    sha256: str
    failure: tuple[str, str] | None


@dataclass(frozen=True)
class Quarantined:
    """One file that could not be recorded: its name, why, and when it was moved."""

    name: str
    reason: str
    since: datetime


class Spool:
    """A folder of records that wait to be recorded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.quarantine_folder = folder / "quarantine"
        self._stuck: set[Path] = set()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def check_room(self) -> None:
        """Raise StorageFull where there may not be enough space for a record."""
        found = os.statvfs(self.folder)
        free = found.f_bavail * found.f_frsize
        if free < LEAST_FREE_BYTES:
            raise StorageFull(f"only {free // 2**20} MiB are free under {self.folder}; 64 MiB are needed")

    def write(
        self, trial_id: str, fence: int, payload: dict[str, Any], failure: tuple[str, str] | None
    ) -> Spooled:
        """Write a record, whole or not at all. Raises StorageFull."""
        text = json.dumps({"payload": payload, "failure": failure}, sort_keys=True, allow_nan=False)
        path = self.folder / f"{trial_id}-f{fence}.json"
        partial = path.with_suffix(".partial")
        try:
            partial.touch(mode=0o600)
            with partial.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            partial.rename(path)
            self._sync_folder()
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise StorageFull(
                f"the record could not be written under {self.folder}: {error.strerror}"
            ) from error
        return Spooled(path, trial_id, fence, payload, digest(payload), failure)

    def recover(self) -> None:
        """Delete incomplete files of a crash; call it before the first `write`."""
        for partial in sorted(self.folder.glob("*.partial")):
            log.warning("spool: %s is deleted; the worker ended while writing it", partial.name)
            partial.unlink(missing_ok=True)

    def waiting(self) -> Iterator[Spooled]:
        """Every waiting record, oldest name first; a file that is not a record goes to quarantine."""
        for path in sorted(self.folder.glob("*.json")):
            try:
                yield _read(path)
            except (OSError, ValueError, KeyError, TypeError) as error:
                self.quarantine(path, f"the file is not a complete record: {type(error).__name__}: {error}")

    def quarantine(self, path: Path, reason: str) -> None:
        """Move a file to the quarantine folder, with its reason beside it; logs, never raises."""
        if path in self._stuck:
            return
        destination = self.quarantine_folder / path.name
        try:
            self.quarantine_folder.mkdir(mode=0o700, exist_ok=True)
            path.replace(destination)
        except OSError as error:
            self._stuck.add(path)
            log.error("spool: %s cannot be recorded (%s) or moved: %s", path.name, reason, error)
            return
        log.error("spool: %s was moved to %s: %s", path.name, self.quarantine_folder, reason)
        try:
            note = destination.with_name(destination.name + REASON)
            note.touch(mode=0o600)
            note.write_text(reason + "\n", encoding="utf-8")
            self._bound()
        except OSError as error:
            log.warning("spool: the reason of %s was not written: %s", path.name, error)

    def quarantined(self) -> list[Quarantined]:
        """What is in quarantine, oldest first."""
        return [
            Quarantined(path.name, _reason_of(path), datetime.fromtimestamp(changed, UTC))
            for changed, path in self._kept()
        ]

    def _kept(self) -> list[tuple[float, Path]]:
        files = (file for file in self.quarantine_folder.glob("*") if file.suffix != REASON)
        return sorted((file.lstat().st_ctime, file) for file in files)

    def _bound(self) -> None:
        for _, path in self._kept()[:-MAX_QUARANTINED]:
            log.error("spool: quarantine is full, %s is deleted", path.name)
            path.unlink()
            path.with_name(path.name + REASON).unlink(missing_ok=True)

    def forget(self, record: Spooled) -> None:
        """Delete a record that is in the database, or that will never count."""
        record.path.unlink(missing_ok=True)
        self._sync_folder()

    def _sync_folder(self) -> None:
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _read(path: Path) -> Spooled:
    """A spooled file. Raises OSError, ValueError, KeyError or TypeError for an incomplete record."""
    trial_id, _, fence = path.stem.rpartition("-f")
    content = json.loads(path.read_text(encoding="utf-8"))
    payload, failure = content["payload"], content["failure"]
    if not trial_id or not isinstance(payload, dict):
        raise ValueError("it has no trial id or no record")
    kept = (str(failure[0]), str(failure[1])) if failure else None
    return Spooled(path, trial_id, int(fence), payload, digest(payload), kept)


def _reason_of(path: Path) -> str:
    try:
        return path.with_name(path.name + REASON).read_text(encoding="utf-8").strip()
    except OSError:
        return "its reason could not be written"


def digest(payload: dict[str, Any]) -> str:
    """SHA-256 of a payload's canonical JSON."""
    return hashlib.sha256(json.dumps(payload, sort_keys=True, allow_nan=False).encode()).hexdigest()
