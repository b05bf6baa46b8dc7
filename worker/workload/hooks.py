"""How a trial talks to the world while it runs: live figures out, the wish to stop in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

Stop = Literal["cancel", "stale", "abort"]


class Hooks(Protocol):
    """Called from the trial's own thread; must not block."""

    def live(self, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        """One second of the running measurement: seconds since its start, rate, cores by role."""

    def window(self, begins_in_s: float, seconds: float) -> None:
        """The warm-up begins now; the measured window follows it and takes so many seconds."""

    def stop_wanted(self) -> Stop | None:
        """Whether the trial should end now: cancelled by a user, superseded, or the worker is stopping."""


class Stopped(Exception):
    """The trial ended because `stop_wanted` said so."""

    def __init__(self, why: Stop) -> None:
        super().__init__(why)
        self.why = why


class NoHooks:
    """For calls outside a run: nothing to show, nobody to stop it."""

    def live(self, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        """Show nothing."""

    def window(self, begins_in_s: float, seconds: float) -> None:
        """Nobody is to be told."""

    def stop_wanted(self) -> Stop | None:
        """Never stop."""
        return None
