"""Sentences of a path ladder: the cost of the hops that one step adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from backend.core.chart.model.sweep_models import HopCost
from backend.core.plan.labels import hop_label
from backend.core.statistics.verdict import confidence

TOO_FEW = "no interval with so few rounds"


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
        parts.append(TOO_FEW)
    return f"{_difference(added, removed, levels)}: {', '.join(parts)}."


def _difference(added: Sequence[str], removed: Sequence[str], levels: tuple[str, str]) -> str:
    if added and removed:
        return f"{_listed(added)} in place of {_listed(removed)}"
    if added:
        return f"{_listed(added)} added"
    if removed:
        return f"without {_listed(removed)}"
    here, there = levels
    return f"No hop differs, {here or 'without it'} in place of {there or 'none'}"


def _listed(hops: Sequence[str]) -> str:
    named = [f"{n} × {hop_label(hop)}" if n > 1 else hop_label(hop) for hop, n in Counter(hops).items()]
    *others, last = named
    return f"{', '.join(others)} and {last}" if others else last


def _cpu(cost: HopCost | None) -> str:
    if cost is None:
        return "CPU per transaction was not measured"
    interval = _interval(cost, f"{confidence(cost.family, 'steps')} ")
    return f"{signed(cost.estimate, cost)} µs of CPU per transaction{interval}"


def _throughput(cost: HopCost | None) -> str:
    if cost is None:
        return "throughput cannot be compared"
    return f"throughput {signed(cost.estimate, cost)} %{_interval(cost, '')}"


def _interval(cost: HopCost, label: str) -> str:
    if cost.interval is None:
        return ""
    low, high = (_figure(bound, cost) for bound in (cost.interval.low, cost.interval.high))
    return f" ({label}{low} to {high})"


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
        return f"{counts[0]} to {counts[-1]} rounds"
    return f"{counts[0]} round" if counts[0] == 1 else f"{counts[0]} rounds"
