"""iperf3's command lines; the parser of its output is `core.sample.iperf3`."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.definition.catalog import FITS
from backend.core.definition.factors import FACTORS, Level
from backend.core.workload.target import Target
from backend.core.workload.tool import Tool

MOST_STREAMS = 128
"""MAX_STREAMS of iperf.h."""
MOST_STREAM_SECONDS = 30_000
"""-J prints about 420 bytes for each stream and second (3.12): this many stay below the parser's limit."""
DATAGRAM = 1350
"""UDP payload in bytes. By default iperf3 uses the TCP segment size of the path, 32 kB on a loopback and
1448 B over a bridge, so that paths would be compared by datagrams of different size. This one fits an
encrypted overlay with IPv6 without fragments."""
LEAST_MEGABYTES = 1


def run(levels: Mapping[str, Level], target: Target, seconds: int) -> tuple[str, ...]:
    """The client's command for so many seconds; `-b` is the rate of one stream, in bits per second."""
    streams = int(levels["clients"])
    udp = ("-u", "-b", str(_udp_bits(levels) // streams), "-l", str(DATAGRAM)) if _is_udp(levels) else ()
    return (
        "iperf3",
        *("-c", target.address),
        *("-p", str(target.port)),
        *("-t", str(seconds)),
        *("-P", str(streams)),
        *("-i", "1"),
        *("-O", "0"),
        "-J",
        *(("-R",) if levels.get("reverse", FACTORS["reverse"].default) else ()),
        *udp,
    )


def connections(levels: Mapping[str, Level]) -> int:
    """The number of data connections, one for each stream, without the TCP control connection."""
    return int(levels["clients"])


def refuse(levels: Mapping[str, Level]) -> str | None:
    """The reason to refuse: limits of iperf3 and of its report, or less than a megabyte in the window."""
    streams, seconds = int(levels["clients"]), int(levels.get("duration_s", 1))
    if streams > MOST_STREAMS:
        return f"clients: iperf3 runs at most {MOST_STREAMS} streams; set clients to {MOST_STREAMS} or fewer"
    if streams * seconds > MOST_STREAM_SECONDS:
        return (
            f"duration_s: iperf3 would report {streams} streams for each of {seconds} seconds, too much to "
            f"parse; set duration_s to at most {MOST_STREAM_SECONDS // streams} or fewer clients"
        )
    if _is_udp(levels) and _udp_bits(levels) * seconds < LEAST_MEGABYTES * 8e6:
        return (
            f"udp_mbit_s: less than {LEAST_MEGABYTES} MB would be offered in {seconds} s; "
            f"set udp_mbit_s to {-(-LEAST_MEGABYTES * 8 // seconds)} or more"
        )
    return None


def _is_udp(levels: Mapping[str, Level]) -> bool:
    return levels.get("transport", FACTORS["transport"].default) == "udp"


def _udp_bits(levels: Mapping[str, Level]) -> int:
    return int(levels.get("udp_mbit_s", FACTORS["udp_mbit_s"].default)) * 1_000_000


TOOL = Tool(
    name="iperf3",
    services=FITS["iperf3"],
    run=run,
    connections=connections,
    refuse=refuse,
    needs_tcp=True,
)
