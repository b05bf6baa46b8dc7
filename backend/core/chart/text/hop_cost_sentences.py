"""Sentences of a path ladder: the cost of the hops that one step adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from backend.core.chart.model.sweep_models import HopCost
from backend.core.messages.message import joined, key, message, named
from backend.core.plan.labels import hop_label
from backend.core.statistics.verdict import confidence, details


def hop_cost_sentence(
    added: Sequence[str],
    removed: Sequence[str],
    levels: tuple[str, str],
    cpu: HopCost | None,
    throughput: HopCost | None,
) -> str:
    """ "dnat added: +3.1 µs of CPU per transaction (95 % simultaneous CI of 6 steps 2.5 to 3.8), …"

    `levels` name the two cells where no hop differs: this one's, the other one's.
    """
    rounds = sorted({cost.n for cost in (cpu, throughput) if cost is not None})
    parts = [_cpu(cpu), _throughput(throughput), *([_rounds(rounds)] if rounds else [])]
    if any(cost is not None and cost.interval is None for cost in (cpu, throughput)):
        parts.append(message("aaNoInterval"))
    difference = _difference(added, removed, levels)
    return message("hopStep", difference=difference, cost=joined(parts, "comma"))


def _difference(added: Sequence[str], removed: Sequence[str], levels: tuple[str, str]) -> str:
    if added and removed:
        return message("hopsInPlaceOf", added=_listed(added), removed=_listed(removed))
    if added:
        return message("hopsAdded", added=_listed(added))
    if removed:
        return message("hopsRemoved", removed=_listed(removed))
    here, there = levels
    return message("noHopDiffers", here=here or message("withoutIt"), there=there or message("levelNone"))


def _listed(hops: Sequence[str]) -> str:
    *others, last = [_hop(hop, n) for hop, n in Counter(hops).items()]
    return message("andLast", names=joined(others, "comma"), last=last) if others else last


def _hop(hop: str, n: int) -> str:
    title = named(key("hop", hop_label(hop)), hop_label(hop))
    return message("timesKind", n=n, kind=title) if n > 1 else title


def _cpu(cost: HopCost | None) -> str:
    if cost is None:
        return message("hopCpuUnmeasured")
    given = details(confidence(cost.family, "steps"), _range(cost))
    return message("hopCpu", cost=signed(cost.estimate, cost), details=given)


def _throughput(cost: HopCost | None) -> str:
    if cost is None:
        return message("hopThroughputNone")
    figure = signed(cost.estimate, cost)
    if cost.interval is None:
        return message("hopThroughput", cost=figure)
    return message("hopThroughputCi", cost=figure, range=_range(cost))


def _range(cost: HopCost) -> str:
    """The interval of a cost; empty without one."""
    if cost.interval is None:
        return ""
    low, high = (_figure(bound, cost) for bound in (cost.interval.low, cost.interval.high))
    return message("range", low=low, high=high)


def signed(value: float, cost: HopCost) -> str:
    """A figure of a cost with its sign, "+9.55" or "−23.6", and none where it rounds to zero."""
    text = _figure(value, cost)
    return text if text.startswith("−") or not any(digit in text for digit in "123456789") else f"+{text}"


def _figure(value: float, cost: HopCost) -> str:
    """A figure with as many digits as the estimate deserves: 60.4, 3.12, 123; with a true minus sign."""
    size = abs(cost.estimate)
    digits = 0 if size >= 100 else 1 if size >= 10 or cost.unit == "%" else 2
    text = f"{abs(value):,.{digits}f}"
    return f"−{text}" if value < 0 and any(digit in text for digit in "123456789") else text


def _rounds(counts: Sequence[int]) -> str:
    if len(counts) > 1:
        return message("roundsFromTo", low=counts[0], high=counts[-1])
    return message("rounds", count=counts[0])
