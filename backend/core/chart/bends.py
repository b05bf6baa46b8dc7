"""What a knee says, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from backend.core.chart.model import Interval
from backend.core.statistics.paired import Bounds
from backend.core.statistics.verdict import percent, spread


@dataclass(frozen=True)
class Fall:
    """The first load beyond the knee that is shown to be slower: its ratio to the knee, with its interval."""

    level: int
    ratio: float
    interval: Bounds


class Bend(Protocol):
    """A knee over the rounds; level 0 is below the lowest."""

    @property
    def level(self) -> int:
        """The level that at least half of the rounds reach."""

    @property
    def n(self) -> int:
        """How many rounds."""

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval, from six rounds."""


def limit_sentence(levels: Sequence[int], bend: Bend | None, limit_ms: float) -> str:
    """Up to which offered rate the 99th percentile keeps to the limit."""
    if bend is None:
        return (
            "Not known: no round has the 99th percentile of every rate that decides "
            "(a trial needs 1,000 transactions for it)."
        )
    within = f"within {limit_ms:,g} ms of the scheduled start"
    counted = _counted(levels, bend)
    if bend.level == 0:
        return (
            f"Already at {levels[0]:,} transactions per second, the lowest rate, the 99th percentile is not "
            f"{within}, or the rate is not reached ({counted})."
        )
    if bend.level == levels[-1]:
        return (
            f"The 99th percentile is {within} at every rate, up to {levels[-1]:,} transactions per second; "
            f"the knee is there or above ({counted})."
        )
    return f"The 99th percentile is {within} up to {bend.level:,} transactions per second ({counted})."


def collapse_sentence(levels: Sequence[int], bend: Bend | None, fall: Fall | None) -> str:
    """Up to how many clients throughput holds, and how much it has fallen beyond."""
    if bend is None:
        return "Not known: no round has the throughput of every number of clients."
    counted = _counted(levels, bend)
    if fall is None:
        return (
            f"No fall is shown up to {levels[-1]:,} clients: throughput keeps to 95 % of its best "
            f"up to {_clients(bend.level)} at least ({counted})."
        )
    return (
        f"Throughput keeps to 95 % of its best up to {_clients(bend.level)} ({counted}); with {fall.level:,} "
        f"it is {percent(fall.ratio)} (95 % CI {spread(fall.interval)})."
    )


def _clients(level: int) -> str:
    return "1 client" if level == 1 else f"{level:,} clients"


def _counted(levels: Sequence[int], bend: Bend) -> str:
    rounds = "1 round" if bend.n == 1 else f"{bend.n} rounds"
    if bend.interval is None:
        few = ", no interval with fewer than 6" if bend.n < 6 else ""
        return f"{rounds}{few}"
    low, high = bend.interval.low, bend.interval.high
    least = f"below {levels[0]:,}" if low == 0 else f"{low:,.0f}"
    return f"95 % CI {least} to {high:,.0f}{' or above' if high == levels[-1] else ''}, {rounds}"
