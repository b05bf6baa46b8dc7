"""What the VXLAN device of an overlay network has carried, read in the overlay's network namespace."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from backend.core.errors import HostCommandFailed
from worker.host.commands import in_namespace, run
from worker.sample.counters import parse_device_counts

LIMIT_S: Final = 10.0


@dataclass(frozen=True)
class VxlanReading:
    """Bytes and packets so far, received and sent."""

    bytes: int
    packets: int


def read_vxlan(netns: Path | None) -> VxlanReading | None:
    """The reading in an overlay's namespace; None where it cannot be read, or there is none."""
    if netns is None:
        return None
    try:
        return parse_vxlan(run(in_namespace(netns, ["cat", "/proc/net/dev"]), timeout_s=LIMIT_S))
    except HostCommandFailed:
        return None


def parse_vxlan(text: str) -> VxlanReading:
    """/proc/net/dev: the sum over the devices vxlan0, vxlan1 …"""
    counts = [each for name, each in parse_device_counts(text).items() if name.startswith("vxlan")]
    return VxlanReading(
        bytes=sum(each[0] + each[8] for each in counts), packets=sum(each[1] + each[9] for each in counts)
    )
