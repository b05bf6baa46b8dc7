"""pgbench's command lines. Run and parse are two things: the parser is `core.sample.pgbench`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backend.core.definition.factors import Level

USER = "bench"
PROGRESS_S = 1


@dataclass(frozen=True)
class Target:
    """Where the server listens, as the client addresses it: a literal address and a port."""

    address: str
    port: int


def database(scale: int) -> str:
    """The database that holds the tables of one scale."""
    return f"bench_s{scale}"


def initialise(scale: int) -> tuple[str, ...]:
    """Fill the tables of one scale, from inside the server's container."""
    return ("pgbench", "-i", "-q", "-s", str(scale), "-h", "127.0.0.1", "-U", USER, database(scale))


def run(levels: Mapping[str, Level], target: Target, seconds: int) -> tuple[str, ...]:
    """The read-only run of a cell for so many seconds.

    `-n`: no vacuum before it. `-P`: without it pgbench does not measure latency but divides it out.
    """
    return (
        "pgbench",
        "-n",
        "-S",
        *("-M", str(levels["protocol"])),
        *("-c", str(levels["clients"])),
        *("-j", str(levels["threads"])),
        *("-T", str(seconds)),
        *("-P", str(PROGRESS_S)),
        *("-h", target.address),
        *("-p", str(target.port)),
        *("-U", USER),
        database(int(levels["scale"])),
    )
