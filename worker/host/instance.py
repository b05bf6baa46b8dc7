"""One worker an installation, for its whole life: a lock that the kernel frees when the process ends.

A second worker would otherwise take the first one's engines for leftovers of a crash and remove them.
"""

from __future__ import annotations

import fcntl
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from backend.core.errors import AlreadyRunning

NAME: Final = "worker.lock"


class InstanceLock:
    """Held from `acquire` to `release`, or to the end of the process; both may be repeated."""

    def __init__(self, runtime: Path) -> None:
        self._path = runtime / NAME
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this process holds it."""
        return self._descriptor is not None

    def acquire(self, purpose: str = "worker") -> None:
        """Take the lock, and note who holds it. Raises AlreadyRunning, which names the holder."""
        if self._descriptor is not None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        while not self._take():
            continue  # the holder has just deleted the file that was opened: open the new one
        assert self._descriptor is not None
        said = {
            "pid": os.getpid(),
            "purpose": purpose,
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        os.truncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(said).encode(), 0)

    def release(self) -> None:
        """Let go, and leave no file behind."""
        if self._descriptor is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    def _take(self) -> bool:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said = os.pread(descriptor, 4096, 0)
            os.close(descriptor)
            raise AlreadyRunning(self._refusal(said)) from None
        if _names(self._path, descriptor):
            self._descriptor = descriptor
            return True
        os.close(descriptor)
        return False

    def _refusal(self, said: bytes) -> str:
        try:
            holder = json.loads(said)
            who = f"process {holder['pid']} ({holder['purpose']}), since {holder['since']}"
        except (ValueError, KeyError, TypeError):
            who = "a process that has not said who it is"
        return f"another worker of this installation runs: {who} holds {self._path}; stop it first"


def _names(path: Path, descriptor: int) -> bool:
    """Whether the path still leads to the open file."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
