"""One measurement at a time per host, whatever else goes wrong: a lock of the host's kernel."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACE = Path("/run")
"""A folder that every host has: locking it makes no file that would stay behind."""


@contextmanager
def measuring(place: Path = PLACE) -> Iterator[None]:
    """Hold the host's measuring lock; waits until another installation's trial has ended.

    The kernel frees it when the process ends, however it ends.
    """
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
