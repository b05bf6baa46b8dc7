"""Time limits of the start on this host: PLIMSOLL_TIME_FACTOR lengthens them for slow disks and CPUs."""

from __future__ import annotations

import os
import re
from typing import Final

from scripts.starter.terminal import Refusal

SETTING: Final = "PLIMSOLL_TIME_FACTOR"
LONGEST_FACTOR: Final = 20


def time_factor() -> float:
    """The factor of every time limit; 1 without the setting. Raises Refusal."""
    text = os.environ.get(SETTING) or "1"
    if re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,6})?", text) is None or not 1 <= float(text) <= LONGEST_FACTOR:
        raise Refusal(f"{SETTING} is a number from 1 to {LONGEST_FACTOR}, and not {text[:40]!r}")
    return float(text)


def limit(seconds: float) -> float:
    """A limit of so many seconds on a host of usual speed, as it is on this one."""
    return seconds * time_factor()


def advice() -> str:
    """What a message says after such a limit."""
    return f"on a slow host, set {SETTING} to {2 * time_factor():g}"
