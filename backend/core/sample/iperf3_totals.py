"""The totals of a run of iperf3: what arrived, loss and jitter of UDP, retransmits of TCP.

A total that cannot be true beside the others is left out, or refuses the report where it is the throughput.
"""

from __future__ import annotations

from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.identities import too_few_packets, too_many_retransmits
from backend.core.sample.iperf3_report import LARGEST, Report, Sum, usable

MEGABYTE: Final = 1e6
RATE_SHARE: Final = 0.2
"""By how much a rate may differ from bytes over seconds."""
ON_ITS_WAY: Final = 64 * MEGABYTE
"""What buffers and a link hold at the most."""
LOSS_POINTS: Final = 0.1
LOSS_SHARE: Final = 0.1
"""By how much a loss may differ from lost packets over packets: the last ones of a run are counted apart."""
SHORT_S: Final = 0.1
"""A time shorter than this has no rate: an interval is then the rest at the end of a run."""


def is_udp(report: Report) -> bool:
    """Whether it is of UDP."""
    return report.start.test_start.protocol == "UDP"


def received_total(report: Report) -> Sum:
    """The received total. For UDP before 3.12 it follows from sent and lost packets."""
    end = report.end
    if report.start.test_start.bidir or end.is_both_ways:
        raise Unparseable("iperf3 sent both ways at once (--bidir): there is no one throughput")
    if end.sum_received is not None:
        return end.sum_received
    if not is_udp(report) or end.sum is None:
        raise Unparseable("iperf3: end.sum_received: Field required")
    packets, lost = usable(end.sum.packets), usable(end.sum.lost_packets)
    if not packets or lost is None:
        raise Unparseable("iperf3: end.sum.packets: Field required")
    if lost > packets:
        raise Unparseable(f"iperf3 reported {lost:.0f} lost packets of {packets:.0f} sent")
    if few := too_few_packets(end.sum.bytes, packets, report.start.test_start.blksize):
        raise Unparseable(f"iperf3 reported what cannot be: {few}")
    arrived = 1 - lost / packets
    scaled = {"bytes": end.sum.bytes * arrived, "bits_per_second": end.sum.bits_per_second * arrived}
    return end.sum.model_copy(update=scaled)


def refuse_contradiction_of(received: Sum, sent: Sum | None) -> None:
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


def quality_of(report: Report, received: Sum) -> tuple[dict[str, float], list[str]]:
    """Loss and jitter of UDP, retransmits of TCP where the sender's system counts them (-1 where not).

    And the figures among them that cannot be, which are left out.
    """
    sent, both = report.end.sum_sent, report.end.sum
    if is_udp(report):
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
    size = report.start.test_start.blksize
    if (against := _against_packets(received, found.get("lost_percent"), size)) is not None:
        odd.append(against)
        del found["lost_percent"]
    again = found.get("retransmits")
    if again is not None and sent is not None and (many := too_many_retransmits(again, sent.bytes)):
        odd.append(many)
        del found["retransmits"]
    return {name: value for name, value in found.items() if value is not None}, list(dict.fromkeys(odd))


def _against_packets(received: Sum, percent: float | None, size: float) -> str | None:
    """What contradicts a loss: the receiver's own packets. 3.12 to 3.15 divide by those that were sent."""
    lost, packets = usable(received.lost_packets), usable(received.packets)
    if percent is None or lost is None or not packets:
        return None
    if lost > packets:
        return f"lost_percent is {percent:g}, but {lost:.0f} of {packets:.0f} packets are more than all"
    if few := too_few_packets(received.bytes, packets, size):
        return f"lost_percent is {percent:g}, but {few}"
    share = 100 * lost / packets
    if abs(share - percent) <= max(LOSS_POINTS, LOSS_SHARE * share):
        return None
    return f"lost_percent is {percent:g}, but {lost:.0f} of {packets:.0f} packets are {share:.2f} %"


def _shown(printed: object) -> str:
    return "no number" if printed is None else str(printed)[:40]
