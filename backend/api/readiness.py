"""Whether the API can serve, and what is missing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from backend.api.notifier import Notifier
from backend.api.outages import Outage, OutageTracker, host_outages
from backend.api.static_files import is_being_built
from backend.core.errors import Unavailable
from backend.settings import Settings
from backend.store import migrations
from backend.store.repositories import health, hosts
from backend.store.repositories.hosts import KnownHost
from backend.store.session import session_scope

REQUIRED: Final = ("database", "migration")
"""The parts without which the API is not ready."""
SERVICES: Final = ("database", "redis")
LEAST_FREE: Final = 1 << 30
"""Bytes of the database's volume below which it counts as nearly full."""


@dataclass(frozen=True)
class Readiness:
    """The answer of /readyz. `body` has details that only people of this installation may see."""

    ready: bool
    body: dict[str, Any]

    @property
    def status(self) -> int:
        """The HTTP status."""
        return 200 if self.ready else 503

    @property
    def public(self) -> dict[str, Any]:
        """The body for everybody else."""
        return {"status": self.body["status"]}


def readiness(settings: Settings, notifier: Notifier, tracker: OutageTracker) -> Readiness:
    """Check every part that the API needs."""
    reasons: dict[str, str | None] = {
        "database": None,
        "redis": None if notifier.ping() else "does not answer",
        "migration": None,
        "page": _page(settings),
        "storage": _storage(settings),
    }
    known: list[KnownHost] = []
    try:
        with session_scope(settings) as session:
            reasons["migration"] = migrations.difference(migrations.applied(session))
            health.check_schema(session)
            known = hosts.list_all(session)
    except Unavailable as error:
        reasons["database"] = str(error).removeprefix("the database ")
    found = list(_outages(tracker, reasons, known))
    ready = not any(reasons[part] for part in REQUIRED)
    away = [outage for outage in found if outage.host is not None or outage.part in SERVICES]
    body = {
        "status": "ok" if ready else "unavailable",
        "checks": {part: reason or "ok" for part, reason in reasons.items()} | _unknown(settings),
        "outages": [outage.model_dump(mode="json") for outage in found],
        "away": [outage.model_dump(mode="json") for outage in away],
    }
    return Readiness(ready, body)


def _outages(
    tracker: OutageTracker, reasons: dict[str, str | None], known: list[KnownHost]
) -> Iterator[Outage]:
    for part, reason in reasons.items():
        if outage := tracker.update(part, reason):
            yield outage
    for host in known:
        yield from host_outages(host)


def _page(settings: Settings) -> str | None:
    if (settings.page_dir / "index.html").is_file():
        return None
    return "the page is being built" if is_being_built(settings.page_dir) else "the page is not built"


def _storage(settings: Settings) -> str | None:
    """Why the database's volume is nearly full; None if it is not, or not known."""
    free = _free_bytes(settings)
    if free is None:
        return None
    return f"only {free >> 20} MiB are free on the database's volume" if free < LEAST_FREE else None


def _unknown(settings: Settings) -> dict[str, str]:
    """The checks that this process cannot make: the database's folder may be hidden, or on another host."""
    return {} if _free_bytes(settings) is not None else {"storage": "not known"}


def _free_bytes(settings: Settings) -> int | None:
    try:
        found = os.statvfs(settings.var_dir / "postgres")
    except OSError:
        return None
    return found.f_bavail * found.f_frsize
