"""Amounts of a metric in words: "1,090 segments", "+908 to +1,283 segments"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from backend.core.messages.message import key, message, named
from backend.core.statistics.ratio_estimate import Bounds

DIGITS: Final = 6
"""Significant digits that a result keeps: sentences, tables and files print the same figure."""
_DIGITS: Final = 3
"""Significant digits of the largest amount; whole numbers keep up to DIGITS of theirs, and trailing zeros are
left out."""
_MOST_DECIMALS: Final = 7
_ORDINARY: Final = 1e15
"""Larger amounts are written with an exponent."""
_ROUNDING: Final = 1e-9
"""As a share of the largest amount: differences of whole numbers are whole but for this."""


def amounts(values: Sequence[float], unit: str) -> tuple[str, ...]:
    """Amounts with the metric's unit, all with the same number of decimals."""
    return tuple(_with_unit(text, unit) for text in _numbers(values))


def signed_amounts(values: Sequence[float], unit: str) -> tuple[str, ...]:
    """The same with a sign: "+12 segments", "−3 segments", "0 segments"."""
    return tuple(_with_unit(text, unit) for text in signed_numbers(values))


def signed_range(interval: Bounds, unit: str) -> str:
    """An interval of differences, with the unit once: "+908 to +1,283 segments"."""
    low, high = signed_numbers(interval)
    return message("range", low=low, high=_with_unit(high, unit))


def signed_numbers(values: Sequence[float]) -> tuple[str, ...]:
    """Numbers with their sign, none where one is shown as 0."""
    texts = _numbers([abs(value) for value in values])
    return tuple(_sign(value, text) + text for value, text in zip(values, texts, strict=True))


def _sign(value: float, text: str) -> str:
    if not any(digit in text for digit in "123456789"):
        return ""
    return "−" if value < 0 else "+"


def _numbers(values: Sequence[float]) -> tuple[str, ...]:
    values = [float(f"{value:.{DIGITS}g}") for value in values]
    largest = max(map(abs, values), default=0.0)
    if largest >= _ORDINARY:
        return tuple(f"{value:.{_DIGITS}g}" for value in values)
    most = min(_MOST_DECIMALS, max(0, _DIGITS - 1 - math.floor(math.log10(largest)))) if largest else 0
    exact = (d for d in range(most) if all(abs(v - round(v, d)) <= _ROUNDING * largest for v in values))
    decimals = next(exact, most)
    return tuple(f"{value:,.{decimals}f}" for value in values)


def _with_unit(number: str, unit: str) -> str:
    if unit in ("", "1/s"):
        return number
    if unit == "%":
        return message("amountPoints", value=number)
    word = named(key("unit", unit), unit) if unit.isalpha() and len(unit) > 2 else unit
    return message("amount", value=number, unit=word)
