"""Parser of iperf3's JSON report (-J), in the forms of versions 3.1 to 3.22.

Sources: iperf_api.c (iperf_print_intermediate, iperf_print_results) of those versions, and captured output
under tests/fixtures/iperf3. iperf3 -J ends with code 0 even when it failed: `error` is then set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT, document
from backend.core.sample.iperf3_document import report_in
from backend.core.sample.iperf3_report import LARGEST, Failure, Iperf3Request, Report, Sum, usable
from backend.core.sample.notice import Notice
from backend.core.sample.record import SecondPoint
from backend.core.sample.report_lines import QUOTED, Pasted, printed
from backend.core.sample.report_notices import left_out, said, warnings_in
from backend.core.sample.result import Parser, Setting, ToolResult

MAX_REPORT: Final = 16 * MAX_OUTPUT
"""About 420 characters a stream and second: 100 streams for six minutes."""
PASTED: Final = Pasted(("{",), prefix=QUOTED)
"""A document may be indented as it is."""
MEGABYTE: Final = 1e6
SHORT_S: Final = 0.1
"""An interval shorter than this is the rest at the end of a run; its rate is not used."""
THREADED: Final = (3, 16)
"""The first version with a thread for each stream."""
LOST_PERCENT: Final = 1.0
RATE_SHARE: Final = 0.2
"""By how much a rate may differ from bytes over seconds."""
ON_ITS_WAY: Final = 64 * MEGABYTE
"""What buffers and a link hold at the most."""
LOSS_POINTS: Final = 0.1
LOSS_SHARE: Final = 0.1
"""By how much a loss may differ from lost packets over packets: the last ones of a run are counted apart."""
FEW_MEGABYTES: Final = 20
"""Rounding to whole megabytes is above 2.5 % below this."""


def parse(stdout: str, stderr: str) -> ToolResult:
    """The result of one run. Raises Unparseable with the reason unless the report is complete and successful.

    An operation is a megabyte that the receiver got. `per_second` is what the client saw: what it handed
    to its socket, or with -R what it received.
    """
    stdout, stderr = printed("iperf3", MAX_REPORT, stdout, stderr, PASTED)
    text, around = report_in(stdout)
    if error := document("iperf3", Failure, text).error:
        raise Unparseable(f"iperf3 ended with the error: {error[:300]}")
    report = document("iperf3", Report, text)
    requested = report.start.test_start
    received = _received(report)
    megabytes = round(received.bytes / MEGABYTE)
    if megabytes < 1:
        raise Unparseable(f"iperf3's receiver got {received.bytes:.0f} bytes, less than one megabyte")
    if received.seconds < 0.9 * requested.duration:
        raise Unparseable(f"iperf3 ended early: {received.seconds:g} of {requested.duration:g} s")
    _refuse_contradiction(received, report.end.sum_sent)
    quality, unused = _quality(report, received)
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
            *said(warnings_in(around) + warnings_in(stderr)),
        ),
        settings=dict(_settings(requested)),
    )


def _refuse_contradiction(received: Sum, sent: Sum | None) -> None:
    """The rate is the bytes over the time; the time is that of the sender in some versions.

    What was received was sent, but for what was on its way at both ends of an omitted time.
    """
    rate, own = received.bits_per_second, 8 * received.bytes / max(received.seconds, SHORT_S)
    if abs(rate - own) > RATE_SHARE * own:
        raise Unparseable(
            f"iperf3 reported {rate:.0f} bits per second, but {received.bytes:.0f} bytes in "
            f"{received.seconds:.4f} s"
        )

    if sent is not None and 0 < (1 + RATE_SHARE) * sent.bytes < received.bytes - ON_ITS_WAY:
        raise Unparseable(f"iperf3 received {received.bytes:.0f} bytes of {sent.bytes:.0f} that were sent")


def progress(stdout: str, stderr: str) -> list[SecondPoint]:
    """With -J iperf3 prints nothing while it runs."""
    return []


def _udp(report: Report) -> bool:
    return report.start.test_start.protocol == "UDP"


def _received(report: Report) -> Sum:
    """The received total. For UDP before 3.12 it follows from sent and lost packets."""
    end = report.end
    if report.start.test_start.bidir or end.is_both_ways:
        raise Unparseable("iperf3 sent both ways at once (--bidir): there is no one throughput")
    if end.sum_received is not None:
        return end.sum_received
    if not _udp(report) or end.sum is None:
        raise Unparseable("iperf3: end.sum_received: Field required")
    packets, lost = usable(end.sum.packets), usable(end.sum.lost_packets)
    if not packets or lost is None:
        raise Unparseable("iperf3: end.sum.packets: Field required")
    if lost > packets:
        raise Unparseable(f"iperf3 reported {lost:.0f} lost packets of {packets:.0f} sent")
    arrived = 1 - lost / packets
    scaled = {"bytes": end.sum.bytes * arrived, "bits_per_second": end.sum.bits_per_second * arrived}
    return end.sum.model_copy(update=scaled)


def _quality(report: Report, received: Sum) -> tuple[dict[str, float], list[str]]:
    """Loss and jitter of UDP, retransmits of TCP where the sender's system counts them (-1 where not).

    And the figures among them that cannot be, which are left out.
    """
    sent, both = report.end.sum_sent, report.end.sum
    if _udp(report):
        bounds = {"jitter_ms": 1e3 * received.seconds, "lost_percent": 100.0}
        printed = {name: getattr(received, name) for name in bounds if name in received.model_fields_set}
        # end.sum holds the same as the client sees it; it is not used, but what is odd in it is said.
        odd = [
            f"{name} is {_shown(getattr(both, name))}"
            for name, most in bounds.items()
            if both is not None
            and name in both.model_fields_set
            and usable(getattr(both, name), most) is None
        ]
    else:
        counted = sent is not None and sent.retransmits not in (None, -1)
        bounds, odd = {"retransmits": LARGEST}, []
        printed = {"retransmits": sent.retransmits} if sent is not None and counted else {}
    found = {name: usable(value, bounds[name]) for name, value in printed.items()}
    odd += [f"{name} is {_shown(printed[name])}" for name, value in found.items() if value is None]
    if (against := _against_packets(received, found.get("lost_percent"))) is not None:
        odd.append(against)
        del found["lost_percent"]
    return {name: value for name, value in found.items() if value is not None}, list(dict.fromkeys(odd))


def _against_packets(received: Sum, percent: float | None) -> str | None:
    """What contradicts a loss: the receiver's own packets. 3.12 to 3.15 divide by those that were sent."""
    lost, packets = usable(received.lost_packets), usable(received.packets)
    if percent is None or lost is None or not packets or lost > packets:
        return None
    share = 100 * lost / packets
    if abs(share - percent) <= max(LOSS_POINTS, LOSS_SHARE * share):
        return None
    return f"lost_percent is {percent:g}, but {lost:.0f} of {packets:.0f} packets are {share:.2f} %"


def _shown(printed: object) -> str:
    return "no number" if printed is None else str(printed)[:40]


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
        ("rate_limit_mbit_s", 0 if _udp(report) else requested.target_bitrate / 1e6),
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
    if not _udp(report):
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
