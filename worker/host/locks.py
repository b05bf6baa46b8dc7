"""Two locks, which the kernel frees with the process: one worker an installation, one
measurement a host.

Without the first, a second worker would take the first one's engines for remains of a crash and remove
them.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from backend.core.errors import AlreadyRunning

NAME: Final = "worker.lock"
MEASURING_FOLDERS: Final = (Path("/run"), Path("/sys/fs/cgroup"))
"""Folders that exist on every host: locking them creates no file. A worker in a container has a /run of its
own and the host's cgroups, which every worker needs; older releases lock /run alone."""


class InstanceLock:
    """Held by a worker from `acquire` to `release`, or to the end of the process; both may be repeated."""

    def __init__(self, runtime: Path) -> None:
        self._path = runtime / NAME
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this process holds it."""
        return self._descriptor is not None

    def acquire(self, purpose: str = "worker") -> None:
        """Take the lock and write its holder into it. Raises AlreadyRunning, which names the holder."""
        if self._descriptor is not None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        while not self._take():
            continue  # the holder has just deleted the file that was opened: open the new file
        assert self._descriptor is not None
        holder = {
            "pid": os.getpid(),
            "purpose": purpose,
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        os.truncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(holder).encode(), 0)

    def release(self) -> None:
        """Release the lock and delete its file."""
        if self._descriptor is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    def _take(self) -> bool:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            content = os.pread(descriptor, 4096, 0)
            os.close(descriptor)
            raise AlreadyRunning(self._refusal(content)) from None
        if _is_same_file(self._path, descriptor):
            self._descriptor = descriptor
            return True
        os.close(descriptor)
        return False

    def _refusal(self, content: bytes) -> str:
        try:
            holder = json.loads(content)
            who = f"process {holder['pid']} ({holder['purpose']}), since {holder['since']}"
        except (ValueError, KeyError, TypeError):
            who = "a process that has not written its name"
        return f"another worker of this installation runs: {who} holds {self._path}; stop it first"


def _is_same_file(path: Path, descriptor: int) -> bool:
    """Whether the path still names the open file."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def measuring(
    *folders: Path, waiting: Callable[[], AbstractContextManager[object]] = nullcontext
) -> Iterator[None]:
    """Hold the host's measuring lock; waits, within `waiting()`, for the trial of another installation.

    Without an argument it is the lock of MEASURING_FOLDERS, always taken in this order.
    """
    with ExitStack() as held:
        for folder in folders or MEASURING_FOLDERS:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            held.callback(os.close, descriptor)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                with waiting():
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
