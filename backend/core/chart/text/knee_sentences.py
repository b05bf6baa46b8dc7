"""The sentence of a knee."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from backend.core.chart.model.model_base import Interval
from backend.core.messages.message import joined, message
from backend.core.statistics.ratio_estimate import Bounds
from backend.core.statistics.verdict import confidence, details, percent, spread


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
    left_out = _left_out(point, lost, "lostRateRound")
    if point is None:
        return message("kneeUnknownLost", lost=left_out) if left_out else message("kneeUnknown")
    counted, limit = _counted(levels, point), f"{limit_ms:,g}"
    if point.level == 0:
        found = message("kneeBelow", level=levels[0], limit=limit, counted=counted)
    else:
        id_ = "kneeAbove" if point.level == levels[-1] else "kneeAt"
        found = message(id_, limit=limit, level=point.level, counted=counted)
    return joined((found, left_out))


def collapse_sentence(
    levels: Sequence[int], point: KneePoint | None, lost: Lost, never: Sequence[int], fall: Fall | None
) -> str:
    """Up to how many clients throughput holds, and how much it has fallen beyond.

    `never` are the numbers of clients of which no trial counts.
    """
    more = message("collapseNever", levels=_listed(never)) if never else None
    left_out = joined((_left_out(point, lost, "lostClientRound"), more))
    if point is None:
        return joined((message("collapseUnknown"), left_out))
    clients = _clients(point.level)
    if fall is None:
        found = message("collapseNone", last=levels[-1], clients=clients, rounds=_rounds(point))
    else:
        counted, fallen = _counted(levels, point), _fallen(fall, point.level)
        beyond = _clients(fall.level)
        found = message("collapseAt", clients=clients, counted=counted, beyond=beyond, fallen=fallen)
    return joined((found, left_out))


def _fallen(fall: Fall, knee: int) -> str:
    """ "23.7 % lower than with 8 (95 % CI −24.1 % to −23.2 %)"."""
    size, name = percent(fall.ratio).lstrip("−"), confidence(fall.of, "levels")
    if fall.interval is not None:
        given = details(name, spread(fall.interval))
    elif fall.difference is None:
        given = ""
    else:
        low, high = map(_signed, fall.difference)
        return message("lowerThanWithDifference", size=size, knee=knee, ci=name, low=low, high=high)
    return message("lowerThanWith", size=size, knee=knee, details=given)


def _signed(number: float) -> str:
    digits = 0 if abs(number) >= 100 else 1
    return f"{'−' if number < 0 else '+'}{abs(number):,.{digits}f}"


def _left_out(point: KneePoint | None, lost: Lost, id_: str) -> str:
    """How many rounds are not counted and why; nothing where all of them are."""
    if not lost.rounds:
        return ""
    of = lost.rounds + (0 if point is None else point.n)
    if of == 1:
        return message(id_, n=lost.rounds, of=of, levels=_listed(lost.levels))
    return message(f"{id_}s", count=lost.rounds, n=lost.rounds, of=of, levels=_listed(lost.levels))


def _listed(levels: Sequence[int]) -> str:
    return joined((f"{level:,}" for level in levels), "orLevel")


def _clients(level: int) -> str:
    return message("clients", count=level, n=level)


def _rounds(point: KneePoint) -> str:
    return message("rounds", count=point.n)


def _counted(levels: Sequence[int], point: KneePoint) -> str:
    rounds = _rounds(point)
    if point.interval is None:
        return message("fewRounds", rounds=rounds) if point.n < 6 else rounds
    low, high = point.interval.low, point.interval.high
    least = message("belowLevel", level=levels[0]) if low == 0 else f"{low:,.0f}"
    id_ = "kneeCiAbove" if high == levels[-1] else "kneeCi"
    return message(id_, low=least, high=f"{high:,.0f}", rounds=rounds)
