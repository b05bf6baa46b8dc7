"""The release of a worker beside the server's own."""

from __future__ import annotations

import re

from backend.api.hosts.schemas import HostRelease


def compare(worker: str | None, server: str) -> HostRelease:
    """Whether a worker's release is the server's; `other` where they cannot be ordered."""
    return HostRelease(worker=worker, server=server, state=_state(worker, server))


def _state(worker: str | None, server: str) -> str:
    if worker is None:
        return "not_reported"
    if worker == server:
        return "same"
    own, theirs = _numbers(server), _numbers(worker)
    if own is None or theirs is None or own == theirs:
        return "other"
    return "behind" if theirs < own else "ahead"


def _numbers(release: str) -> tuple[int, ...] | None:
    """The numbers of "1.2.3"; None of any other text."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}", release):
        return None
    return tuple(int(part) for part in release.split("."))
