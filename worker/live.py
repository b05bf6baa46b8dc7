"""Live samples of a running trial, over Redis; without one they are not shown, and nothing else changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Protocol

import redis
from redis.exceptions import RedisError

from backend.queue import connect, publish_live
from backend.settings import Settings


class Shown(Protocol):
    """A trial as its live samples name it."""

    @property
    def trial_id(self) -> str: ...
    @property
    def run_id(self) -> str: ...
    @property
    def cell_id(self) -> str: ...


class LiveSamples:
    """The way of live samples to the page, if this worker has one."""

    def __init__(self, settings: Settings) -> None:
        self._redis: redis.Redis | None = connect(settings) if settings.has_redis else None
        self._phase: tuple[str, str] | None = None
        self._since = datetime.now(UTC)

    def publish(self, trial: Shown, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        """Publish one second of a trial."""
        self._phase = None
        if self._redis is None:
            return
        publish_live(
            self._redis,
            trial.run_id,
            {
                "trial_id": trial.trial_id,
                "cell_id": trial.cell_id,
                "t": t,
                "rate": rate,
                "cores": dict(cores) if cores is not None else None,
            },
        )

    def publish_phase(
        self, trial: Shown, phase: str, reasons: Sequence[str], since: datetime | None = None
    ) -> None:
        """Publish what happens to a trial outside of its window; `since`: its first report, if not given."""
        if self._phase != (trial.trial_id, phase):
            self._phase, self._since = (trial.trial_id, phase), datetime.now(UTC)
        if self._redis is None:
            return
        found = {
            "trial_id": trial.trial_id,
            "cell_id": trial.cell_id,
            "phase": phase,
            "reasons": list(reasons),
            "since": (since or self._since).isoformat(timespec="milliseconds"),
        }
        publish_live(self._redis, trial.run_id, found)

    def silence(self) -> str | None:
        """Why nothing is shown although there is a Redis, or None."""
        if self._redis is None:
            return None
        try:
            self._redis.ping()
        except (RedisError, OSError) as error:
            return f"Redis does not answer: {error}"
        return None
