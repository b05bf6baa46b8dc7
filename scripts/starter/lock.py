"""A lock: one running instance for each var directory."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from scripts.starter.terminal import Refusal


def hold(path: Path, inherited: int | None) -> int:
    """Hold the lock at `path` until this process ends; returns its descriptor.

    `inherited` is a descriptor on which the caller's shell already holds it. Children do not
    inherit it, so that a child that survives this process cannot keep it. Raises Refusal.
    """
    if inherited is not None:
        os.set_inheritable(inherited, False)
        return inherited
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise Refusal(f"Plimsoll already runs from {path.parent}; stop that one first") from None
    return descriptor
