"""Copies of another process's sockets, by pidfd_getfd(2) (Linux 5.6).

For connections that live for less than a millisecond, as ab's do: between reading a table and reading
descriptors they are gone. A copy exists for about ten microseconds; where the process closes its own
descriptor in that time, the connection ends that much later.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket
from collections.abc import Iterator
from pathlib import Path

PIDFD_GETFD = 438
"""The same number on every architecture since all of them share a table (Linux 5.1)."""
FAMILIES = (socket.AF_INET, socket.AF_INET6)


def sockets_of_process(pid: int) -> Iterator[socket.socket]:
    """Copies of a process's TCP and UDP sockets, one at a time; each is closed before the next.

    None where the process is gone or the kernel cannot copy.
    """
    with contextlib.suppress(OSError):
        process = os.pidfd_open(pid)
        try:
            for descriptor in _sockets(pid):
                with contextlib.suppress(OSError), _copy(process, descriptor) as copy:
                    if copy.family in FAMILIES:
                        yield copy
        finally:
            os.close(process)


def _sockets(pid: int) -> Iterator[int]:
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if str(descriptor.readlink()).startswith("socket:"):
                yield int(descriptor.name)


def _copy(process: int, descriptor: int) -> socket.socket:
    copied = ctypes.CDLL(None, use_errno=True).syscall(PIDFD_GETFD, process, descriptor, 0)
    if copied < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    try:
        return socket.socket(fileno=copied)
    except OSError:  # the number now belongs to something else
        os.close(copied)
        raise
