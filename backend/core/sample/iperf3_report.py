"""The report of iperf3 -J, as far as it is read; fields of other versions are ignored.

Sources: iperf_api.c (iperf_print_intermediate, iperf_print_results) of 3.1 to 3.21.
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import FailFast, Field

from backend.core.sample.figures import Outside

LARGEST: Final = 1e18

Amount = Annotated[float, Field(ge=0, lt=LARGEST)]
Printed = object
"""A figure that is not needed, whatever is printed for it: `_usable` says whether it can be one."""


def usable(printed: Printed, most: float = LARGEST) -> float | None:
    """A printed figure, None where it cannot be one: null (cJSON's NaN), negative, or above `most`."""
    if isinstance(printed, bool) or not isinstance(printed, float | int):
        return None
    return float(printed) if 0 <= printed <= most else None


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
    omit: Amount = 0
    bytes: Amount = 0
    blocks: Amount = 0
    tos: Amount = 0
    fqrate: Amount = 0


class Start(Outside):
    """The head of the report. `tcp_mss` is printed with -M only."""

    version: Annotated[str, Field(max_length=100)]
    test_start: Iperf3Request
    tcp_mss: Amount = 0
    sock_bufsize: Amount = 0
    accepted_connection: Printed = None

    @property
    def is_of_server(self) -> bool:
        """Whether `iperf3 -s -J` printed it: a client has connecting_to in its place."""
        return self.accepted_connection is not None


class Sum(Outside):
    """All streams over the run. Figures without a default are needed."""

    seconds: Amount
    bytes: Amount
    bits_per_second: Amount
    retransmits: Printed = None
    jitter_ms: Printed = None
    lost_packets: Printed = None
    packets: Printed = None
    lost_percent: Printed = None


class Second(Outside):
    """All streams over one interval."""

    end: Printed = None
    seconds: Printed = None
    bits_per_second: Printed = None
    jitter_ms: Printed = None
    lost_percent: Printed = None
    omitted: bool = False

    def odd(self) -> bool:
        """Whether one of its figures is printed and can be none."""
        printed = self.model_fields_set - {"omitted"}
        return any(
            usable(getattr(self, name), 100.0 if name == "lost_percent" else LARGEST) is None
            for name in printed
        )


class Interval(Outside):
    """One second."""

    sum: Second


class Cpu(Outside):
    """CPU of the two iperf3 processes in per cent of one core, by their own getrusage."""

    host_total: Printed = None
    remote_total: Printed = None


class Direction(Outside):
    """Whether a stream's totals are of what the client sent; not printed before 3.7."""

    sender: Printed = None
    bytes: Printed = None


class Stream(Outside):
    """The totals of one stream, of TCP or of UDP."""

    sender: Direction | None = None
    receiver: Direction | None = None
    udp: Direction | None = None

    @property
    def is_idle(self) -> bool:
        """Whether it carried nothing, as both of its ends say."""
        totals = [total for total in (self.sender, self.receiver, self.udp) if total is not None]
        return bool(totals) and all(total.bytes == 0 for total in totals)

    @property
    def is_sent(self) -> bool | None:
        """Whether the client sent it; None where that is not printed."""
        total = self.sender or self.udp
        return total.sender if total is not None and isinstance(total.sender, bool) else None


class End(Outside):
    """The totals. `sum` alone is what UDP before 3.12 had; with --bidir there are totals of both ways."""

    sum: Sum | None = None
    sum_sent: Sum | None = None
    sum_received: Sum | None = None
    sum_received_bidir_reverse: Sum | None = None
    streams: Annotated[list[Stream], FailFast()] = Field(default_factory=list)
    cpu_utilization_percent: Cpu | None = None
    sender_tcp_congestion: str | None = None
    receiver_tcp_congestion: str | None = None

    @property
    def is_both_ways(self) -> bool:
        """Whether streams were sent both ways: 3.7 to 3.9 print the totals of both under the same names."""
        ways = {stream.is_sent for stream in self.streams}
        return self.sum_received_bidir_reverse is not None or {True, False} <= ways


class Report(Outside):
    """The report of a successful run."""

    start: Start
    # Without FailFast each wrong item costs an error of its own: gigabytes for a hostile report.
    intervals: Annotated[list[Interval], FailFast()]
    end: End
