"""Latencies of single transactions as a histogram: what `core.workload.latency_log` prints, and percentiles.

A percentile is the nearest rank: the smallest latency that at least its share of the transactions kept to,
known to the upper bound of its bucket, so at most 0.8 % too high and never too low. It is given only where
enough transactions are behind it: ten beyond it, at the least.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT, WHOLE, bounded, found
from backend.core.sample.notice import Notice
from backend.core.sample.result import ToolResult
from backend.core.workload.latency_log import STEPS

TRANSACTIONS = re.compile(rf"^transactions {WHOLE} skipped {WHOLE} failed {WHOLE} unread {WHOLE}$", re.M)
LATENCY = re.compile(rf"^latency_us sum {WHOLE} min {WHOLE} max {WHOLE}$", re.M)
LAG = re.compile(rf"^lag_us sum {WHOLE} max {WHOLE}$", re.M)
BUCKET = re.compile(rf"^{WHOLE} {WHOLE}$", re.M)

PERCENTILES: Final = (("p50", 0.5, 1), ("p90", 0.9, 100), ("p99", 0.99, 1_000), ("p999", 0.999, 10_000))
"""Name, share, and the fewest transactions of a trial for which it is given."""
SAMPLED_PERCENTILES: Final = (("p50", 0.5, 100), ("p99", 0.99, 1_000))
"""The same, of a sample of the transactions of a run without an offered rate."""
WORDS: Final = {"p90": "90th", "p99": "99th", "p999": "99.9th"}
REACHED: Final = 0.95
"""Of the offered rate: a trial that achieved less did not offer what it claims. Arrivals are random (pgbench
draws them from a Poisson process), so that a window of few transactions may fall short by chance: 1,000 come
to less than 95 % of their expected number in one of 18 windows, 5,000 in one of 5,000."""

Buckets = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Latencies:
    """Latencies of one run in microseconds from the scheduled start: (upper bound, count) ascending, and the
    exact sum, extremes and lag; `skipped` and `failed` transactions have none."""

    transactions: int
    skipped: int
    failed: int
    total_us: int
    shortest_us: int
    longest_us: int
    lag_total_us: int
    lag_longest_us: int
    buckets: Buckets


def parse(text: str) -> Latencies:
    """Read one histogram. Raises Unparseable where it or its log is incomplete."""
    bounded("the log of latencies", MAX_OUTPUT, text)
    what = "the log of latencies"
    done, skipped, failed, unread = _numbers(found(what, TRANSACTIONS, text, "transactions …"))
    total, shortest, longest = _numbers(found(what, LATENCY, text, "latency_us …"))
    lag_total, lag_longest = _numbers(found(what, LAG, text, "lag_us …"))
    if unread:
        raise Unparseable(f"{what} has {unread} incomplete lines; is the client's /tmp full?")
    buckets = tuple(sorted((int(bound), int(count)) for bound, count in BUCKET.findall(text)))
    counted = sum(count for _, count in buckets)
    if counted != done or len({bound for bound, _ in buckets}) != len(buckets):
        raise Unparseable(f"{what} counts {done} transactions and its buckets {counted}")
    if buckets and not (shortest <= longest <= buckets[-1][0]):
        raise Unparseable(f"{what} has its longest latency of {longest} µs outside of its buckets")
    return Latencies(done, skipped, failed, total, shortest, longest, lag_total, lag_longest, buckets)


def bucket_of(latency_us: int) -> int:
    """The upper bound of a latency's bucket, computed as by the awk program."""
    shift = max(0, latency_us.bit_length() - (2 * STEPS).bit_length() + 1)
    return ((latency_us >> shift) + 1 << shift) - 1


def percentile(buckets: Sequence[tuple[int, int]], share: float, longest: int | None = None) -> int:
    """The nearest-rank percentile of at least one latency, as an upper bound; at most `longest`."""
    rank = math.ceil(share * sum(count for _, count in buckets))
    reached = 0
    for bound, count in buckets:
        reached += count
        if reached >= rank:
            return bound if longest is None else min(bound, longest)
    raise ValueError("a histogram without transactions has no percentile")


def achieved(offered: float, rate: float) -> bool:
    """Whether a run came to the offered rate, both in transactions per second."""
    return rate >= REACHED * offered


def open_loop(result: ToolResult, latencies: Latencies, offered: int) -> ToolResult:
    """pgbench's result of a run at an offered rate, with its histogram and percentiles.

    Raises Unparseable where the log lacks transactions that pgbench counted.
    """
    if latencies.transactions != result.operations:
        raise Unparseable(
            f"the log of latencies has {latencies.transactions} of {result.operations} transactions; "
            "is there room in the client's /tmp?"
        )
    figures = {
        f"open_latency_{name}_ms": percentile(latencies.buckets, share, latencies.longest_us) / 1e3
        for name, share, fewest in PERCENTILES
        if latencies.transactions >= fewest
    }
    figures["open_latency_avg_ms"] = latencies.total_us / latencies.transactions / 1e3
    figures["open_latency_max_ms"] = latencies.longest_us / 1e3
    facts = {"offered_rate": str(offered), "skipped_transactions": str(latencies.skipped)}
    return replace(
        result,
        metrics=result.metrics | figures,
        histogram=latencies.buckets,
        facts=result.facts | facts,
        notices=(*result.notices, *_notices(result, latencies, offered)),
    )


def closed_loop(result: ToolResult, latencies: Latencies) -> ToolResult:
    """pgbench's result of a run without an offered rate, with percentiles of the sampled transactions.

    A percentile that too few of them would support is left out. Raises Unparseable where the log has more
    transactions than pgbench counted.
    """
    n = latencies.transactions
    if n > result.operations:
        raise Unparseable(
            f"the log of latencies has {n} transactions, and pgbench counted {result.operations}"
        )
    figures = {
        f"latency_{name}_ms": percentile(latencies.buckets, share, latencies.longest_us) / 1e3
        for name, share, fewest in SAMPLED_PERCENTILES
        if n >= fewest
    }
    facts = {"sampled_transactions": str(n)}
    return replace(result, metrics=result.metrics | figures, facts=result.facts | facts)


def _notices(result: ToolResult, latencies: Latencies, offered: int) -> Iterator[Notice]:
    rate, done = result.metrics["tps"], latencies.transactions
    if not achieved(offered, rate):
        yield Notice(
            "the offered rate was not reached",
            f"{rate:,.0f} of {offered:,} transactions per second ({rate / offered:.0%})",
            "the rest queued, so offer less, or read the latency as an overload's",
        )
    if too_few := [(WORDS[name], fewest) for name, _, fewest in PERCENTILES if done < fewest]:
        which = " and ".join(word for word, _ in too_few)
        yield Notice(
            "few transactions for a percentile",
            f"{done:,} in the window, so the {which} is left out (it takes "
            f"{' and '.join((f'{fewest:,}' for _, fewest in too_few))})",
            "use a longer duration_s",
        )


def _numbers(match: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(number) for number in match.groups())
