"""wrk's command line; the parser of its output is `core.sample.wrk`."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.definition.catalog import FITS
from backend.core.definition.factors import FACTORS, Level
from backend.core.workload.http import url
from backend.core.workload.target import Target
from backend.core.workload.tool import Tool

REPORT = "/usr/local/share/plimsoll/report.lua"
"""Prints what wrk measured as one line of JSON. It defines done() alone, so no request runs Lua."""
TIMEOUT_S = 2
"""wrk's own default, written explicitly: a later answer counts as a timeout and has no latency."""


def run(levels: Mapping[str, Level], target: Target, seconds: int) -> tuple[str, ...]:
    """The command that loads the server for so many seconds."""
    return (
        "wrk",
        f"-c{levels['clients']}",
        f"-t{_threads(levels)}",
        f"-d{seconds}s",
        "--latency",
        *("--timeout", f"{TIMEOUT_S}s"),
        *("-s", REPORT),
        url(levels, target),
    )


def connections(levels: Mapping[str, Level]) -> int:
    """The number of connections: wrk divides them among its threads and drops the remainder."""
    threads = _threads(levels)
    return int(levels["clients"]) // threads * threads


def refuse(levels: Mapping[str, Level]) -> str | None:
    """The reason to refuse clients that are not a multiple of threads.

    wrk gives each thread clients/threads connections by integer division (main() of wrk.c).
    """
    clients, threads = int(levels["clients"]), _threads(levels)
    if clients < threads:
        return (
            f"threads: wrk needs a connection for each of its {threads} threads; "
            f"set threads to at most {clients}"
        )
    if clients % threads:
        return (
            f"clients: {clients} connections over {threads} threads: wrk would silently open "
            f"{connections(levels)}; set clients to a multiple of {threads}"
        )
    return None


def _threads(levels: Mapping[str, Level]) -> int:
    """The number of threads; 0 means one for each client."""
    return int(levels.get("threads", FACTORS["threads"].default)) or int(levels["clients"])


TOOL = Tool(name="wrk", services=FITS["wrk"], run=run, connections=connections, refuse=refuse, needs_tcp=True)
