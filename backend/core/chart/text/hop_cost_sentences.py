"""What a hop costs, in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from backend.core.chart.model.sweep_models import HopCost
from backend.core.statistics.verdict import confidence

TOO_FEW = "no interval with so few rounds"


def rung_sentence(
    added: Sequence[str],
    removed: Sequence[str],
    levels: tuple[str, str],
    cpu: HopCost | None,
    throughput: HopCost | None,
) -> str:
    """ "dnat added: +3.1 µs of CPU per transaction (95 % simultaneous CI of 6 steps 2.5 to 3.8), …"

    `levels` name the two cells where no hop tells them apart: this one's, the other one's.
    """
    rounds = sorted({price.n for price in (cpu, throughput) if price is not None})
    parts = [_cpu(cpu), _throughput(throughput), *([_rounds(rounds)] if rounds else [])]
    if any(price is not None and price.interval is None for price in (cpu, throughput)):
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
    named = [f"{n} × {hop}" if n > 1 else hop for hop, n in Counter(hops).items()]
    *others, last = named
    return f"{', '.join(others)} and {last}" if others else last


def _cpu(price: HopCost | None) -> str:
    if price is None:
        return "CPU per transaction was not measured"
    interval = _interval(price, f"{confidence(price.family, 'steps')} ")
    return f"{signed(price.estimate, price)} µs of CPU per transaction{interval}"


def _throughput(price: HopCost | None) -> str:
    if price is None:
        return "throughput cannot be compared"
    return f"throughput {signed(price.estimate, price)} %{_interval(price, '')}"


def _interval(price: HopCost, label: str) -> str:
    if price.interval is None:
        return ""
    low, high = (_figure(bound, price) for bound in (price.interval.low, price.interval.high))
    return f" ({label}{low} to {high})"


def signed(value: float, price: HopCost) -> str:
    """A figure of a price with its sign, "+9.55" or "−23.6", and none where it rounds to zero."""
    text = _figure(value, price)
    return text if text.startswith("−") or not any(digit in text for digit in "123456789") else f"+{text}"


def _figure(value: float, price: HopCost) -> str:
    """A figure with as many digits as the estimate deserves: 60.4, 3.12, 123; with a true minus sign."""
    size = abs(price.estimate)
    digits = 0 if size >= 100 else 1 if size >= 10 or price.unit == "%" else 2
    text = f"{abs(value):,.{digits}f}"
    return f"−{text}" if value < 0 and any(digit in text for digit in "123456789") else text


def _rounds(counts: Sequence[int]) -> str:
    if len(counts) > 1:
        return f"{counts[0]} to {counts[-1]} rounds"
    return f"{counts[0]} round" if counts[0] == 1 else f"{counts[0]} rounds"
