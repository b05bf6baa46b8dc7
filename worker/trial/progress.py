"""Live values of a running command, from the output that it has printed so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.sample.parsers import PARSERS
from worker.workload.command import CommandReader
from worker.workload.hooks import Hooks

LIVE_EVERY_S: Final = 1.0


class Progress:
    """Calls the hooks with the newest second of a tool's output, at most once a second."""

    def __init__(self, tool: str, hooks: Hooks) -> None:
        self._parser = PARSERS[tool]
        self._hooks = hooks
        self._shown_at = 0.0

    def show(self, t: float, reader: CommandReader, cores: Mapping[str, float] | None) -> None:
        """Show the newest second, if there is one; `t` are the seconds since the command's release."""
        if t - self._shown_at < LIVE_EVERY_S:
            return
        self._shown_at = t
        points = self._parser.progress(reader.text("stdout"), reader.text("stderr"))
        if points:
            self._hooks.live(points[-1].t, points[-1].rate, cores)
