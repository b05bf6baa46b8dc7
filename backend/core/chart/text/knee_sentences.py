"""The sentence of a knee."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from backend.core.chart.model.model_base import Interval
from backend.core.statistics.paired import Bounds
from backend.core.statistics.verdict import confidence, percent, spread

_NO_RATE: Final = "a trial failed or did not prove its path"
_NO_PERCENTILE: Final = "a trial failed, did not prove its path, or had fewer than 1,000 transactions"


@dataclass(frozen=True)
class Fall:
    """A load beyond the knee that is shown to be slower: its ratio to the knee, with its interval.

    Where a value is zero, the ratio is that of the medians, and `difference` is the interval instead: of the
    difference to the knee, per second. Both are simultaneous over the `of` levels beyond the knee.
    """

    level: int
    ratio: float
    interval: Bounds | None
    difference: Bounds | None = None
    of: int = 1


@dataclass(frozen=True)
class Lost:
    """Rounds left out because a needed level has no figure; those levels, ascending."""

    rounds: int = 0
    levels: tuple[int, ...] = ()


class KneePoint(Protocol):
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


def limit_sentence(levels: Sequence[int], point: KneePoint | None, lost: Lost, limit_ms: float) -> str:
    """Up to which offered rate the 99th percentile keeps to the limit."""
    left_out = _left_out(point, lost, "transactions per second", _NO_PERCENTILE)
    if point is None:
        why = f".{left_out}" if left_out else " (a trial needs 1,000 transactions for it)."
        return f"Not known: no round has the 99th percentile of every rate that it depends on{why}"
    within = f"within {limit_ms:,g} ms of the scheduled start"
    counted = _counted(levels, point)
    if point.level == 0:
        return (
            f"Already at {levels[0]:,} transactions per second, the lowest rate, the 99th percentile is not "
            f"{within}, or the rate is not reached ({counted}).{left_out}"
        )
    if point.level == levels[-1]:
        return (
            f"The 99th percentile is {within} at every rate, up to {levels[-1]:,} transactions per second; "
            f"the knee is there or above ({counted}).{left_out}"
        )
    reached = f"up to {point.level:,} transactions per second"
    return f"The 99th percentile is {within} {reached} ({counted}).{left_out}"


def collapse_sentence(
    levels: Sequence[int], point: KneePoint | None, lost: Lost, never: Sequence[int], fall: Fall | None
) -> str:
    """Up to how many clients throughput holds, and how much it has fallen beyond.

    `never` are the numbers of clients of which no trial counts.
    """
    left_out = _left_out(point, lost, "clients", _NO_RATE)
    if never:
        left_out += f" At {_listed(never)} clients no trial counts: each failed or did not prove its path."
    if point is None:
        return f"Not known: no round has the throughput of every number of clients.{left_out}"
    counted = _counted(levels, point)
    if fall is None:
        return (
            f"No fall is shown up to {levels[-1]:,} clients: throughput keeps to 95 % of its best "
            f"up to {_clients(point.level)} at least ({_rounds(point)}).{left_out}"
        )
    kept = f"Throughput keeps to 95 % of its best up to {_clients(point.level)} ({counted})"
    return f"{kept}; with {_clients(fall.level)} it is {_fallen(fall, point.level)}.{left_out}"


def _fallen(fall: Fall, knee: int) -> str:
    """ "23.7 % lower than with 8 (95 % CI −24.1 % to −23.2 %)"."""
    text = f"{percent(fall.ratio).lstrip('−')} lower than with {knee:,}"
    if fall.interval is not None:
        return f"{text} ({confidence(fall.of, 'levels')} {spread(fall.interval)})"
    if fall.difference is None:
        return text
    ends = " to ".join(map(_signed, fall.difference))
    return f"{text} ({confidence(fall.of, 'levels')} of the difference {ends} per second)"


def _signed(number: float) -> str:
    digits = 0 if abs(number) >= 100 else 1
    return f"{'−' if number < 0 else '+'}{abs(number):,.{digits}f}"


def _left_out(point: KneePoint | None, lost: Lost, unit: str, why: str) -> str:
    """How many rounds are not counted and why; nothing where all of them are."""
    if not lost.rounds:
        return ""
    of = lost.rounds + (0 if point is None else point.n)
    rounds = (
        f"{lost.rounds} of {of} round{'s' if of > 1 else ''} {'is' if lost.rounds == 1 else 'are'} left out"
    )
    return f" {rounds}, without a figure at {_listed(lost.levels)} {unit}: {why}."


def _listed(levels: Sequence[int]) -> str:
    return " or ".join(f"{level:,}" for level in levels)


def _clients(level: int) -> str:
    return "1 client" if level == 1 else f"{level:,} clients"


def _rounds(point: KneePoint) -> str:
    return "1 round" if point.n == 1 else f"{point.n} rounds"


def _counted(levels: Sequence[int], point: KneePoint) -> str:
    rounds = _rounds(point)
    if point.interval is None:
        few = ", no interval with fewer than 6" if point.n < 6 else ""
        return f"{rounds}{few}"
    low, high = point.interval.low, point.interval.high
    least = f"below {levels[0]:,}" if low == 0 else f"{low:,.0f}"
    return f"95 % CI {least} to {high:,.0f}{' or above' if high == levels[-1] else ''}, {rounds}"
