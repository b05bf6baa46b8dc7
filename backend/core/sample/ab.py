"""Parser of ab's output, in the form of ApacheBench 2.3 (httpd 2.2 and 2.4), with the table of `-e` in it.

Sources: output_results() of support/ab.c, and captured output under tests/fixtures/ab.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT, NUMBER, WHOLE, bounded, found, optional, single
from backend.core.sample.notice import Notice
from backend.core.sample.record import SecondPoint
from backend.core.sample.result import Parser, ToolResult
from backend.core.workload.ab import MOST_PER_SECOND

VERSION = re.compile(r"^This is ApacheBench, Version ([0-9][0-9a-z.]{0,20})", re.M)
CONCURRENCY = re.compile(rf"^Concurrency Level: +{WHOLE}$", re.M)
TAKEN = re.compile(rf"^Time taken for tests: +{NUMBER} seconds$", re.M)
COMPLETE = re.compile(rf"^Complete requests: +{WHOLE}$", re.M)
FAILED = re.compile(rf"^Failed requests: +{WHOLE}$", re.M)
KINDS = re.compile(
    rf"^ +\(Connect: {WHOLE},(?: Receive: {WHOLE},)? Length: {WHOLE}, Exceptions: {WHOLE}\)$", re.M
)
WRITE = re.compile(rf"^Write errors: +{WHOLE}$", re.M)
STATUS = re.compile(rf"^Non-2xx responses: +{WHOLE}$", re.M)
KEPT = re.compile(rf"^Keep-Alive requests: +{WHOLE}$", re.M)
RATE = re.compile(rf"^Requests per second: +{NUMBER} \[#/sec\] \(mean\)$", re.M)
PER_REQUEST = re.compile(rf"^Time per request: +{NUMBER} \[ms\] \(mean\)$", re.M)
SHARE = re.compile(rf"^ +(50|99|100)% +{WHOLE}( \(longest request\))?$", re.M)
LONGEST = re.compile(rf"^ +100% +{WHOLE} \(longest request\)$", re.M)
TABLE = "Percentage served,Time in ms"
TABLES = re.compile(TABLE)
ROW = re.compile(rf"([0-9]{{1,3}}),{NUMBER}\n")
ROWS = 101
COARSE_MS = 10
"""Whole milliseconds below this are wrong by more than 5 %: they are left out."""
NAMES = {"50": "latency_p50_ms", "99": "latency_p99_ms", "100": "latency_max_ms"}


@dataclass(frozen=True)
class Failures:
    """Requests that went wrong. A body of another length (`Length`) is none."""

    connect: int
    receive: int
    exceptions: int
    status: int
    write: int

    @property
    def of_complete(self) -> int:
        """Those that ab counts as complete all the same."""
        return self.receive + self.exceptions + self.status

    @property
    def all(self) -> int:
        """Every one, whether ab counts it as complete or not."""
        return self.of_complete + self.connect + self.write


def parse(stdout: str, stderr: str) -> ToolResult:
    """The result of one run. Raises Unparseable with the reason unless the report is complete and successful.

    ab divides its mean latency out of the rate, so there is none here; its percentiles are measured.
    """
    bounded("ab", MAX_OUTPUT, stdout, stderr)
    single("ab", stdout, COMPLETE, CONCURRENCY, RATE, TABLES)
    concurrency = int(found("ab", CONCURRENCY, stdout, "Concurrency Level:").group(1))
    taken = float(found("ab", TAKEN, stdout, "Time taken for tests:").group(1))
    complete = int(found("ab", COMPLETE, stdout, "Complete requests:").group(1))
    failures = _failures(stdout)
    good = complete - failures.of_complete
    if good <= 0 or taken <= 0:
        raise Unparseable(
            f"ab got no successful response: {complete} requests in {taken:g} s, {_described(failures)}"
        )
    if complete >= MOST_PER_SECOND * taken:
        raise Unparseable(
            f"ab ended early: it reached its number of requests, {complete}, after only {taken:g} s"
        )
    if complete > 1:
        found("ab", LONGEST, stdout, "100% … (longest request)")
    rate = float(found("ab", RATE, stdout, "Requests per second:").group(1))
    latencies, notices = _latencies(stdout)
    facts = dict(_facts(stdout))
    return ToolResult(
        tool="ab",
        version=match.group(1) if (match := VERSION.search(stdout)) else None,
        operations=good,
        failed=failures.all,
        connections=concurrency,
        latency_measured=bool(latencies),
        metrics={"rps": rate * good / complete, **latencies},
        facts=facts,
        notices=(*notices, *_notices(complete, failures, facts)),
    )


def progress(stdout: str, stderr: str) -> list[SecondPoint]:
    """With -q ab prints nothing while it runs."""
    return []


def _failures(stdout: str) -> Failures:
    reported = int(found("ab", FAILED, stdout, "Failed requests:").group(1))
    connect = receive = exceptions = 0
    if reported:
        kinds = found("ab", KINDS, stdout, "(Connect: …, Receive: …, Length: …, Exceptions: …)")
        connect, receive, _, exceptions = (int(count or 0) for count in kinds.groups())
    return Failures(
        connect=connect,
        receive=receive,
        exceptions=exceptions,
        status=int(optional(STATUS, stdout) or 0),
        write=int(optional(WRITE, stdout) or 0),
    )


def _latencies(stdout: str) -> tuple[dict[str, float], tuple[Notice, ...]]:
    """Out of the table of -e, which has microseconds; else out of the text, where it is not too coarse."""
    if TABLE in stdout:
        rows = _table(stdout)
        return {name: rows[int(share)] for share, name in NAMES.items()}, ()
    shares = {match.group(1): int(match.group(2)) for match in SHARE.finditer(stdout)}
    kept = {NAMES[share]: float(ms) for share, ms in shares.items() if ms >= COARSE_MS}
    if len(kept) == len(shares):
        return kept, ()
    figures = f"ab printed whole milliseconds, and those below {COARSE_MS} ms are left out"
    return kept, (Notice("latency", figures, "run it with -e"),)


def _table(stdout: str) -> list[float]:
    """The time in ms within which each percentage, 0 to 100, was served.

    ab prints this before the rest of its report, right after "(be patient)...", because of its buffers.
    """
    at = stdout.index(TABLE) + len(TABLE) + 1
    rows: list[float] = []
    while (row := ROW.match(stdout, at)) and int(row.group(1)) == len(rows) < ROWS:
        rows.append(float(row.group(2)))
        at = row.end()
    if len(rows) < ROWS or rows != sorted(rows):
        raise Unparseable(f"ab printed {len(rows)} of {ROWS} rows in order below '{TABLE}'")
    return rows


def _facts(stdout: str) -> Iterator[tuple[str, str]]:
    kept = KEPT.search(stdout)
    yield "keep_alive", "yes" if kept else "no"
    if kept:
        yield "keep_alive_requests", kept.group(1)
    if mean := PER_REQUEST.search(stdout):
        yield "time_per_request_ms", f"{mean.group(1)} (divided out of the rate)"


def _notices(complete: int, failures: Failures, facts: dict[str, str]) -> Iterator[Notice]:
    if failures.all:
        yield Notice(
            "failed requests", f"{_described(failures)}", "they are not in the rate; see the server's log"
        )
    kept = int(facts.get("keep_alive_requests", complete))
    # Each connection's last request is answered without being followed by another one on it.
    if kept < 0.99 * complete:
        yield Notice(
            "keep-alive",
            f"the server kept the connection in {kept} of {complete} requests",
            "use a server that keeps connections, or measure without -k",
        )


def _described(failures: Failures) -> str:
    return (
        f"{failures.status} with a status other than 2xx, connect {failures.connect}, "
        f"receive {failures.receive}, exceptions {failures.exceptions}, write {failures.write}"
    )


PARSER = Parser(parse=parse, progress=progress)
