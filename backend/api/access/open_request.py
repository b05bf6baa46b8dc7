"""The access of a caller whose request lasts: an event stream, or a long poll."""

from __future__ import annotations

import time
from typing import Final, Protocol

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from backend.api.access.actor import Actor
from backend.api.access.guard import is_still_admitted
from backend.core.errors import Unavailable
from backend.settings import Settings

RECHECK_S: Final = 10.0
"""Seconds after which the access of a waiting caller is checked again."""


class AccessChanges(Protocol):
    """Counts how often this process may have ended somebody's access."""

    access_changes: int


class OpenRequestAccess:
    """Whether the caller of an open request may still read: checked every RECHECK_S seconds, and at once when
    this process has ended somebody's access.
    """

    def __init__(self, settings: Settings, request: Request, caller: Actor, changes: AccessChanges) -> None:
        self._settings = settings
        self._request = request
        self._caller = caller
        self._changes = changes
        self._seen = changes.access_changes
        self._next = time.monotonic() + RECHECK_S

    @property
    def wait_s(self) -> float:
        """Seconds until the next check."""
        return max(0.0, self._next - time.monotonic())

    async def has_ended(self, at_once: bool = False) -> bool:
        """Whether the access has ended; False while the database is unavailable: nothing is read then.

        `at_once`: check now, because a response follows.
        """
        changes = self._changes.access_changes
        if not at_once and self.wait_s > 0 and changes == self._seen:
            return False
        self._seen = changes
        self._next = time.monotonic() + RECHECK_S
        try:
            return not await run_in_threadpool(is_still_admitted, self._settings, self._request, self._caller)
        except Unavailable:
            return False
