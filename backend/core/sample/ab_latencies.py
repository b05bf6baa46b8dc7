"""The latencies of ab: percentiles of its text or of the table of -e, where they can be beside its rate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.figures import NUMBER, WHOLE
from backend.core.sample.identities import ROUNDED_SHARE, percentiles_beside_rate
from backend.core.sample.notice import Notice
from backend.core.sample.report_lines import Found, Row, Rows, first
from backend.core.sample.report_notices import left_out

SHARES: Final = Rows(
    "ab", Row("share", "(?=[0-9]+%)", rf"([0-9]{{1,3}})% +{WHOLE}(?: \(longest request\))?", listed=True)
)
PERCENTAGES: Final = ("50", "66", "75", "80", "90", "95", "98", "99", "100")
BELOW_HEADING: Final = re.compile(r"[ \t]*(?:\n(?: +[0-9]+%|[0-9]+%[ \t]+[0-9])[^\n]*)+")
TABLE = "Percentage served,Time in ms"
TABLES = re.compile(TABLE)
ROW = re.compile(rf"([0-9]{{1,3}}),{NUMBER}\n")
ROWS_OF_TABLE = 101
COARSE_MS = 10
"""Whole milliseconds below this are wrong by more than 5 %: they are left out."""
MILLISECOND: Final = 0.001
"""To which times are printed, in seconds and in milliseconds."""
NAMES = {"50": "latency_p50_ms", "99": "latency_p99_ms", "100": "latency_max_ms"}


@dataclass(frozen=True)
class Run:
    """What percentiles are held against: connections, requests, seconds and requests per second."""

    concurrency: int
    complete: int
    taken: float
    rate: float

    def believable(
        self,
        named: dict[str, float],
        notices: tuple[Notice, ...],
        kept: dict[str, float] | None = None,
    ) -> tuple[dict[str, float], tuple[Notice, ...]]:
        """The latencies, of which `kept` are used; none where one of `named` cannot be beside the rate."""
        p50, p99, longest = (named[name] for name in NAMES.values())
        impossible = percentiles_beside_rate(p50, p99, longest, self.rate, self.concurrency, self.taken)
        if impossible:
            return {}, (left_out(impossible),)
        return (named if kept is None else kept), notices


def latencies_of(stdout: str, found: Found, run: Run) -> tuple[dict[str, float], tuple[Notice, ...]]:
    """Out of the table of -e, which has microseconds; else out of the text, where it is not too coarse."""
    shares = _shares(stdout, found, run.complete)
    if TABLE in stdout:
        rows = _table(stdout)
        return run.believable({name: rows[int(share)] for share, name in NAMES.items()}, ())
    if shares is None:
        several = run.complete > 1
        reason = "ab printed no percentiles, as with -d" if several else "one request has no percentiles"
        return {}, (Notice("latency", reason, "run it with -e"),)
    if list(shares.values()) != sorted(shares.values()):
        return {}, (left_out("percentiles that are not in order"),)
    named = {NAMES[share]: float(ms) for share, ms in shares.items() if share in NAMES}
    kept = {name: ms for name, ms in named.items() if ms >= COARSE_MS}
    figures = f"ab printed whole milliseconds, and those below {COARSE_MS} ms are left out"
    coarse = () if len(kept) == len(named) else (Notice("latency", figures, "run it with -e"),)
    return run.believable(named, coarse, kept)


def without_contradiction(facts: dict[str, str], run: Run) -> str | None:
    """Takes a time per request out of the facts that is not what ab divides out of the rate, and says so."""
    printed = facts.get("time_per_request_ms")
    if printed is None:
        return None
    shown, own = float(printed.split()[0]), 1e3 * run.concurrency * run.taken / run.complete
    if abs(shown - own) <= own * (ROUNDED_SHARE + MILLISECOND / run.taken) + MILLISECOND:
        return None
    del facts["time_per_request_ms"]
    return (
        f"a time per request of {shown:g} ms, where {run.concurrency} connections at the printed rate have "
        f"{own:.3f} ms"
    )


def _shares(stdout: str, found: Found, complete: int) -> dict[str, int] | None:
    """The printed percentiles in whole milliseconds; None with -d, where the report ends before them."""
    heading, total = first(found, "percentages"), first(found, "total")
    if heading is None:
        if complete > 1 and total is None:
            raise Unparseable("ab printed no line 'Total: …' or '100% … (longest request)'")
        return None
    rows = BELOW_HEADING.match(stdout, heading.end())
    lines = SHARES.read(rows.group(), stdout.count("\n", 0, rows.start()))["share"] if rows else ()
    shares = {line.group(1): int(line.group(2)) for line in lines}
    for share in PERCENTAGES:
        if share not in shares or (share == "100" and not lines[-1].group().endswith("(longest request)")):
            raise Unparseable(
                f"ab printed no line '{share}% …{' (longest request)' if share == '100' else ''}'"
            )
    return shares


def _table(stdout: str) -> list[float]:
    """The time in ms within which each percentage, 0 to 100, was served.

    ab prints this before the rest of its report, right after "(be patient)...", because of its buffers.
    """
    at = stdout.index(TABLE) + len(TABLE) + 1
    rows: list[float] = []
    while (row := ROW.match(stdout, at)) and int(row.group(1)) == len(rows) < ROWS_OF_TABLE:
        rows.append(float(row.group(2)))
        at = row.end()
    if len(rows) < ROWS_OF_TABLE or rows != sorted(rows):
        raise Unparseable(f"ab printed {len(rows)} of {ROWS_OF_TABLE} rows in order below '{TABLE}'")
    return rows
