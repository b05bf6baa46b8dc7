"""Which cells run which programs, so that a program's version counts only where it was used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.definition.catalog import REVERSE_PROXY_PATHS
from backend.core.definition.factors import Level

PROGRAMS: Final[dict[str, tuple[tuple[str, tuple[str, ...]], ...]]] = {
    "pgbench": (("tool", ("pgbench",)),),
    "wrk": (("tool", ("wrk",)),),
    "ab": (("tool", ("ab",)),),
    "iperf3": (("tool", ("iperf3",)),),
    "postgres": (("service", ("postgres",)),),
    "pong": (("service", ("pong",)),),
    "gunicorn": (("service", ("flask",)),),
    "nginx": (("path", REVERSE_PROXY_PATHS["nginx"]),),
    "haproxy": (("path", REVERSE_PROXY_PATHS["haproxy"]),),
    "socat": (("path", ("socat_tcp",)),),
}
"""The levels, by factor, of the cells that run each program."""


def cell_uses(levels: Mapping[str, Level], program: str) -> bool:
    """Whether a cell with these levels runs the program, one of PROGRAMS."""
    return any(levels.get(factor) in using for factor, using in PROGRAMS[program])
