"""The factors that an experiment may vary, with their levels and bounds: one row a factor.

A factor may need levels of another one: `protocol` applies to the tool pgbench only. A cell has a level of
every factor that applies to it, and of no other.
"""

# ruff: noqa: E501 - the table has one line a factor, so that its columns can be compared

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from backend.core.definition.catalog import (
    PATH_NAMES,
    PROXY_PROGRAM,
    REVERSE_PROXY_PATHS,
    SCRIPTS,
    SERVICES,
    STORAGES,
    TOOLS,
)

Level = str | int | bool
"""One value of a factor, as written in the document."""
Scope = Literal["path", "tool", "service", "front", "limits", "time"]
"""What a factor sets. Cells that differ in `service` or `limits` need servers of their own."""

CPUSET: Final = r"^(|[0-9]{1,4}(-[0-9]{1,4})?(,[0-9]{1,4}(-[0-9]{1,4})?){0,63})$"
LONGEST_TEXT: Final = 255
"""The largest number of characters of a level that is free text."""
PROGRAM: Final = r"^[a-z0-9][a-z0-9-]{0,30}$"


@dataclass(frozen=True)
class Need:
    """A factor applies only where another one has one of these levels."""

    factor: str
    levels: tuple[Level, ...]


@dataclass(frozen=True)
class Factor:
    """A thing varied on purpose.

    A number has inclusive bounds, an enumeration `choices`, free text a `pattern` ("" means not set) and at
    most LONGEST_TEXT characters. The factor applies only where all of `needs` are met. `about` is one line of
    help.
    """

    name: str
    label: str
    unit: str
    default: Level
    choices: tuple[Level, ...] = ()
    minimum: int = 0
    maximum: int = 0
    pattern: str = ""
    scope: Scope = "tool"
    needs: tuple[Need, ...] = ()
    about: str = ""

    def applies(self, levels: Mapping[str, Level]) -> bool:
        """Whether the factor's needs are met by these levels."""
        return all(levels.get(need.factor) in need.levels for need in self.needs)


def _of(factor: str, *levels: Level) -> tuple[Need, ...]:
    return (Need(factor, levels),)


_PGBENCH = _of("tool", "pgbench")
_IPERF3 = _of("tool", "iperf3")
_POSTGRES = _of("service", "postgres")
_BOTH = (True, False)
_OFF_ON = (False, True)

_PATH = (
    Factor("path", "path", "", "published_loopback", PATH_NAMES, scope="path", about="how the client reaches the server"),
    Factor("userland_proxy", "userland-proxy", "", True, _BOTH, scope="path", about="dockerd's --userland-proxy; each setting runs in a daemon of its own"),
    Factor(
        "proxy_program", "proxy program", "", PROXY_PROGRAM, pattern=PROGRAM, scope="path",
        needs=_of("userland_proxy", True), about="what dockerd starts for a published port; registered on the host",
    ),
    Factor("engine", "Docker daemon", "", "lab", ("lab", "host"), scope="path", about="a private one (lab), or the host's own as it is (host)"),
)  # fmt: skip

_TOOL = (
    Factor("tool", "tool", "", "pgbench", TOOLS, about="the client program that generates the load"),
    Factor("service", "service", "", "postgres", SERVICES, scope="service", about="the server that is measured"),
    Factor("clients", "clients", "", 5, minimum=1, maximum=200, about="concurrent connections"),
    Factor("threads", "threads", "", 1, minimum=0, maximum=64, needs=_of("tool", "pgbench", "wrk"), about="threads of the client; 0: as many as clients"),
    Factor("protocol", "query protocol", "", "prepared", ("simple", "extended", "prepared"), needs=_PGBENCH),
    Factor("script", "script", "", "select_only", SCRIPTS, needs=_PGBENCH, about="pgbench's built-in script"),
    Factor("scale", "scale", "", 5, minimum=1, maximum=200, needs=_PGBENCH, about="100,000 rows each"),
    Factor("rate", "offered rate", "1/s", 0, minimum=0, maximum=1_000_000, needs=_PGBENCH, about="0: unlimited, closed loop"),
    Factor("reconnect", "connect per transaction", "", False, _OFF_ON, needs=_PGBENCH),
    Factor("keep_alive", "keep-alive", "", False, _OFF_ON, needs=_of("tool", "ab"), about="ab -k; wrk always keeps connections"),
    Factor("transport", "transport", "", "tcp", ("tcp", "udp"), needs=_IPERF3),
    Factor("reverse", "reverse", "", False, _OFF_ON, needs=_IPERF3, about="the server sends the data"),
    Factor("udp_mbit_s", "offered UDP rate", "Mbit/s", 1000, minimum=1, maximum=100_000, needs=_of("transport", "udp")),
    Factor("fresh_server", "fresh server", "", False, _OFF_ON, needs=_POSTGRES, about="drop the caches and restart the server before each trial"),
)  # fmt: skip

_SERVICE = (
    Factor("storage", "storage", "", "memory", STORAGES, scope="service", needs=_POSTGRES, about="where the data directory is"),
    Factor("fsync", "fsync", "", True, _BOTH, scope="service", needs=_POSTGRES),
    Factor("shared_buffers_mb", "shared_buffers", "MB", 512, minimum=1, maximum=65536, scope="service", needs=_POSTGRES),
    Factor("work_mem_kb", "work_mem", "kB", 4096, minimum=64, maximum=1_048_576, scope="service", needs=_POSTGRES),
    Factor("maintenance_work_mem_mb", "maintenance_work_mem", "MB", 64, minimum=1, maximum=65536, scope="service", needs=_POSTGRES),
    Factor("effective_cache_size_mb", "effective_cache_size", "MB", 4096, minimum=1, maximum=1_048_576, scope="service", needs=_POSTGRES),
    Factor("wal_buffers_mb", "wal_buffers", "MB", 16, minimum=1, maximum=1024, scope="service", needs=_POSTGRES),
    Factor("max_wal_size_mb", "max_wal_size", "MB", 4096, minimum=32, maximum=1_048_576, scope="service", needs=_POSTGRES),
    Factor("gomaxprocs", "GOMAXPROCS", "", 0, minimum=0, maximum=256, scope="service", needs=_of("service", "pong"), about="0: left to the Go runtime"),
    Factor("app_workers", "gunicorn workers", "", 1, minimum=1, maximum=64, scope="service", needs=_of("service", "flask")),
)  # fmt: skip

_FRONT = (
    Factor("front_workers", "reverse proxy workers", "", 1, minimum=1, maximum=64, scope="front", needs=_of("path", *REVERSE_PROXY_PATHS["workers"]), about="nginx workers or haproxy threads"),
    Factor("front_reuseport", "reuseport", "", False, _OFF_ON, scope="front", needs=_of("path", *REVERSE_PROXY_PATHS["nginx"])),
    Factor("front_accept_mutex", "accept_mutex", "", False, _OFF_ON, scope="front", needs=_of("path", *REVERSE_PROXY_PATHS["nginx"])),
    Factor("front_splice", "splice", "", False, _OFF_ON, scope="front", needs=_of("path", *REVERSE_PROXY_PATHS["haproxy"])),
    Factor("front_keep_alive", "upstream keep-alive", "", False, _OFF_ON, scope="front", needs=_of("path", *REVERSE_PROXY_PATHS["http"]), about="nginx keeps its connections to the server open"),
)  # fmt: skip

_LIMITS = (
    Factor("server_cpus", "server's CPUs", "", 0, minimum=0, maximum=256, scope="limits", about="docker run --cpus; 0: no quota"),
    Factor("server_memory_mb", "server's memory", "MiB", 0, minimum=0, maximum=1_048_576, scope="limits", about="0: half of the host's"),
    Factor("server_cpuset", "server's cpuset", "", "", pattern=CPUSET, scope="limits", about="for example 0-1; empty: any"),
    Factor("client_cpuset", "client's cpuset", "", "", pattern=CPUSET, scope="tool", about="for example 1; empty: any"),
    Factor("proxy_cpuset", "proxy's cpuset", "", "", pattern=CPUSET, scope="front", needs=_of("path", *REVERSE_PROXY_PATHS["any"])),
)  # fmt: skip

_TIME = (
    Factor("duration_s", "duration", "s", 10, minimum=1, maximum=3600, scope="time"),
    Factor("warm_up_s", "warm-up", "s", 2, minimum=0, maximum=600, scope="time"),
)

FACTORS: Final[dict[str, Factor]] = {
    factor.name: factor for factor in (*_PATH, *_TOOL, *_SERVICE, *_FRONT, *_LIMITS, *_TIME)
}
"""Every factor by name, in the order in which cells are enumerated and columns shown."""


DECIDING: Final = tuple(
    name
    for name in FACTORS
    if any(need.factor == name for factor in FACTORS.values() for need in factor.needs)
)
"""The factors that others need."""


def applicable(levels: Mapping[str, Level]) -> dict[str, Level]:
    """Of these levels, those of factors that apply, in the order of FACTORS.

    FACTORS has a factor after those that it needs, so that one pass is enough.
    """
    kept: dict[str, Level] = {}
    for name, factor in FACTORS.items():
        if name in levels and factor.applies(kept):
            kept[name] = levels[name]
    return kept
