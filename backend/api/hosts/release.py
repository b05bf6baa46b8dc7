"""The release of a worker beside the server's own."""

from __future__ import annotations

import re

from backend.api.hosts.schemas import HostRelease
from backend.api.served_protocols import is_served
from backend.worker_installation import WorkerInstallation, update_advice


def compare(
    worker: str | None, server: str, protocol: int | None = None, installed: str | None = None
) -> HostRelease:
    """Whether a worker's release is the server's, and how it is updated; `other`: they cannot be ordered."""
    state, served = _state(worker, server), is_served(protocol)
    update = None
    if worker is not None and (state == "behind" or not served):
        update = update_advice(WorkerInstallation.parse(installed or ""), worker, server)
    return HostRelease(worker=worker, server=server, state=state, served=served, update=update)


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
