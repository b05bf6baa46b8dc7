"""How far the server's clock is from this host's, measured with every report.

Nothing depends on it: leases run by the database's clock, and the worker measures durations with a monotonic
one. It is shown, so that times of two hosts can be compared by whoever reads them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True)
class ClockOffset:
    """Seconds by which the server's clock is ahead of this host's, and how far off that may be."""

    offset_s: float
    uncertainty_s: float


class Exchange:
    """One request to the server: begun here, received there, answered here.

    The server read its clock between the two; half of the round trip is the uncertainty, as in NTP (RFC 5905,
    section 8, with one time of the server).
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._steady = steady
        self._began_wall, self._began = wall(), steady()

    @property
    def sent_at(self) -> str:
        """When it began, by this host's clock, in ISO 8601."""
        return datetime.fromtimestamp(self._began_wall, UTC).isoformat()

    def answered(self, received_at: str) -> ClockOffset:
        """The offset, from the server's time in ISO 8601. Raises ValueError."""
        half = (self._steady() - self._began) / 2
        server = datetime.fromisoformat(received_at)
        if server.tzinfo is None:
            raise ValueError(f"{received_at} has no time zone")
        return ClockOffset(round(server.timestamp() - self._began_wall - half, 6), round(half, 6))
