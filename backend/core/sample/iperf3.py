"""Parser of iperf3's JSON report (-J), in the forms of versions 3.1 to 3.22.

Sources: iperf_api.c (iperf_print_intermediate, iperf_print_results) of those versions, and captured output
under tests/fixtures/iperf3. iperf3 -J ends with code 0 even when it failed: `error` is then set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT, document
from backend.core.sample.iperf3_document import LONGEST_ERROR, report_in
from backend.core.sample.iperf3_report import Failure, Iperf3Request, Report, Sum, usable
from backend.core.sample.iperf3_totals import (
    MEGABYTE,
    SHORT_S,
    is_udp,
    quality_of,
    received_total,
    refuse_contradiction_of,
)
from backend.core.sample.notice import Notice
from backend.core.sample.record import SecondPoint
from backend.core.sample.report_lines import QUOTED, Pasted, printed
from backend.core.sample.report_notices import left_out, said, warnings_in
from backend.core.sample.result import Parser, Setting, ToolResult

MAX_REPORT: Final = 16 * MAX_OUTPUT
"""About 420 characters a stream and second: 100 streams for six minutes."""
PASTED: Final = Pasted(("{",), prefix=QUOTED)
"""A document may be indented as it is."""
THREADED: Final = (3, 16)
"""The first version with a thread for each stream."""
LOST_PERCENT: Final = 1.0
INTERVALS: Final = re.compile(r'"intervals"\s*:\s*\[\s*\{')
"""At least one: the run had begun."""
QUOTED_ERROR: Final = 120
FEW_MEGABYTES: Final = 20
"""Rounding to whole megabytes is above 2.5 % below this."""


def parse(stdout: str, stderr: str) -> ToolResult:
    """The result of one run. Raises Unparseable with the reason unless the report is complete and successful.

    An operation is a megabyte that the receiver got. `per_second` is what the client saw: what it handed
    to its socket, or with -R what it received.
    """
    stdout, stderr = printed("iperf3", MAX_REPORT, stdout, stderr, PASTED)
    found = report_in(stdout)
    if error := document("iperf3", Failure, found.text).error:
        part = "; its figures are of a part of the run, repeat it" if INTERVALS.search(found.text) else ""
        raise Unparseable(f"iperf3 ended with the error: {error[:LONGEST_ERROR]}{part}")
    report = document("iperf3", Report, found.text)
    requested = report.start.test_start
    received = received_total(report)
    megabytes = round(received.bytes / MEGABYTE)
    if megabytes < 1:
        raise Unparseable(f"iperf3's receiver got {received.bytes:.0f} bytes, less than one megabyte")
    if received.seconds < 0.9 * requested.duration:
        raise Unparseable(f"iperf3 ended early: {received.seconds:g} of {requested.duration:g} s")
    refuse_contradiction_of(received, report.end.sum_sent)
    quality, unused = quality_of(report, received)
    return ToolResult(
        tool="iperf3",
        version=report.start.version.removeprefix("iperf").strip(),
        operations=megabytes,
        failed=0,
        connections=max(0, requested.num_streams - sum(stream.is_idle for stream in report.end.streams)),
        latency_measured=False,
        metrics={"throughput_gbit_s": received.bits_per_second / 1e9, **quality},
        per_second=tuple(_per_second(report)),
        facts=dict(_facts(report, received)),
        notices=(
            *_notices(report, received, quality),
            *map(left_out, unused),
            *_odd_intervals(report),
            *_failed_before(found.failed),
            *said(warnings_in(found.around) + warnings_in(stderr)),
        ),
        settings=dict(_settings(requested)),
    )


def progress(stdout: str, stderr: str) -> list[SecondPoint]:
    """With -J iperf3 prints nothing while it runs."""
    return []


def _failed_before(errors: Sequence[str]) -> Iterator[Notice]:
    """Runs of a loop that tries again, which have no figures of their own."""
    if errors:
        error = next(filter(None, errors), "none, as it was cut")[:QUOTED_ERROR]
        yield Notice(
            "warning of the tool",
            f"{len(errors)} other runs in the log failed, with the error: {error}",
            "see the tool's output in the record",
        )


def _per_second(report: Report) -> Iterator[SecondPoint]:
    """One point for each interval of a second, without those whose figures can be none."""
    for interval in report.intervals:
        second = interval.sum
        seconds, end, bits = map(usable, (second.seconds, second.end, second.bits_per_second))
        if second.omitted or seconds is None or end is None or bits is None:
            continue
        if seconds >= SHORT_S:
            yield SecondPoint(t=end, rate=bits / 1e9, latency_ms=None, latency_stddev_ms=None)


def _odd_intervals(report: Report) -> Iterator[Notice]:
    odd = sum(interval.sum.odd() for interval in report.intervals)
    if odd:
        yield left_out(f"{odd} of {len(report.intervals)} intervals have figures that are no numbers")


def _settings(requested: Iperf3Request) -> Iterator[tuple[str, Setting]]:
    transport, reverse = requested.protocol.lower(), bool(requested.reverse)
    yield "transport", Setting(transport, requested.protocol)
    yield "reverse", Setting(reverse, "yes" if reverse else "no")
    if requested.duration:
        yield "duration_s", Setting(requested.duration, f"{requested.duration:g}", slack=0.001)
    if "target_bitrate" in requested.model_fields_set and transport == "udp":
        offered = requested.target_bitrate * requested.num_streams / 1e6
        # Each stream is offered a whole number of bits.
        yield (
            "udp_mbit_s",
            Setting(offered, f"{offered:g}" if offered else "no limit", slack=requested.num_streams / 1e6),
        )


def _options(report: Report) -> Iterator[tuple[str, str]]:
    """Options that are set, of which the commands of Plimsoll have none; their names in `log_settings`."""
    start, requested = report.start, report.start.test_start
    for name, value in (
        ("rate_limit_mbit_s", 0 if is_udp(report) else requested.target_bitrate / 1e6),
        ("mss_bytes", start.tcp_mss),
        ("socket_buffer_bytes", start.sock_bufsize),
        ("omitted_s", requested.omit),
        ("bytes_to_send", requested.bytes),
        ("blocks_to_send", requested.blocks),
        ("type_of_service", requested.tos),
        ("paced_mbit_s", requested.fqrate / 1e6),
    ):
        if value:
            yield name, f"{value:.15g}"


def _facts(report: Report, received: Sum) -> Iterator[tuple[str, str]]:
    requested, end = report.start.test_start, report.end
    yield "protocol", requested.protocol
    yield "streams", str(requested.num_streams)
    yield "reverse", "yes" if requested.reverse else "no"
    if requested.duration:
        yield "duration_s", f"{requested.duration:g}"
    yield "block_bytes", f"{requested.blksize:.0f}"
    yield from _options(report)
    yield "bytes_received", f"{received.bytes:.0f}"
    if end.sum_sent is not None:
        yield "bytes_sent", f"{end.sum_sent.bytes:.0f}"
    for name in ("sender_tcp_congestion", "receiver_tcp_congestion"):
        if value := getattr(end, name):
            yield name, str(value)[:40]
    if (cpu := end.cpu_utilization_percent) is not None:
        own, other = ("server", "client") if report.start.is_of_server else ("client", "server")
        for name, printed in (
            (f"cpu_{own}_percent", cpu.host_total),
            (f"cpu_{other}_percent", cpu.remote_total),
        ):
            if (share := usable(printed)) is not None:
                yield name, f"{share:.1f}"


def _notices(report: Report, received: Sum, quality: Mapping[str, float]) -> Iterator[Notice]:
    requested, end, version = report.start.test_start, report.end, report.start.version
    if requested.num_streams > 1 and (number := _number(version)) is not None and number < THREADED:
        yield Notice(
            "one thread",
            f"{version} runs all {requested.num_streams} streams on one thread, so one core limits them",
            "compare with fewer streams, or use 3.16 or later, which has a thread for each",
        )
    if (idle := sum(stream.is_idle for stream in end.streams)) > 0:
        yield Notice(
            "connections",
            f"{idle} of {requested.num_streams} streams carried nothing: the throughput is of the others",
            "repeat the run",
        )
    if received.bytes < FEW_MEGABYTES * MEGABYTE:
        megabytes = received.bytes / MEGABYTE
        yield Notice("little data", f"{megabytes:.2f} MB, so figures per MB are coarse", "measure for longer")
    if not is_udp(report):
        return
    lost = quality.get("lost_percent")
    if lost is not None and lost >= LOST_PERCENT:
        yield Notice(
            "datagrams lost",
            f"{lost:.1f} %",
            "the throughput is what arrived; offer less to find the rate without loss",
        )
    offered = requested.target_bitrate * requested.num_streams
    if end.sum_sent is not None and end.sum_sent.bits_per_second < 0.95 * offered:
        yield Notice(
            "offered rate not reached",
            f"{end.sum_sent.bits_per_second / 1000000.0:.0f} of {offered / 1000000.0:.0f} Mbit/s",
            "the client is the limit, offer less or give it more CPU",
        )
    if end.sum_received is None:
        yield Notice(
            "received bytes",
            f"{version} reports them for TCP only",
            "these are what was sent less what was lost",
        )


def _number(version: str) -> tuple[int, int] | None:
    """Major and minor of "iperf 3.12" or "iperf 3.0-RC5"; None for any other form."""
    major, _, rest = version.removeprefix("iperf").strip().partition(".")
    minor = rest[:2] if rest[:2].isdecimal() else rest[:1]
    return (int(major), int(minor)) if major.isdecimal() and minor.isdecimal() else None


PARSER = Parser(parse=parse, progress=progress)
