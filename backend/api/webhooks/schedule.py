"""When a failed message is sent again, and when a webhook is disabled."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

MINUTE, HOUR = 60.0, 3600.0
DELAYS_S: Final = (
    5.0,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
)
"""The schedule that Standard Webhooks 1.0 recommends, about three days in all."""
JITTER: Final = 0.1
DISABLED_AFTER: Final = timedelta(days=5)
"""A webhook whose every attempt failed for so long is disabled."""
GONE: Final = 410
"""The receiver wants no more messages: the webhook is disabled at once."""


def delay_s(attempts: int, chance: float) -> float | None:
    """Seconds until the next attempt, None after the last one; `chance` between 0 and 1 spreads them."""
    if attempts > len(DELAYS_S):
        return None
    return DELAYS_S[attempts - 1] * (1 + JITTER * (2 * chance - 1))
