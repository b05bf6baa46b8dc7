"""The callbacks of a running trial: live values and the measured window out, a request to stop in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, Protocol

Stop = Literal["cancel", "stale", "abort"]
Phase = Literal["waiting", "repeating", "warming_up"]
"""What happens to a trial outside of its window: it waits for a quiet host, its take was contaminated and is
repeated, its warm-up begins."""


class Hooks(Protocol):
    """Called from the thread that runs the trial; must not block."""

    def live(self, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        """One second of the running measurement: seconds since its start, rate, cores by role."""

    def phase(self, phase: Phase, reasons: Sequence[str]) -> None:
        """What happens now outside of the window, and why; never called inside it."""

    def window(self, begins_in_s: float, seconds: float) -> None:
        """The warm-up begins now; the measured window follows it and lasts so many seconds."""

    def stop_wanted(self) -> Stop | None:
        """Whether the trial should end now: cancelled by a user, superseded, or the worker is stopping."""


class Stopped(Exception):
    """The trial ended because `stop_wanted` returned a reason."""

    def __init__(self, why: Stop) -> None:
        super().__init__(why)
        self.why = why


def raise_if_stopped(hooks: Hooks) -> None:
    """Raise Stopped where the trial should end now."""
    if (why := hooks.stop_wanted()) is not None:
        raise Stopped(why)


class NoHooks:
    """For calls outside a run: shows nothing and never stops."""

    def live(self, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        """Show nothing."""

    def phase(self, phase: Phase, reasons: Sequence[str]) -> None:
        """Show nothing."""

    def window(self, begins_in_s: float, seconds: float) -> None:
        """Announce nothing."""

    def stop_wanted(self) -> Stop | None:
        """Never stop."""
        return None


NO_HOOKS: Final = NoHooks()
