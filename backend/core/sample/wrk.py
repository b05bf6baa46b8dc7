"""Parser of wrk's output: the line of report.lua, or the plain text of 4.0 to 4.2 where that is missing.

Sources: main() and print_* of wrk.c, units.c and stats.c of those versions, and captured output under
tests/fixtures/wrk.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT
from backend.core.sample.identities import (
    LEAST_BUSY_HTTP,
    ROUNDING,
    latencies_beside_each_other,
    mean_beside_rate,
)
from backend.core.sample.notice import Notice
from backend.core.sample.record import SecondPoint
from backend.core.sample.report_lines import Found, Marked, Pasted, group, printed
from backend.core.sample.report_notices import ended_early, left_out, said, warnings_in
from backend.core.sample.result import Parser, Setting, ToolResult
from backend.core.sample.wrk_report import (
    FRAME,
    SECONDS,
    Errors,
    Latency,
    Mean,
    PrintedAsText,
    Report,
    read_report,
)

ADDED_SHARE = 0.1
"""More added samples than this share of the answers bend the percentiles visibly."""
EARLY: Final = 0.9

PASTED: Final = Pasted(("Transfer/sec:", "Running "))
WRK2 = (
    Marked("Thread calibration: ", "^ +Thread calibration: "),
    Marked("HdrHistogram", r"^ +Latency Distribution \(HdrHistogram"),
    Marked("Thread Stats", "^ *Thread Stats +Avg +Stdev +99%"),
    Marked("Req/Sec", "^ *Req/Sec +-?nan "),
)
"""What wrk2 prints and wrk does not; of a run shorter than its calibration, 10 s, the last two alone. wrk
prints 0.00 for a rate without samples (stats_mean of stats.c)."""
REQUESTED = Marked(" test @ ", "^Running ([0-9]{1,9})([smh]) test @ ")


def parse(stdout: str, stderr: str) -> ToolResult:
    """The result of one run. Raises Unparseable with the reason unless the report is complete and successful.

    `rps` and `operations` are answers with a status below 400 that came before --timeout.
    """
    stdout, stderr = printed("wrk", MAX_OUTPUT, stdout, stderr, PASTED)
    if any(sign.search(stdout) for sign in WRK2):
        raise Unparseable(
            "this is the output of wrk2, which corrects for coordinated omission, so that its latencies are "
            "not those of wrk; run wrk"
        )
    frame = FRAME.read(stdout)
    shape = frame["shape"][0]
    threads, clients = int(shape.group(1)), int(shape.group(2))
    if threads == 0 or clients < threads:
        raise Unparseable(f"wrk reported {clients} connections over {threads} threads")
    report = read_report(stdout, frame)
    errors = report.errors
    good = report.requests - errors.status - errors.timeout
    if good <= 0:
        raise Unparseable(f"wrk got no successful response: {report.requests} requests, {_described(errors)}")
    opened = max(0, clients // threads * threads - errors.connect)
    latency, unused = _believable(report, opened)
    return ToolResult(
        tool="wrk",
        version=None,
        operations=good,
        failed=sum(errors.model_dump().values()),
        connections=opened,
        latency_measured=latency is not None,
        metrics={"rps": report.rate * good / report.requests, **_latencies(latency)},
        histogram=tuple((pair[0], pair[1]) for pair in report.histogram),
        facts=dict(_facts(frame, report, threads)),
        notices=(
            *_notices(report, threads, clients),
            *unused,
            *map(left_out, report.odd if isinstance(report, PrintedAsText) else ()),
            *_early(stdout, report),
            *said(warnings_in(stdout) + warnings_in(stderr)),
        ),
        settings=dict(_settings(stdout, threads)),
    )


def progress(stdout: str, stderr: str) -> list[SecondPoint]:
    """wrk prints nothing while it runs."""
    return []


def _believable(report: Report, opened: int) -> tuple[Mean | None, tuple[Notice, ...]]:
    """The latencies without percentiles that are above a higher one; none that cannot be beside the rate."""
    latency, seconds = report.latency_us, report.duration_us / 1e6
    if latency is None:
        return None, ()
    shares = (latency.p50 / 1e3, latency.p99 / 1e3) if isinstance(latency, Latency) else None
    mean, longest = latency.mean / 1e3, latency.max / 1e3
    unordered = isinstance(latency, Latency) and not (
        latency.p50 <= ROUNDING * latency.p99 and latency.p99 <= ROUNDING * latency.max
    )
    least = 0.0 if report.errors.timeout else LEAST_BUSY_HTTP * opened
    impossible = latencies_beside_each_other(
        mean, longest, seconds, None if unordered else shares
    ) or mean_beside_rate(mean, report.rate, opened, least, None, 0.0)
    if impossible:
        return None, (left_out(impossible),)
    if not unordered or shares is None:
        return latency, ()
    reason = (
        f"percentiles that are not in order: 50 % {shares[0]:g} ms, 99 % {shares[1]:g} ms, "
        f"longest {longest:g} ms"
    )
    return Mean(mean=latency.mean, max=latency.max), (left_out(reason),)


def _latencies(latency: Mean | None) -> dict[str, float]:
    if latency is None:
        return {}
    found = {"latency_avg_ms": latency.mean / 1e3, "latency_max_ms": latency.max / 1e3}
    if isinstance(latency, Latency):
        found |= {"latency_p50_ms": latency.p50 / 1e3, "latency_p99_ms": latency.p99 / 1e3}
    return found


def _early(stdout: str, report: Report) -> Iterator[Notice]:
    """wrk that is interrupted reports what it measured until then. Minutes and hours are printed rounded."""
    requested = REQUESTED.search(stdout)
    if requested is None:
        return
    unit = SECONDS[requested.group(2)]
    least = (int(requested.group(1)) - (0.5 if unit > 1 else 0)) * unit
    seconds = report.duration_us / 1e6
    if seconds < EARLY * least:
        yield ended_early(f"wrk ran for {seconds:.2f} s of {requested.group(1)}{requested.group(2)}")


def _settings(stdout: str, threads: int) -> Iterator[tuple[str, Setting]]:
    yield "threads", Setting(threads, str(threads))
    if requested := REQUESTED.search(stdout):
        unit = round(SECONDS[requested.group(2)])
        slack = unit / 2 if unit > 1 else 0.0
        text = requested.group(1) + ("" if unit == 1 else requested.group(2))
        yield "duration_s", Setting(int(requested.group(1)) * unit, text, slack)


def _added(report: Report) -> int:
    """Samples that stats_correct() of stats.c added: for a latency of at least twice the mean interval, one
    for each request that the connection would have sent while it waited."""
    answered = report.requests - report.errors.timeout
    return max(0, sum(count for _, count in report.histogram) - answered)


def _facts(frame: Found, report: Report, threads: int) -> Iterator[tuple[str, str]]:
    yield "threads", str(threads)
    yield "source", "report.lua" if frame["mark"] else "text"
    if address := group(frame, "url"):
        yield "url", address
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
    if errors.connect:
        yield Notice(
            "connections",
            f"{errors.connect} of {clients // threads * threads} could not be opened, and wrk does not try "
            "again: the figures are of the others",
            "see the server's limits and repeat the run",
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
