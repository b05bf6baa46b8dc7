"""Current and recent problems of this host's worker: which part, since when, and the effect on runs.

Each change writes one log line; all of them go to the database, and the host's page shows them.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal

log = logging.getLogger(__name__)

Part = Literal["database", "server", "redis", "host", "storage", "quarantine"]
"""`server`: that of an enrolled host, which has no database. `host`: trials end with faults of the host, and
claiming pauses. `storage`: no space for a record."""
EFFECTS: Final[dict[Part, str]] = {
    "database": "no trial is claimed; finished trials wait in the spool and are recorded when it answers",
    "server": "no trial is claimed; finished trials wait in the spool and are recorded when it answers",
    "redis": "runs go on; new runs begin some seconds late, and live figures are missing",
    "host": "claiming pauses; one trial at a time is tried, and no attempt counts against its trial",
    "storage": "no trial is claimed until there is space for its record",
    "quarantine": "these records are in no result; their files and reasons are in the spool's folder",
}
MOST_KEPT: Final = 20


@dataclass(frozen=True)
class Condition:
    """One problem: since when (UTC), until when (None: until now), why, and its effect on runs."""

    part: Part
    since: datetime
    reason: str
    effect: str
    until: datetime | None = None

    def as_json(self) -> dict[str, Any]:
        """As stored in the database."""
        times = {"since": self.since.isoformat(), "until": self.until and self.until.isoformat()}
        return asdict(self) | times


class Conditions:
    """The conditions of one worker, at most MOST_KEPT; thread-safe."""

    def __init__(self) -> None:
        self._kept: list[Condition] = []
        self._lock = threading.Lock()

    def begin(self, part: Part, reason: str, since: datetime | None = None) -> None:
        """Note a problem of a part. Repeated: only the reason is updated, and nothing is logged."""
        with self._lock:
            for index, known in enumerate(self._kept):
                if known.part == part and known.until is None:
                    self._kept[index] = replace(known, reason=reason)
                    return
            self._kept.append(Condition(part, since or datetime.now(UTC), reason, EFFECTS[part]))
            self._kept = self._kept[-MOST_KEPT:]
        log.warning("%s: %s (%s)", part, reason, EFFECTS[part])

    def end(self, part: Part) -> None:
        """Note that a part works again; one without a problem is no error."""
        with self._lock:
            for index, known in enumerate(self._kept):
                if known.part == part and known.until is None:
                    self._kept[index] = ended = replace(known, until=datetime.now(UTC))
                    break
            else:
                return
        assert ended.until is not None
        log.warning("%s: works again after %.1f s", part, (ended.until - ended.since).total_seconds())

    def as_json(self) -> list[dict[str, Any]]:
        """All of them, oldest first, as stored in the database."""
        with self._lock:
            return [condition.as_json() for condition in self._kept]
