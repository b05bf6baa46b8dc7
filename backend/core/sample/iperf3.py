"""Parser of iperf3's JSON report (-J), in the forms of versions 3.7 to 3.21.

Sources: iperf_api.c (iperf_print_intermediate, iperf_print_results) of those versions, and captured output
under tests/fixtures/iperf3. iperf3 -J ends with code 0 even when it failed: `error` is then set.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

from pydantic import FailFast, Field

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT, Outside, bounded, document
from backend.core.sample.notice import Notice
from backend.core.sample.record import SecondPoint
from backend.core.sample.result import Parser, ToolResult

MAX_REPORT: Final = 16 * MAX_OUTPUT
"""About 420 characters a stream and second: 100 streams for six minutes."""
MEGABYTE: Final = 1e6
SHORT_S: Final = 0.1
"""An interval shorter than this is the rest at the end of a run; its rate is not used."""
THREADED: Final = (3, 16)
"""The first version with a thread for each stream."""
LOST_PERCENT: Final = 1.0
FEW_MEGABYTES: Final = 20
"""Rounding to whole megabytes is above 2.5 % below this."""

Amount = Annotated[float, Field(ge=0, lt=1e18)]


class Failure(Outside):
    """The part of the report with the error of a failed run."""

    error: str | None = None


class Iperf3Request(Outside):
    """The options of the test. `target_bitrate` is that of one stream; `bidir` came with 3.7."""

    protocol: str
    num_streams: Annotated[int, Field(ge=1, le=1000)]
    blksize: Amount = 0
    duration: Amount = 0
    reverse: int = 0
    bidir: int = 0
    target_bitrate: Amount = 0


class Start(Outside):
    """The head of the report."""

    version: Annotated[str, Field(max_length=100)]
    test_start: Iperf3Request


class Sum(Outside):
    """All streams over one interval or over the run. None: not in this version or protocol."""

    end: Amount
    seconds: Amount
    bytes: Amount
    bits_per_second: Amount
    retransmits: float | None = None
    jitter_ms: Amount | None = None
    lost_packets: Amount | None = None
    packets: Amount | None = None
    lost_percent: Annotated[float, Field(ge=0, le=100)] | None = None
    omitted: bool = False


class Interval(Outside):
    """One second."""

    sum: Sum


class Cpu(Outside):
    """CPU of the two iperf3 processes in per cent of one core, by their own getrusage."""

    host_total: float
    remote_total: float


class End(Outside):
    """The totals. `sum` alone is what UDP before 3.12 had; with --bidir there are totals of both ways."""

    sum: Sum | None = None
    sum_sent: Sum | None = None
    sum_received: Sum | None = None
    sum_received_bidir_reverse: Sum | None = None
    cpu_utilization_percent: Cpu | None = None
    sender_tcp_congestion: str | None = None
    receiver_tcp_congestion: str | None = None


class Report(Outside):
    """The report of a successful run."""

    start: Start
    # Without FailFast each wrong item costs an error of its own: gigabytes for a hostile report.
    intervals: Annotated[list[Interval], FailFast()]
    end: End


def parse(stdout: str, stderr: str) -> ToolResult:
    """The result of one run. Raises Unparseable with the reason unless the report is complete and successful.

    An operation is a megabyte that the receiver got. `per_second` is what the client saw: what it handed
    to its socket, or with -R what it received.
    """
    bounded("iperf3", MAX_REPORT, stdout, stderr)
    if not stdout.strip():
        raise Unparseable("iperf3 printed no report")
    if error := document("iperf3", Failure, stdout).error:
        raise Unparseable(f"iperf3 ended with the error: {error[:300]}")
    report = document("iperf3", Report, stdout)
    asked = report.start.test_start
    received = _received(report)
    megabytes = round(received.bytes / MEGABYTE)
    if megabytes < 1 or received.bits_per_second <= 0:
        raise Unparseable(f"iperf3's receiver got {received.bytes:.0f} bytes, less than one megabyte")
    if received.seconds < 0.9 * asked.duration:
        raise Unparseable(f"iperf3 ended early: {received.seconds:g} of {asked.duration:g} s")
    return ToolResult(
        tool="iperf3",
        version=report.start.version.removeprefix("iperf").strip(),
        operations=megabytes,
        failed=0,
        connections=asked.num_streams,
        latency_measured=False,
        metrics={"throughput_gbit_s": received.bits_per_second / 1e9, **_quality(report, received)},
        per_second=tuple(_per_second(report)),
        facts=dict(_facts(report, received)),
        notices=tuple(_notices(report, received)),
    )


def progress(stdout: str, stderr: str) -> list[SecondPoint]:
    """With -J iperf3 prints nothing while it runs."""
    return []


def _udp(report: Report) -> bool:
    return report.start.test_start.protocol == "UDP"


def _received(report: Report) -> Sum:
    """The received total. For UDP before 3.12 it follows from sent and lost packets."""
    end = report.end
    if report.start.test_start.bidir or end.sum_received_bidir_reverse is not None:
        raise Unparseable("iperf3 sent both ways at once (--bidir): there is no one throughput")
    if end.sum_received is not None:
        return end.sum_received
    if not _udp(report) or end.sum is None:
        raise Unparseable("iperf3: end.sum_received: Field required")
    if end.sum.packets is None or end.sum.lost_packets is None or end.sum.packets <= 0:
        raise Unparseable("iperf3: end.sum.packets: Field required")
    arrived = max(0.0, 1 - end.sum.lost_packets / end.sum.packets)
    scaled = {"bytes": end.sum.bytes * arrived, "bits_per_second": end.sum.bits_per_second * arrived}
    return end.sum.model_copy(update=scaled)


def _quality(report: Report, received: Sum) -> dict[str, float]:
    """Loss and jitter of UDP, retransmits of TCP where the sender's system counts them (-1 where not)."""
    found: dict[str, float | None] = {}
    if _udp(report):
        found = {"jitter_ms": received.jitter_ms, "lost_percent": received.lost_percent}
    elif report.end.sum_sent is not None:
        again = report.end.sum_sent.retransmits
        found = {"retransmits": again if again is not None and again >= 0 else None}
    return {name: value for name, value in found.items() if value is not None}


def _per_second(report: Report) -> Iterator[SecondPoint]:
    for interval in report.intervals:
        if not interval.sum.omitted and interval.sum.seconds >= SHORT_S:
            yield SecondPoint(
                t=interval.sum.end,
                rate=interval.sum.bits_per_second / 1e9,
                latency_ms=None,
                latency_stddev_ms=None,
            )


def _facts(report: Report, received: Sum) -> Iterator[tuple[str, str]]:
    asked, end = report.start.test_start, report.end
    yield "protocol", asked.protocol
    yield "streams", str(asked.num_streams)
    yield "reverse", "yes" if asked.reverse else "no"
    yield "block_bytes", f"{asked.blksize:.0f}"
    yield "bytes_received", f"{received.bytes:.0f}"
    if end.sum_sent is not None:
        yield "bytes_sent", f"{end.sum_sent.bytes:.0f}"
    for name in ("sender_tcp_congestion", "receiver_tcp_congestion"):
        if value := getattr(end, name):
            yield name, str(value)[:40]
    if end.cpu_utilization_percent is not None:
        yield "cpu_client_percent", f"{end.cpu_utilization_percent.host_total:.1f}"
        yield "cpu_server_percent", f"{end.cpu_utilization_percent.remote_total:.1f}"


def _notices(report: Report, received: Sum) -> Iterator[Notice]:
    asked, end, version = report.start.test_start, report.end, report.start.version
    if asked.num_streams > 1 and (number := _number(version)) is not None and number < THREADED:
        yield Notice(
            "one thread",
            f"{version} runs all {asked.num_streams} streams on one thread, so one core limits them",
            "compare with fewer streams, or use 3.16 or later, which has a thread for each",
        )
    if received.bytes < FEW_MEGABYTES * MEGABYTE:
        megabytes = received.bytes / MEGABYTE
        yield Notice("little data", f"{megabytes:.2f} MB, so figures per MB are coarse", "measure for longer")
    if not _udp(report):
        return
    if received.lost_percent is not None and received.lost_percent >= LOST_PERCENT:
        yield Notice(
            "datagrams lost",
            f"{received.lost_percent:.1f} %",
            "the throughput is what arrived; offer less to find the rate without loss",
        )
    offered = asked.target_bitrate * asked.num_streams
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
