"""What a tool reported of one run, whatever the tool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from backend.core.definition.factors import Level
from backend.core.errors import Unparseable
from backend.core.sample.notice import Notice
from backend.core.sample.record import SecondPoint

MOST_POINTS: Final = 25_000
"""Intervals of one run that are kept: seven hours of seconds. All of them are stored with the trial."""


@dataclass(frozen=True)
class Setting:
    """A setting as a report has it: as a level of its factor, and as it is printed.

    `slack` is by how much a level may differ from it, where the tool prints a rounded figure.
    """

    level: Level | float
    text: str
    slack: float = 0.0


@dataclass(frozen=True)
class ToolResult:
    """One run as its tool reported it.

    An operation is a transaction of pgbench, an HTTP request, or a megabyte (10^6 bytes) that iperf3's
    receiver got; `operations` counts those that succeeded. `metrics` are the tool's own, by their names
    in `core.definition.metrics`; one that was not observed is absent. `latency_measured` is False where
    the tool derived latency from the rate. `histogram` holds (upper bound in microseconds, count).
    `notices` qualify its own figures. `settings` are those that the report has, by the names of factors.
    """

    tool: str
    version: str | None
    operations: int
    failed: int
    connections: int
    latency_measured: bool
    metrics: dict[str, float]
    per_second: tuple[SecondPoint, ...] = ()
    histogram: tuple[tuple[int, int], ...] = ()
    facts: dict[str, str] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    settings: dict[str, Setting] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise Unparseable for more progress than any run that is accepted has."""
        if len(self.per_second) > MOST_POINTS:
            given = f"the output of {self.tool} has {len(self.per_second):,} intervals"
            raise Unparseable(f"{given}, at most {MOST_POINTS:,} are read")


@dataclass(frozen=True)
class Parser:
    """One tool's parser: `parse(stdout, stderr)` of one run, raising Unparseable that names what is
    missing; `progress(stdout, stderr)` of what a running tool printed so far."""

    parse: Callable[[str, str], ToolResult]
    progress: Callable[[str, str], list[SecondPoint]]
