"""Classify the error of a trial: whose fault it is, and whether the trial may be tried again.

The kernel's errors (OSError of /proc and the like) are mapped to our own only here.
"""

from __future__ import annotations

import errno
import logging
from typing import Final

from backend.core.errors import (
    EngineUnavailable,
    HostFault,
    HostSlept,
    ProcessLost,
    ServerLost,
    StorageFull,
    StoreAway,
    TrialFailed,
    Unavailable,
    Unexpected,
)

log = logging.getLogger(__name__)

GONE: Final = frozenset((errno.ENOENT, errno.ESRCH, errno.ENODEV))
"""The kernel's errors for files of a process that has ended, or of its network namespace."""
FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT))
CERTAIN = (StorageFull, HostSlept, ServerLost)
"""Faults that are more specific than what is missing afterwards."""


def fault_of(error: Exception, missing: HostFault | None) -> HostFault | TrialFailed:
    """The trial's own failure, or the host's fault behind an error.

    `missing` is what was gone afterwards (the engine, the server): it explains any other error, also that of
    a client which lost its server. An unexpected error is logged with its traceback.
    """
    if isinstance(error, CERTAIN):
        return error
    if isinstance(missing, ServerLost):
        return ServerLost(f"{missing}; seen as: {described(error)}")
    if missing is not None:
        return EngineUnavailable(f"{missing}; seen as: {described(error)}")
    if isinstance(error, HostFault | TrialFailed):
        return error
    if isinstance(error, Unavailable):
        return StoreAway(str(error))
    if isinstance(error, OSError) and error.errno in FULL:
        return StorageFull(described(error))
    if isinstance(error, OSError) and error.errno in GONE:
        return ProcessLost(f"a process that was measured has ended: {described(error)}")
    log.error("an unexpected error ended a trial", exc_info=error)
    return Unexpected(described(error))


def described(error: Exception) -> str:
    """An error in one line, with its type where it is not one of ours."""
    text = " ".join(str(error).split())
    return text if isinstance(error, HostFault | TrialFailed) else f"{type(error).__name__}: {text}"
