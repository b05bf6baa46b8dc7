"""What holds between the figures of one report, whatever was measured.

Each function returns a sentence for a figure that cannot be true beside the others, which is then left out,
or raises where the rate itself cannot be.

| identity | pgbench | wrk | ab | iperf3 |
| --- | --- | --- | --- | --- |
| rate = operations ÷ time | at most -T | refuses | refuses | refuses (bits) |
| mean latency × rate ≈ clients (Little 1961) | both sides | below only | percentiles | no latency |
| mean ≤ longest, and ≥ 50 % ÷ 2, 99 % ÷ 100 (Markov) | one figure | all three | no mean | no latency |
| longest ≤ the time of the run | none printed | yes | yes | jitter |
| percentiles in order | none printed | yes | yes | no latency |
| what is received ≤ what is sent ≤ packets × size | – | – | – | yes |
| lost = lost packets ÷ packets, at most 100 % | – | – | – | yes (UDP) |
| retransmits ≤ bytes sent ÷ the smallest segment | – | – | – | yes (TCP) |

Little's law holds for closed-loop clients: each sends when its last answer has come. It says nothing where a
client waits by plan (-R), and only little where a script of wrk delays or sends several requests at once, and
where wrk has added samples to its latencies (stats_correct of stats.c): these can only be longer.
The tolerances are far beyond what the tools' own work between two requests and their rounding make.
"""

from __future__ import annotations

from typing import Final

from backend.core.errors import Unparseable

ROUNDED_SHARE: Final = 0.02
"""By how much a rate may differ from requests over seconds beside the rounding of the time."""
MOST_BUSY: Final = 1.5
"""Of the clients: how many are busy at most, by their mean latency and rate."""
LEAST_BUSY: Final = 0.1
"""Of pgbench's clients; each waits for its turn in a thread that is short of CPU."""
LEAST_BUSY_HTTP: Final = 0.001
"""Of the connections of wrk and ab: answers that are due when the run ends are in no figure, and a script may
delay its requests."""
ROUNDING: Final = 1.01
"""Two decimals of a figure with another unit: by how much a percentile may exceed a higher one."""
LATE_S: Final = 1.0
LATE_SHARE: Final = 1.1
"""A run ends later than it says by this share and time at most."""
SMALLEST_SEGMENT: Final = 88
"""Bytes: Linux lets no program set a smaller maximum segment size (TCP_MIN_MSS)."""
PACKET_SHARE: Final = 1.2
"""By how much bytes may exceed packets × size: totals of both ends and of omitted seconds differ."""


def refuse_contradiction(tool: str, rate: float, requests: int, seconds: float, rounding: float) -> None:
    """Raise Unparseable for a rate that is not the requests over the time, printed to `rounding` seconds."""
    own = requests / max(seconds, rounding)
    if abs(rate - own) > own * (ROUNDED_SHARE + rounding / max(seconds, rounding)):
        raise Unparseable(
            f"{tool} reported {rate:g} requests per second, but {requests} requests in {seconds:g} s"
        )


def mean_beside_rate(
    mean_ms: float, rate: float, clients: int, least_busy: float, most_busy: float | None, rounding_ms: float
) -> str | None:
    """Why a mean latency cannot be: closed-loop clients would have another rate.

    `least_busy` and `most_busy` are the numbers of clients that are busy at least and at most; None where a
    larger mean is possible. `rounding_ms` is by how much a printed mean may differ.
    """
    low, high = ((mean_ms + sign * rounding_ms) / 1e3 * rate for sign in (-1, 1))
    if high >= least_busy and (most_busy is None or low <= most_busy):
        return None
    would = f"{_number(clients / mean_ms * 1e3)} a second" if mean_ms > 0 else "infinitely many"
    return (
        f"a mean latency of {mean_ms:g} ms, with which {clients} clients would do {would} and not "
        f"{_number(rate)}"
    )


def latencies_beside_each_other(
    mean_ms: float, longest_ms: float, seconds: float, shares: tuple[float, float] | None = None
) -> str | None:
    """Why a mean and a longest latency, and the 50th and 99th percentile, cannot be of one run."""
    if mean_ms > ROUNDING * longest_ms:
        return f"a mean latency of {mean_ms:g} ms above the longest, {longest_ms:g} ms"
    if longest_ms > 1e3 * (LATE_SHARE * seconds + LATE_S):
        return f"a longest latency of {longest_ms:g} ms in a run of {seconds:g} s"
    for name, share, value in zip(("50 %", "99 %"), (0.5, 0.01), shares or (), strict=False):
        if share * value > ROUNDING * mean_ms:
            return f"a mean latency of {mean_ms:g} ms below {name} of {value:g} ms"
    return None


def percentiles_beside_rate(
    p50_ms: float, p99_ms: float, longest_ms: float, rate: float, clients: int, seconds: float
) -> str | None:
    """The same for percentiles without their mean: half of the requests take the 50th or longer, and so on.

    They may be rounded to a millisecond.
    """
    most = MOST_BUSY * clients / rate * 1e3
    for name, share, value in (("50 %", 0.5, p50_ms), ("99 %", 0.01, p99_ms)):
        if share * (value - 1) > most:
            return (
                f"{name} of {value:g} ms, with which {clients} connections would not do {_number(rate)} a "
                "second"
            )
    if (longest_ms + 1) / 1e3 * rate < LEAST_BUSY_HTTP * clients:
        would = _number(clients / max(longest_ms, 1e-3) * 1e3)
        return (
            f"a longest latency of {longest_ms:g} ms, with which {clients} connections do at least {would} a "
            "second"
        )
    if longest_ms > 1e3 * (LATE_SHARE * seconds + LATE_S):
        return f"a longest latency of {longest_ms:g} ms in a run of {seconds:g} s"
    return None


def _number(rate: float) -> str:
    return f"{rate:,.0f}" if 1e3 <= rate < 1e15 else f"{rate:.6g}"


def too_few_packets(received: float, packets: float, size: float) -> str | None:
    """Why a number of packets cannot be: they do not hold the bytes. Without a size nothing is known."""
    if not size or received <= PACKET_SHARE * packets * size:
        return None
    return f"{packets:.0f} packets of {size:.0f} bytes hold no {received:.0f} bytes"


def too_many_retransmits(retransmits: float, sent: float) -> str | None:
    """Why a number of segments that were sent again cannot be: so many were not sent."""
    if retransmits <= sent / SMALLEST_SEGMENT:
        return None
    return f"retransmits is {retransmits:.0f}, but {sent:.0f} bytes are fewer segments"
