"""Counts requests against rates: the generic cell rate algorithm, which is a token bucket without a timer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from throttled import (
    BaseRateLimiter,
    MemoryStore,
    Quota,
    RateLimiterRegistry,
    RateLimiterType,
    RateLimitState,
)
from throttled import Rate as StoredRate

from backend.rate import Rate, read_rate
from backend.settings import Settings

BudgetName = Literal[
    "address-reads",
    "address-writes",
    "caller-reads",
    "caller-writes",
    "worker-requests",
    "secret-guesses",
    "noted-refusals",
]
KEPT_KEYS: Final = 65_536
"""Addresses and callers in memory; the one that was seen longest ago is forgotten first."""


@dataclass(frozen=True)
class Allowance:
    """The answer for one request, and what remains of its budget.

    `limit` requests are possible at once, and `window_s` seconds refill them. After `retry_s` seconds one
    request is possible again (0: now), after `reset_s` all of them.
    """

    budget: BudgetName
    allowed: bool
    limit: int
    window_s: float
    remaining: int
    reset_s: float
    retry_s: float

    def headers(self) -> dict[str, str]:
        """The fields of draft-ietf-httpapi-ratelimit-headers, and Retry-After if the request is refused."""
        found = {
            "RateLimit-Policy": f'"{self.budget}";q={self.limit};w={math.ceil(self.window_s)}',
            "RateLimit": f'"{self.budget}";r={self.remaining};t={math.ceil(self.reset_s)}',
        }
        if not self.allowed:
            found["Retry-After"] = str(self.retry_after_s)
        return found

    @property
    def retry_after_s(self) -> int:
        """Whole seconds to wait, at least 1."""
        return max(1, math.ceil(self.retry_s))


class Limiter:
    """The budgets of the settings by key: an address, a session or a token. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._rates: dict[BudgetName, Rate | None] = {
            "address-reads": read_rate(settings.rate_address_reads),
            "address-writes": read_rate(settings.rate_address_writes),
            "caller-reads": read_rate(settings.rate_caller_reads),
            "caller-writes": read_rate(settings.rate_caller_writes),
            "worker-requests": read_rate(settings.rate_worker_requests),
            "secret-guesses": read_rate(settings.rate_secret_guesses),
            "noted-refusals": Rate(1, 60, 1),
        }
        store = MemoryStore(options={"MAX_SIZE": KEPT_KEYS})
        self._limiters = {name: _limiter(rate, store) for name, rate in self._rates.items() if rate}

    def take(self, budget: BudgetName, key: str) -> Allowance | None:
        """Count one request of a key, if its budget allows one; None if the budget has no limit."""
        limiter = self._limiters.get(budget)
        if limiter is None:
            return None
        found = limiter.limit(f"{budget}:{key}")
        return self._allowance(budget, not found.limited, found.state.remaining, found.state)

    def is_first_refusal(self, key: str) -> bool:
        """Whether no other refusal of a key was noted within the last minute."""
        found = self.take("noted-refusals", key)
        return found is None or found.allowed

    def check(self, budget: BudgetName, key: str) -> Allowance | None:
        """Whether the budget of a key allows a request now, without counting one."""
        limiter = self._limiters.get(budget)
        if limiter is None:
            return None
        state = limiter.peek(f"{budget}:{key}")
        return self._allowance(budget, state.remaining > 0, state.remaining, state)

    def _allowance(
        self, budget: BudgetName, allowed: bool, remaining: int, state: RateLimitState
    ) -> Allowance:
        rate = self._rates[budget]
        assert rate is not None
        window_s = rate.burst * rate.period_s / rate.requests
        retry_s = 0.0 if allowed else state.retry_after
        return Allowance(budget, allowed, rate.burst, window_s, remaining, state.reset_after, retry_s)


def _limiter(rate: Rate, store: MemoryStore) -> BaseRateLimiter:
    quota = Quota(StoredRate(timedelta(seconds=rate.period_s), rate.requests), rate.burst)
    return RateLimiterRegistry.get(RateLimiterType.GCRA.value)(quota, store)


def refusal(found: Allowance) -> str:
    """The sentence for a client whose request was refused."""
    what = {
        "address-reads": "requests from this address",
        "address-writes": "changing requests from this address",
        "caller-reads": "requests with these credentials",
        "caller-writes": "changing requests with these credentials",
        "worker-requests": "requests of this worker or address",
        "secret-guesses": "failed attempts from this address",
        "noted-refusals": "refusals",
    }[found.budget]
    seconds = found.retry_after_s
    return f"too many {what}: send the request again in {seconds} s"
