"""Counts the event streams that are open in this process, by team."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from backend.api.quotas.rules import exceeded


class OpenStreams:
    """The open event streams of each team. Belongs to one event loop."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def of_team(self, team_id: str) -> int:
        """The open streams of a team."""
        return self._open[team_id]

    @asynccontextmanager
    async def slot(self, team_id: str, limit: int) -> AsyncIterator[None]:
        """Count a stream of a team that may have `limit` within this context. Raises QuotaExceeded."""
        if self._open[team_id] >= limit:
            raise exceeded("open_streams", limit, self._open[team_id], 1)
        self._open[team_id] += 1
        try:
            yield
        finally:
            self._open[team_id] -= 1
            if not self._open[team_id]:
                del self._open[team_id]
