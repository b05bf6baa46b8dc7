"""The kinds of notices of trials, by which the page translates their titles."""

from __future__ import annotations

from typing import Final

KINDS: Final = (
    "not steady",
    "failed operations",
    "client thread saturated",
    "throttled client",
    "throttled server",
    "throttled reverse proxy",
    "steal",
    "CPU counters disagree",
    "background load before the run",
    "background load",
    "role overlap on CPUs",
    "accept queue overflow",
    "TIME_WAIT near the port range",
    "conntrack near full",
    "conntrack dropped packets",
    "TCP timeouts",
    "GOMAXPROCS above the quota",
    "autovacuum in the window",
    "checkpoint in the window",
    "reads outside the buffers",
    "slow clock",
    "CPU frequency may vary",
    "one thread",
    "little data",
    "datagrams lost",
    "offered rate not reached",
    "received bytes",
    "row locks",
    "failed requests",
    "latency",
    "connections",
    "the offered rate was not reached",
    "few transactions for a percentile",
    "other load than the cell's",
    "keep-alive",
)
