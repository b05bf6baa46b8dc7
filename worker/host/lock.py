"""One measurement at a time per host, whatever else goes wrong: a lock of the host's kernel."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACE = Path("/run/plimsoll-measure.lock")


@contextmanager
def measuring(place: Path = PLACE) -> Iterator[None]:
    """Hold the host's measuring lock; waits until another installation's trial has ended.

    The kernel frees it when the process ends, however it ends.
    """
    with place.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
