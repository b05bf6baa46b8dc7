"""The log with one line per transaction that a tool writes, and the commands that summarise it.

pgbench prints no percentiles. Its log (`--log`) has a line a transaction, `client number µs script epoch µs`;
with `--rate` the third column counts from when the transaction was due, and there is a seventh, the
schedule lag; with `--sampling-rate` it has a random share of the transactions (PostgreSQL 15, documentation
of pgbench, "Per-Transaction Logging"). The log stays where the client runs: awk turns it into a histogram
there, after the window; only these few hundred lines are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

STEPS: Final = 128
"""Buckets to each doubling of the latency, so that none is wider than 1 ÷ 128 of its value (as HdrHistogram
does with two significant digits). Below 2 × STEPS µs each whole microsecond has its own."""
MOST_LINES: Final = 1_000_000
"""This many lines of at most 60 characters fit into the 64 MiB of the client's /tmp."""

HISTOGRAM: Final = f"""
BEGIN {{ CONVFMT = "%.0f" }}
NF < columns {{ unread++; next }}
$3 !~ /^[0-9]+$/ {{ if ($3 == "skipped") skipped++; else failed++; next }}
{{
  v = $3 + 0; lag = $7 + 0
  if (n++ == 0 || v < low) low = v
  if (v > high) high = v
  if (lag > behind) behind = lag
  sum += v; lags += lag
  for (wide = 1; v >= {2 * STEPS}; wide *= 2) v = int(v / 2)
  seen[(v + 1) * wide - 1]++
}}
END {{
  printf "transactions %.0f skipped %.0f failed %.0f unread %.0f\\n", n, skipped, failed, unread
  printf "latency_us sum %.0f min %.0f max %.0f\\n", sum, low, high
  printf "lag_us sum %.0f max %.0f\\n", lags, behind
  for (bound in seen) printf "%.0f %.0f\\n", bound, seen[bound]
}}
""".strip()
"""A POSIX awk program: it turns a log on its input into the histogram that `core.sample.histogram` parses."""

SCHEDULED: Final = 7
UNSCHEDULED: Final = 6
"""Columns of a line, with and without the schedule lag."""
COLLECT: Final = 'awk -v columns="$2" "$1" "$0".*; code=$?; rm -f "$0".*; exit $code'
REMOVE: Final = 'rm -f "$0".*'


@dataclass(frozen=True)
class LatencyLog:
    """The tool's options for its log, and two commands in the client's container after the window.

    `collect` prints the histogram and removes the log; `remove` removes what there is, after a failure.
    """

    options: tuple[str, ...]
    collect: tuple[str, ...]
    remove: tuple[str, ...]


def pgbench_log(prefix: str, sampled: float | None = None) -> LatencyLog:
    """pgbench's log in files `prefix.PID` and, for further threads, `prefix.PID.N`.

    It is that of a run with `--rate`; with `sampled` that of this share of the transactions of a run without.
    """
    columns = SCHEDULED if sampled is None else UNSCHEDULED
    share = () if sampled is None else (f"--sampling-rate={sampled:g}",)
    return LatencyLog(
        options=("--log", f"--log-prefix={prefix}", *share),
        collect=("sh", "-c", COLLECT, prefix, HISTOGRAM, str(columns)),
        remove=("sh", "-c", REMOVE, prefix),
    )
