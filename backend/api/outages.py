"""Which part of the installation is away, since when, and what that means for runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from backend.api.schema import Body, Timestamp
from backend.store.repositories.hosts import KnownHost

EFFECTS: Final = {
    "database": "nothing can be read or started; the trial that runs is kept and recorded when it is back",
    "redis": "pages follow runs with a delay of seconds; trials go on",
    "worker": "queued trials of this host wait; nothing is lost",
}


class Outage(Body):
    """One part that is away. `since` is when it was first noticed; `host` where it is a host's."""

    part: str
    host: str | None
    since: Timestamp
    reason: str
    effect: str


class OutageTracker:
    """What this process noticed of the database and Redis; any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: dict[str, datetime] = {}

    def note(self, part: str, reason: str | None) -> Outage | None:
        """Note that a part is away for this reason, or with None that it answers; what there is to say."""
        with self._lock:
            if reason is None:
                self._since.pop(part, None)
                return None
            since = self._since.setdefault(part, datetime.now(UTC))
        return Outage(part=part, host=None, since=since, reason=reason, effect=EFFECTS[part])


def host_outages(host: KnownHost) -> Iterator[Outage]:
    """What is away on a host: its worker, or what its worker says."""
    if not host.online:
        reason = "the worker has not been seen for a minute"
        yield Outage(
            part="worker", host=host.name, since=host.last_seen_at, reason=reason, effect=EFFECTS["worker"]
        )
    for condition in host.conditions:
        if condition.get("until") is None:
            yield _reported(host.name, condition)


def _reported(name: str, condition: dict[str, Any]) -> Outage:
    reported = {field: condition[field] for field in ("part", "since", "reason", "effect")}
    return Outage.model_validate({"host": name, **reported})
