"""Readings around and in a trial's window that may show disturbances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Held:
    """Throttling of one group by its CPU quota: periods in the window, throttled ones, and seconds."""

    periods: int
    throttled: int
    seconds: float


@dataclass(frozen=True)
class Background:
    """CPU of processes outside the trial, in core-seconds, in `seconds` before its window."""

    core_seconds: float
    seconds: float


@dataclass(frozen=True)
class NoiseReadings:
    """Readings of one trial; None, or an absent key, where the host could not feed one.

    `client_thread` is the share of the window (0 to 1) that the client's busiest thread was on CPU.
    `cpus` is how many the host has. `held` and `allowed` (CPUs that a role may run on) are by the words
    client, server and front. Counters of TCP are summed over the namespaces of client, server and
    engine; `ports` is the size of the client's ephemeral range, `time_wait` the sockets in its namespace
    that wait at the end. `links` are facts of the devices: {"mtu server link": "1500"}. `blocks_read`
    were not in PostgreSQL's own buffers. `pressure` is the share of the last ten seconds (0 to 1) in
    which something waited for CPU, `load` the one-minute average, both before the window.
    """

    cpus: int | None = None
    client_thread: float | None = None
    held: Mapping[str, Held] = field(default_factory=dict)
    background: Background | None = None
    load: float | None = None
    pressure: float | None = None
    allowed: Mapping[str, frozenset[int]] = field(default_factory=dict)
    listen_overflows: int | None = None
    listen_drops: int | None = None
    tcp_timeouts: int | None = None
    tcp_retransmits: int | None = None
    time_wait: int | None = None
    ports: int | None = None
    conntrack: int | None = None
    conntrack_max: int | None = None
    conntrack_dropped: int | None = None
    links: Mapping[str, str] = field(default_factory=dict)
    autovacuums: int | None = None
    checkpoints: int | None = None
    blocks_read: int | None = None
    clocksource: str | None = None
    governor: str | None = None
