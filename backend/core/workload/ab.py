"""ab's command line; the parser of its output is `core.sample.ab`."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.definition.catalog import FITS
from backend.core.definition.factors import FACTORS, Level
from backend.core.workload.http import url
from backend.core.workload.target import Target
from backend.core.workload.tool import Tool

MOST_PER_SECOND = 200_000
"""`-n` is this much for each second, so that time ends the run: ab's one thread sends about 70,000 requests
per second on a loopback. ab reserves 32 bytes for each of `-n` and touches the used ones (ab.c, `stats`)."""
LONGEST_S = 300
"""At 70,000 requests per second ab then keeps 700 MB, which it sorts four times before it reports."""


def run(levels: Mapping[str, Level], target: Target, seconds: int) -> tuple[str, ...]:
    """The command that loads the server for so many seconds.

    `-t` sets `-n` to 50,000, so `-n` must follow it. `-l`: bodies may differ in length. `-e`: ab prints
    whole milliseconds, and microseconds only into this file; stdout must therefore be a pipe that ab's
    user may open again, for a regular file would be cut and written over.
    """
    return (
        "ab",
        *("-c", str(levels["clients"])),
        *("-t", str(seconds)),
        *("-n", str(MOST_PER_SECOND * seconds)),
        "-l",
        "-q",
        *(("-k",) if levels.get("keep_alive", FACTORS["keep_alive"].default) else ()),
        *("-e", "/dev/stdout"),
        url(levels, target),
    )


def connections(levels: Mapping[str, Level]) -> int:
    """The number of concurrent connections; without keep-alive each request opens another one."""
    return int(levels["clients"])


def refuse(levels: Mapping[str, Level]) -> str | None:
    """The reason to refuse windows longer than LONGEST_S: ab keeps every request in memory."""
    for name in ("duration_s", "warm_up_s"):
        if int(levels.get(name, 0)) > LONGEST_S:
            return (
                f"{name}: ab keeps every request in memory and sorts them at the end; "
                f"at most {LONGEST_S} s, or use wrk"
            )
    return None


TOOL = Tool(name="ab", services=FITS["ab"], run=run, connections=connections, refuse=refuse, needs_tcp=True)
