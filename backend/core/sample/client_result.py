"""What a client host reports of the measured window, and how it becomes part of the trial's record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.core.sample.record import (
    Command,
    CpuByRole,
    CpuPoint,
    LinkEnd,
    OutsideReadings,
    Part,
    ProcessCpu,
)
from backend.core.topology.model import Namespace, Process


class ClientReady(Part):
    """The client host before the load: its end of the link, and the versions of its kernel and programs.

    `waited_seconds` and `not_quiet` are of its quiet gate, as in TrialQuality.
    """

    link: LinkEnd
    versions: dict[str, str]
    waited_seconds: float = 0.0
    not_quiet: tuple[str, ...] = ()


class ClientResult(Part):
    """The client's side of one window, on the client host's own clocks and counters.

    `destinations` are the connections of the client's sockets: address, port, and local port. `link_bytes`
    and `loopback_bytes` were carried by its device to the server and by its loopback; None: not readable.
    `tcp` are counters of its network namespace, `client_thread` the share of the busiest client thread.
    `vxlan_bytes` and `vxlan_packets` passed the VXLAN device of an overlay of both hosts.
    """

    seconds: float
    commands: tuple[Command, ...]
    cpu: CpuByRole
    processes: tuple[ProcessCpu, ...]
    switches: int
    host_switches: int
    cpu_series: tuple[CpuPoint, ...]
    tcp: dict[str, int]
    namespace: Namespace | None
    process: Process | None
    destinations: tuple[tuple[str, int, int], ...]
    link_bytes: int | None
    loopback_bytes: int | None
    readings: OutsideReadings
    invalid: tuple[str, ...] = ()
    client_thread: float | None = None
    observers_cpu_ns: int = 0
    vxlan_bytes: int | None = None
    vxlan_packets: int | None = None


def both_readings(server: OutsideReadings, client: OutsideReadings) -> OutsideReadings:
    """What disturbed a trial on two hosts: of each reading the worse one, so that either contaminates it."""
    return server.model_copy(
        update={
            "other_cores": _worse(server.other_cores, client.other_cores),
            "steal": _worse(server.steal, client.steal),
            "frequency_change": _worse(server.frequency_change, client.frequency_change),
            "throttles": None if (most := _worse(server.throttles, client.throttles)) is None else int(most),
        }
    )


def both_series(server: Sequence[CpuPoint], client: Sequence[CpuPoint]) -> tuple[CpuPoint, ...]:
    """The server's host's points, each with the client's cores of the latest point of the client's window.

    The two windows begin within `excess_seconds` of each other.
    """
    found = []
    for point in server:
        before = [other for other in client if other.t <= point.t]
        cores = dict(point.cores) | ({"client": before[-1].cores.get("client", 0.0)} if before else {})
        found.append(point.model_copy(update={"cores": cores}))
    return tuple(found)


def link_facts(server: LinkEnd, client: LinkEnd) -> dict[str, str]:
    """MTU and speed of both ends, by name, as stored with a trial's facts."""
    found: dict[str, str] = {}
    for host, end in (("server host", server), ("client host", client)):
        found |= _named(f"{host} {end.device}", {"mtu": end.mtu, "speed": end.speed_mbit})
    return found


def _named(device: str, values: Mapping[str, int | None]) -> dict[str, str]:
    units = {"speed": " Mbit/s"}
    return {
        f"{name} {device}": "unknown" if value is None else f"{value}{units.get(name, '')}"
        for name, value in values.items()
    }


def _worse(one: float | None, other: float | None) -> float | None:
    """The reading that is further from zero."""
    known = [value for value in (one, other) if value is not None]
    return max(known, key=abs, default=None)
