"""Parser of wrk's output: the line of report.lua, or the plain text of 4.0 to 4.2 where that is missing.

Sources: main() and print_* of wrk.c, units.c and stats.c of those versions, and captured output under
tests/fixtures/wrk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT, NUMBER, WHOLE, Outside, bounded, document, found, single
from backend.core.sample.notice import Notice
from backend.core.sample.record import SecondPoint
from backend.core.sample.result import Parser, ToolResult

MARK = "PLIMSOLL "
ADDED_SHARE = 0.1
"""More added samples than this share of the answers bend the percentiles visibly."""
MILLISECONDS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4, "h": 3.6e6}
MARKS = re.compile(f"^{MARK}", re.M)
_UNIT = r"(us|ms|s|m|h)(?![a-z])"

URL = re.compile(r"^Running [0-9.]{1,20}[smh] test @ (\S{1,300})", re.M)
SHAPE = re.compile(r"^ +([0-9]{1,9}) threads and ([0-9]{1,9}) connections$", re.M)
REQUESTS = re.compile(r"^ +([0-9]{1,15}) requests in ", re.M)
RATE = re.compile(rf"^Requests/sec: +{NUMBER}$", re.M)
TRANSFER = re.compile(r"^Transfer/sec: +[0-9.]{1,20}[KMGTP]?B$", re.M)
SOCKET = re.compile(
    rf"^ +Socket errors: connect {WHOLE}, read {WHOLE}, write {WHOLE}, timeout {WHOLE}$",
    re.M,
)
STATUS = re.compile(rf"^ +Non-2xx or 3xx responses: {WHOLE}$", re.M)
LATENCY = re.compile(rf"^ +Latency +{NUMBER}{_UNIT} +\S+ +{NUMBER}{_UNIT} ", re.M)
PERCENTILE = re.compile(rf"^ +([0-9]{{1,2}})% +{NUMBER}{_UNIT}$", re.M)

Count = Annotated[int, Field(ge=0, lt=10**15)]
Microseconds = Annotated[float, Field(ge=0, lt=1e15)]


class Errors(Outside):
    """What wrk counted as gone wrong. `status` is above 399; `timeout` an answer later than --timeout."""

    connect: Count
    read: Count
    write: Count
    status: Count
    timeout: Count


class Latency(Outside):
    """Of all answers that came before --timeout, and of the samples that wrk added."""

    mean: Microseconds
    p50: Microseconds
    p99: Microseconds
    max: Microseconds


class Report(Outside):
    """What report.lua prints. `latency_us` is null where no answer came in time."""

    duration_us: Annotated[int, Field(gt=0, lt=10**15)]
    requests: Count
    bytes: Count
    errors: Errors
    latency_us: Latency | None
    histogram: Annotated[
        list[Annotated[list[Count], Field(min_length=2, max_length=2)]], Field(max_length=5000)
    ]


def parse(stdout: str, stderr: str) -> ToolResult:
    """The result of one run. Raises Unparseable with the reason unless the report is complete and successful.

    `rps` and `operations` are answers with a status below 400 that came before --timeout.
    """
    bounded("wrk", MAX_OUTPUT, stdout, stderr)
    single("wrk", stdout, TRANSFER, SHAPE, MARKS)
    shape = found("wrk", SHAPE, stdout, "… threads and … connections")
    threads, clients = int(shape.group(1)), int(shape.group(2))
    if threads == 0 or clients < threads:
        raise Unparseable(f"wrk reported {clients} connections over {threads} threads")
    report = _report(stdout)
    errors = report.errors
    good = report.requests - errors.status - errors.timeout
    if good <= 0:
        raise Unparseable(f"wrk got no successful response: {report.requests} requests, {_described(errors)}")
    latency = report.latency_us
    return ToolResult(
        tool="wrk",
        version=None,
        operations=good,
        failed=sum(errors.model_dump().values()),
        connections=clients // threads * threads,
        latency_measured=latency is not None,
        metrics={"rps": good / report.duration_us * 1e6, **_latencies(latency)},
        histogram=tuple((pair[0], pair[1]) for pair in report.histogram),
        facts=dict(_facts(stdout, report, threads)),
        notices=tuple(_notices(report, threads, clients)),
    )


def progress(stdout: str, stderr: str) -> list[SecondPoint]:
    """wrk prints nothing while it runs."""
    return []


def _report(stdout: str) -> Report:
    """The text behind wrk's own last line, or all of it where there is none."""
    last = found("wrk", TRANSFER, stdout, "Transfer/sec:")
    line, newline, _ = stdout[last.end() :].lstrip().partition("\n")
    if not line:
        return _text(stdout)
    if not line.startswith(MARK) or not newline:
        raise Unparseable(f"wrk printed half a line '{MARK}{{…}}'")
    return document("wrk", Report, line.removeprefix(MARK))


def _text(stdout: str) -> Report:
    """The plain text: two decimals with a unit. "N requests in 1.00m" is too coarse, so the rate counts."""
    requests = int(found("wrk", REQUESTS, stdout, "… requests in …").group(1))
    rate = float(found("wrk", RATE, stdout, "Requests/sec:").group(1))
    if requests == 0 or rate <= 0:
        raise Unparseable(f"wrk reported {requests} requests at {rate:g} a second")
    socket, status = SOCKET.search(stdout), STATUS.search(stdout)
    connect, read, write, timeout = (int(count) for count in socket.groups()) if socket else (0, 0, 0, 0)
    return Report(
        duration_us=max(1, round(requests / rate * 1e6)),
        requests=requests,
        bytes=0,
        errors=Errors(
            connect=connect,
            read=read,
            write=write,
            status=int(status.group(1)) if status else 0,
            timeout=timeout,
        ),
        latency_us=_text_latency(stdout),
        histogram=[],
    )


def _text_latency(stdout: str) -> Latency | None:
    head = LATENCY.search(stdout)
    shares = {match.group(1): _us(match.group(2), match.group(3)) for match in PERCENTILE.finditer(stdout)}
    if head is None or "50" not in shares or "99" not in shares:
        return None
    latest = _us(head.group(3), head.group(4))
    if latest <= 0:
        return None
    return Latency(mean=_us(head.group(1), head.group(2)), p50=shares["50"], p99=shares["99"], max=latest)


def _us(number: str, unit: str) -> float:
    return min(float(number) * MILLISECONDS[unit] * 1e3, 9e14)


def _latencies(latency: Latency | None) -> dict[str, float]:
    if latency is None:
        return {}
    return {
        "latency_avg_ms": latency.mean / 1e3,
        "latency_p50_ms": latency.p50 / 1e3,
        "latency_p99_ms": latency.p99 / 1e3,
        "latency_max_ms": latency.max / 1e3,
    }


def _added(report: Report) -> int:
    """Samples that stats_correct() of stats.c added: for a latency of at least twice the mean interval, one
    for each request that the connection would have sent while it waited."""
    answered = report.requests - report.errors.timeout
    return max(0, sum(count for _, count in report.histogram) - answered)


def _facts(stdout: str, report: Report, threads: int) -> Iterator[tuple[str, str]]:
    yield "threads", str(threads)
    yield "source", "report.lua" if report.histogram or MARK in stdout else "text"
    if address := URL.search(stdout):
        yield "url", address.group(1)
    if report.bytes:
        yield "bytes_received", str(report.bytes)
    if report.histogram:
        yield "latency_samples_added", str(_added(report))


def _notices(report: Report, threads: int, clients: int) -> Iterator[Notice]:
    errors, added = report.errors, _added(report)
    if sum(errors.model_dump().values()):
        yield Notice(
            "failed requests", f"{_described(errors)}", "they are not in the rate; see the server's log"
        )
    if added > ADDED_SHARE * report.requests:
        yield Notice(
            "latency",
            f"wrk added {added} samples to {report.requests} measured ones for requests that "
            "it could not send while it waited (coordinated omission)",
            "compare its percentiles with wrk's only",
        )
    if clients % threads:
        yield Notice(
            "connections",
            f"wrk opened {clients // threads * threads} of {clients}, the same number for each thread",
            f"use a multiple of {threads}",
        )


def _described(errors: Errors) -> str:
    return (
        f"{errors.status} with a status above 399, {errors.timeout} later than the timeout, socket errors: "
        f"connect {errors.connect}, read {errors.read}, write {errors.write}"
    )


PARSER = Parser(parse=parse, progress=progress)
