"""The link between two hosts as each of them sees it, and where a client of the other host runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from backend.core.errors import HostCommandFailed, TrialFailed
from backend.core.sample.record import LinkEnd
from backend.core.topology.link_address import is_link_address
from worker.engine.protocol import Container
from worker.host.environment import trial_environment
from worker.sample.cgroup import ClientGroup, Hierarchy
from worker.sample.route import Route, link_end, route_to
from worker.sample.vxlan import VxlanReading, read_vxlan
from worker.topology.engine_pool import EngineHandle

CLIENT_NAME: Final = "plimsoll-client-host"
OVERLAY_CLIENT: Final = "plimsoll-client-overlay"


@dataclass(frozen=True)
class HostLink:
    """This host's end of the link to another host, and that host's address."""

    end: LinkEnd
    peer: str


@dataclass(frozen=True)
class ClientPlace:
    """A client's container on this host's own network or on an overlay of both hosts, and its CPU meter.

    `overlay_netns` is the network namespace of that overlay.
    """

    handle: EngineHandle
    container: Container
    group: ClientGroup
    hierarchy: Hierarchy
    tools: Mapping[str, str]
    overlay_netns: Path | None = None

    def vxlan(self) -> VxlanReading | None:
        """What the overlay's VXLAN device has carried; None without one."""
        return read_vxlan(self.overlay_netns)

    def route_to(self, address: str) -> Route:
        """The route to the server's host. Raises TrialFailed where there is none, or it is this host."""
        try:
            route = route_to(self.handle.netns, address)
        except HostCommandFailed as error:
            raise TrialFailed("no_route", f"there is no route to the server at {address}: {error}") from error
        if route.local:
            raise TrialFailed("no_route", f"the server's address {address} is one of the client host's own")
        return route

    def versions(self) -> dict[str, str]:
        """Versions of kernel, daemon, image and tools."""
        return dict(self.handle.versions) | trial_environment() | dict(self.tools)


def link_to(handle: EngineHandle, addresses: Sequence[str]) -> HostLink:
    """This host's end of the link to a host with these addresses, of which the first with a route is used.

    Raises TrialFailed where there is none.
    """
    why = "it reported none"
    for address in filter(is_link_address, addresses):
        try:
            route = route_to(handle.netns, address)
        except HostCommandFailed as error:
            why = str(error)
            continue
        if not route.local:
            return HostLink(link_end(handle.pid, route), address)
        why = f"{address} is an address of this host too"
    given = ", ".join(addresses) or "none"
    raise TrialFailed("no_route", f"no route leads to an address of the client host ({given}): {why}")
