"""The registry of parsers: one file a tool."""

from __future__ import annotations

from typing import Final

from backend.core.sample import ab, iperf3, pgbench, wrk
from backend.core.sample.figures import MAX_OUTPUT
from backend.core.sample.result import Parser

PARSERS: Final[dict[str, Parser]] = {
    "pgbench": pgbench.PARSER,
    "wrk": wrk.PARSER,
    "ab": ab.PARSER,
    "iperf3": iperf3.PARSER,
}
"""The parser of each tool of `core.workload.tools`."""

OUTPUT_LIMITS: Final[dict[str, int]] = {**dict.fromkeys(PARSERS, MAX_OUTPUT), "iperf3": iperf3.MAX_REPORT}
"""The most characters that each tool may print: iperf3 reports every stream of every second."""
