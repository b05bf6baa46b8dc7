"""This host's end of an overlay between two hosts, from templates of this host alone (docs/decisions/0074).

It is what Docker's overlay driver makes on each node of a swarm: a network namespace with a bridge and a
VXLAN device, a veth to the container, and permanent entries for the one container at the other end. No daemon
takes part, and of the other side come only the VXLAN's number and the address of its host.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from backend.core.errors import HostCommandFailed, TrialFailed
from worker.engine.segment import link_address
from worker.host.commands import in_namespace, run
from worker.host.ledger import Entry, Ledger
from worker.host.reaper import NAMESPACES, remove_link, remove_namespace
from worker.sample.counters import namespace_of

FIRST_NUMBER: Final = 0xF00000
LAST_NUMBER: Final = 0xFFFFFF
"""Numbers of VXLANs between two hosts. A swarm counts from 4097 upwards (moby, libnetwork's ovmanager)."""
PORT: Final = 4789
MTU: Final = 1450
"""Docker's on overlays: 1500 less the 50 bytes of VXLAN's headers, whatever the link's MTU is."""
NO_VXLAN: Final = "no_vxlan"
BRIDGE, VXLAN, VETH, CONTAINER_DEVICE = "br0", "vxlan0", "veth0", "eth0"

NAME_SERVER_RULES: Final = """\
*nat
:DOCKER_OUTPUT - [0:0]
:DOCKER_POSTROUTING - [0:0]
-A OUTPUT -d 127.0.0.11/32 -j DOCKER_OUTPUT
-A POSTROUTING -d 127.0.0.11/32 -j DOCKER_POSTROUTING
-A DOCKER_OUTPUT -d 127.0.0.11/32 -p tcp -m tcp --dport 53 -j DNAT --to-destination 127.0.0.11:35053
-A DOCKER_OUTPUT -d 127.0.0.11/32 -p udp -m udp --dport 53 -j DNAT --to-destination 127.0.0.11:35053
-A DOCKER_POSTROUTING -s 127.0.0.11/32 -p tcp -m tcp --sport 35053 -j SNAT --to-source :53
-A DOCKER_POSTROUTING -s 127.0.0.11/32 -p udp -m udp --sport 35053 -j SNAT --to-source :53
COMMIT
"""
"""What Docker enters in the namespace of each container on a network of a user, for its name server (moby,
daemon/libnetwork/resolver_unix.go). No name is resolved here, but with them the kernel tracks connections."""


class End(StrEnum):
    """Which end of the overlay a host is; the addresses of both containers follow from it."""

    SERVER = "server"
    CLIENT = "client"

    @property
    def address(self) -> str:
        """The address of this end's container on the overlay."""
        return "198.19.255.2" if self is End.SERVER else "198.19.255.3"

    @property
    def hardware_address(self) -> str:
        """The Ethernet address of this end's container."""
        return link_address(self.address)

    @property
    def other(self) -> End:
        """The other end."""
        return End.CLIENT if self is End.SERVER else End.SERVER


@dataclass(frozen=True)
class Tunnel:
    """The VXLAN between two hosts: its number, and the addresses of this host and the other on their link."""

    number: int
    local: str
    remote: str


def new_number() -> int:
    """A number for a VXLAN that nobody else can know."""
    return FIRST_NUMBER + secrets.randbelow(LAST_NUMBER - FIRST_NUMBER + 1)


class OverlayEnd:
    """One end of one overlay at a time: `make`, then `attach` its container, then always `remove`."""

    def __init__(self, netns: str, ledger: Ledger) -> None:
        self.netns = netns
        self._ledger = ledger
        self._made = False

    @property
    def path(self) -> Path:
        """The file of the overlay's network namespace."""
        return NAMESPACES / self.netns

    def make(self, host: str | Path, tunnel: Tunnel, end: End) -> None:
        """Make namespace, bridge and VXLAN device, in place of an earlier one; nothing stays on failure.

        `host` is the network namespace that has the link to the other host. Raises TrialFailed.
        """
        self.remove()
        self._ledger.making(self._entry)
        self._made = True
        try:
            self._make(host, tunnel, end)
        except HostCommandFailed as error:
            self.remove()
            raise TrialFailed(
                NO_VXLAN,
                f"no VXLAN can be made on this host from {tunnel.local} to {tunnel.remote}: {error}; keep "
                f"UDP {PORT} free on this host",
            ) from error

    def _make(self, host: str | Path, tunnel: Tunnel, end: End) -> None:
        run(["ip", "netns", "add", self.netns])
        self._ip("link", "set", "lo", "up")
        self._ip("link", "add", BRIDGE, "type", "bridge")
        self._ip("link", "set", BRIDGE, "up")
        run(in_namespace(host, ["ip", "link", "add", VXLAN, "netns", self.netns, *vxlan_device(tunnel)]))
        self._ip("link", "set", VXLAN, "master", BRIDGE)
        self._admit(end.other, tunnel.remote)
        self._ip("link", "set", VXLAN, "up")

    def _admit(self, other: End, host: str) -> None:
        """Enter the container at the other end, as Docker's driver does, and let in nobody else's packets."""
        address = other.hardware_address
        self._ip("neighbour", "add", other.address, "lladdr", address, "dev", VXLAN, "nud", "permanent")
        # With `learning`, the kernel drops what comes from another host with this hardware address
        # (vxlan_snoop, drivers/net/vxlan/vxlan_core.c); the bridge's locked port drops every other one.
        self._bridge("fdb", "add", address, "dev", VXLAN, "dst", host, "self", "permanent")
        self._bridge("fdb", "add", address, "dev", VXLAN, "master", "static")
        self._bridge("link", "set", "dev", VXLAN, "learning", "off", "locked", "on")

    def attach(self, pid: int, end: End) -> None:
        """Give the container whose first process this is a device on the overlay. Raises TrialFailed."""
        if namespace_of(pid) in (None, namespace_of(1)):
            raise TrialFailed(NO_VXLAN, "the container for the overlay has ended")
        inside = f"/proc/{pid}/ns/net"
        peer = ("peer", "name", CONTAINER_DEVICE, "mtu", str(MTU), "address", end.hardware_address)
        try:
            self._ip("link", "add", VETH, "mtu", str(MTU), "type", "veth", *peer, "netns", str(pid))
            self._ip("link", "set", VETH, "master", BRIDGE, "up")
            run(in_namespace(inside, ["ip", "address", "add", f"{end.address}/24", "dev", CONTAINER_DEVICE]))
            run(in_namespace(inside, ["ip", "link", "set", CONTAINER_DEVICE, "up"]))
            run(in_namespace(inside, ["iptables-restore"]), stdin=NAME_SERVER_RULES)
        except HostCommandFailed as error:
            raise TrialFailed(NO_VXLAN, f"the container gets no device on the overlay: {error}") from error

    def remove(self) -> None:
        """Remove everything, the container's device too; repeatable."""
        # By itself a namespace's end removes them later, and the number would stay taken until then.
        for device in (VETH, VXLAN):
            remove_link(self.netns, device)
        remove_namespace(self.netns)
        if self._made:
            self._ledger.gone(self._entry)
            self._made = False

    @property
    def _entry(self) -> Entry:
        return Entry("netns", self.netns)

    def _ip(self, *arguments: str) -> None:
        run(["ip", "-n", self.netns, *arguments])

    def _bridge(self, *arguments: str) -> None:
        run(["bridge", "-n", self.netns, *arguments])


def vxlan_device(tunnel: Tunnel) -> list[str]:
    """The arguments of `ip link add` for the VXLAN device: Docker's own settings, and this host's address.

    One entry, that of the other end, is all that it may know: what it could learn has no room (`maxaddress`).
    """
    own = ("id", str(tunnel.number), "local", tunnel.local, "dstport", str(PORT))
    return ["mtu", str(MTU), "type", "vxlan", *own, *DOCKERS]


DOCKERS: Final = ("proxy", "l2miss", "l3miss", "learning", "maxaddress", "1")
"""moby, daemon/libnetwork/drivers/overlay/ov_utils.go (createVxlan), except `maxaddress`."""
