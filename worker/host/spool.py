"""The spool: a finished trial is a file on this host before it is a row anywhere else.

While the database is away nothing is lost; the fence decides later whether the record still counts.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LEAST_FREE_BYTES = 64 * 1024 * 1024


class StorageFull(RuntimeError):
    """There is no room for a record; free space under the spool's folder."""


@dataclass(frozen=True)
class Spooled:
    """One record on disk: where, for which trial and fence, its payload and the payload's SHA-256."""

    path: Path
    trial_id: str
    fence: int
    payload: dict[str, Any]
    sha256: str
    failure: tuple[str, str] | None


class Spool:
    """A folder of records that wait to be recorded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def check_room(self) -> None:
        """Raise StorageFull where a record might not fit."""
        room = os.statvfs(self.folder)
        free = room.f_bavail * room.f_frsize
        if free < LEAST_FREE_BYTES:
            raise StorageFull(f"only {free // 2**20} MiB are free under {self.folder}; 64 MiB are needed")

    def write(
        self, trial_id: str, fence: int, payload: dict[str, Any], failure: tuple[str, str] | None
    ) -> Spooled:
        """Keep a record, whole or not at all. Raises StorageFull."""
        text = json.dumps({"payload": payload, "failure": failure}, sort_keys=True, allow_nan=False)
        path = self.folder / f"{trial_id}-f{fence}.json"
        partial = path.with_suffix(".partial")
        try:
            with partial.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise StorageFull(
                f"the record could not be written under {self.folder}: {error.strerror}"
            ) from error
        partial.rename(path)
        self._sync_folder()
        return Spooled(path, trial_id, fence, payload, digest(payload), failure)

    def waiting(self) -> Iterator[Spooled]:
        """Every record that is still here, oldest name first."""
        for path in sorted(self.folder.glob("*.json")):
            trial_id, _, fence = path.stem.rpartition("-f")
            content = json.loads(path.read_text(encoding="utf-8"))
            failure = content["failure"]
            yield Spooled(
                path,
                trial_id,
                int(fence),
                content["payload"],
                digest(content["payload"]),
                tuple(failure) if failure else None,
            )

    def forget(self, record: Spooled) -> None:
        """The record is safe elsewhere, or will never count."""
        record.path.unlink(missing_ok=True)
        self._sync_folder()

    def _sync_folder(self) -> None:
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def digest(payload: dict[str, Any]) -> str:
    """SHA-256 of a payload's canonical JSON."""
    return hashlib.sha256(json.dumps(payload, sort_keys=True, allow_nan=False).encode()).hexdigest()
