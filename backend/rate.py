"""A rate of requests as a setting has it: "50/s burst 500"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

PERIODS: Final = {"s": 1, "min": 60, "h": 3600}
_SHAPE: Final = re.compile(r"([0-9]{1,7})/(s|min|h)(?: burst ([0-9]{1,7}))?", re.ASCII)


@dataclass(frozen=True)
class Rate:
    """`requests` per `period_s` seconds in the long run, and `burst` of them at once."""

    requests: int
    period_s: int
    burst: int


def read_rate(text: str) -> Rate | None:
    """The rate of a text such as "50/s burst 500" or "10/min"; None for "off". Raises ValueError."""
    if text == "off":
        return None
    found = _SHAPE.fullmatch(text)
    requests = int(found[1]) if found else 0
    burst = int(found[3] or requests) if found else 0
    if found is None or not requests or not burst:
        raise ValueError(f'{text!r} is not a rate: write for example "50/s burst 500", "10/min" or "off"')
    return Rate(requests, PERIODS[found[2]], burst)
