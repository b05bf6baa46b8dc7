"""pgbench's command lines; the parser of its output is `core.sample.pgbench`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.definition.catalog import FITS
from backend.core.definition.factors import FACTORS, Level
from backend.core.workload.latency_log import MOST_LINES, LatencyLog, pgbench_log
from backend.core.workload.target import Target
from backend.core.workload.tool import Tool

USER = "bench"
PROGRESS_S = 1
SAMPLED: Final = 0.1
"""The share of transactions that is logged without an offered rate (what it costs: decision 0079)."""
FASTEST: Final = 200_000
"""Transactions per second that no run exceeds, for the size of the log."""
SCRIPT: Final = {"select_only": ("-S",), "simple_update": ("-N",), "tpcb_like": ("-b", "tpcb-like")}


def database(scale: int) -> str:
    """The database that holds the tables of one scale."""
    return f"bench_s{scale}"


def initialise(scale: int, target: Target) -> tuple[str, ...]:
    """The command that fills the tables of one scale, in the server's container; a vacuum must follow.

    `-I dtgp`: pgbench's own steps without its vacuum, which would read everything once more.
    """
    place = ("-h", target.socket or target.address, "-p", str(target.port), "-U", USER)
    return ("pgbench", "-i", "-I", "dtgp", "-q", "-s", str(scale), *place, database(scale))


def run(levels: Mapping[str, Level], target: Target, seconds: int) -> tuple[str, ...]:
    """The command that loads the server for so many seconds.

    `-n`: no vacuum before it. `-P`: without it pgbench does not measure latency but divides it out.
    For a Unix socket `-h` is its directory, and the port is part of the socket's name.
    """
    rate = int(_level(levels, "rate"))
    return (
        "pgbench",
        "-n",
        *SCRIPT[str(_level(levels, "script"))],
        *("-M", str(_level(levels, "protocol"))),
        *("-c", str(levels["clients"])),
        *("-j", str(_threads(levels))),
        *("-T", str(seconds)),
        *("-P", str(PROGRESS_S)),
        *((f"--rate={rate}",) if rate > 0 else ()),
        *(("-C",) if _level(levels, "reconnect") else ()),
        *("-h", target.socket or target.address),
        *("-p", str(target.port)),
        *("-U", USER),
        database(int(_level(levels, "scale"))),
    )


def connections(levels: Mapping[str, Level]) -> int:
    """The number of connections, one per client; the one that reads the scale is closed before the run."""
    return int(levels["clients"])


def refuse(levels: Mapping[str, Level]) -> str | None:
    """The reason to refuse: threads that would not start, or a transaction log that would not fit.

    pgbench silently starts no more threads than clients (seen in 15.20: -c 2 -j 4 ran two).
    """
    clients, threads = int(levels["clients"]), _threads(levels)
    if threads > clients:
        return (
            f"threads: pgbench would silently start {clients} of {threads} threads, one for each client; "
            f"set threads to at most {clients}, or more clients"
        )
    rate, seconds = int(_level(levels, "rate")), int(_level(levels, "duration_s"))
    if rate * seconds > MOST_LINES:
        return (
            f"rate: {rate:,} transactions per second for {seconds:,} s are {rate * seconds:,} latencies, and "
            f"at most {MOST_LINES:,} are kept for percentiles; use a lower rate, or a shorter duration_s"
        )
    return None


def log(levels: Mapping[str, Level], prefix: str) -> LatencyLog | None:
    """The transaction log: of a run with an offered rate, whose latency counts from the scheduled start, all
    transactions, otherwise a sample of them."""
    if int(_level(levels, "rate")) > 0:
        return pgbench_log(prefix)
    return pgbench_log(prefix, min(SAMPLED, MOST_LINES / (FASTEST * int(_level(levels, "duration_s")))))


def _threads(levels: Mapping[str, Level]) -> int:
    """The number of threads; 0 means one for each client."""
    return int(_level(levels, "threads")) or int(levels["clients"])


def _level(levels: Mapping[str, Level], name: str) -> Level:
    return levels.get(name, FACTORS[name].default)


TOOL = Tool(
    name="pgbench",
    services=FITS["pgbench"],
    run=run,
    connections=connections,
    refuse=refuse,
    needs_tcp=False,
    log=log,
)
