"""Unavailable parts of the installation: since when, and the effect on runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from backend.api.schema import Body, Timestamp
from backend.store.repositories.hosts import KnownHost

EFFECTS: Final = {
    "database": "nothing can be read or started; the running trial's result is kept and recorded afterwards",
    "redis": "pages show events with a delay of seconds; trials continue",
    "migration": "nothing can be read or started until the database and the program have the same version",
    "page": "the API works, browsers get an error in place of the page",
    "storage": "no result can be stored once the volume is full",
    "worker": "queued trials of this host wait; nothing is lost",
}


class Outage(Body):
    """An unavailable part. `since` is when the outage was detected; `host` is set if it is on a host."""

    part: str
    host: str | None
    since: Timestamp
    reason: str
    effect: str


class OutageTracker:
    """When the outages of the API's own parts were detected by this process. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: dict[str, datetime] = {}

    def update(self, part: str, reason: str | None) -> Outage | None:
        """Record that a part is unavailable, or with None that it answers; returns its outage, if any."""
        with self._lock:
            if reason is None:
                self._since.pop(part, None)
                return None
            since = self._since.setdefault(part, datetime.now(UTC))
        return Outage(part=part, host=None, since=since, reason=reason, effect=EFFECTS[part])


def host_outages(host: KnownHost) -> Iterator[Outage]:
    """The outages of a host: its worker is offline, or conditions that its worker reports."""
    if not host.online:
        reason = "no sign of the worker for a minute"
        yield Outage(
            part="worker", host=host.name, since=host.last_seen_at, reason=reason, effect=EFFECTS["worker"]
        )
    for condition in host.conditions:
        if condition.get("until") is None:
            yield _reported(host.name, condition)


def _reported(name: str, condition: dict[str, Any]) -> Outage:
    reported = {field: condition[field] for field in ("part", "since", "reason", "effect")}
    return Outage.model_validate({"host": name, **reported})
