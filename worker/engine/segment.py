"""The link between lab engines: a network namespace with a bridge and a veth to each engine's namespace.

Each engine's end of its veth is `lan0`, with the engine's host address. Two engines on the link are two hosts
on one Ethernet segment.
"""

from __future__ import annotations

import ipaddress
import logging
import threading

from worker.engine.names import HOST_LINK
from worker.host.commands import namespace_file, run
from worker.host.ledger import Entry, Ledger
from worker.host.reaper import remove_link, remove_namespace

log = logging.getLogger(__name__)

BRIDGE = "wire0"
PREFIX_LENGTH = 24
MTU = "1500"


class Segment:
    """The link of one installation. Every method may be called from several threads, and repeated.

    An engine leaves before its namespace is deleted: otherwise the other end stays for a moment, and a new
    device of that name is refused (as in moby's l3_segment_linux.go).
    """

    def __init__(self, install_id: str, ledger: Ledger) -> None:
        self.netns = f"plm{install_id}-wire"
        self._ledger = ledger
        self._lock = threading.RLock()
        self._addresses: dict[str, str] = {}
        self._made = False

    def start(self) -> None:
        """Create the namespace and its bridge where missing; replaces what an earlier worker left."""
        with self._lock:
            if not self._made:
                self._make()

    def is_lost(self) -> bool:
        """Whether another program has removed the link."""
        return self._made and not namespace_file(self.netns).exists()

    def repair(self) -> None:
        """Create the link again where another program has removed it, and join its members again."""
        with self._lock:
            if not self.is_lost():
                return
            log.warning("the link %s between the engines is gone; creating it again", self.netns)
            before, self._addresses = self._addresses, {}
            self._make()
            for netns, address in before.items():
                if namespace_file(netns).exists():
                    remove_link(netns, HOST_LINK)
                    self.join(netns, address)

    def _make(self) -> None:
        remove_namespace(self.netns)
        self._ledger.making(Entry("netns", self.netns))
        self._made = True
        run(["ip", "netns", "add", self.netns])
        self._ip("link", "set", "lo", "up")
        self._ip("link", "add", BRIDGE, "mtu", MTU, "type", "bridge")
        self._ip("link", "set", BRIDGE, "up")

    def join(self, netns: str, address: str) -> None:
        """Join a named namespace to the link: `lan0` with this address, /24; starts the link if needed."""
        port = _port(address)
        with self._lock:
            self.start()
            self.repair()
            if self._addresses.get(netns) == address:
                return
            self._leave(netns)
            remove_link(self.netns, port)  # of a namespace that was deleted a moment ago
            self._ledger.making(Entry("link", f"{self.netns}/{port}"))
            self._addresses[netns] = address
            # Both ends are created in their namespaces: neither appears among the host's own devices.
            ends = ("name", HOST_LINK, "address", link_address(address), "mtu", MTU, "netns", netns)
            self._ip("link", "add", port, "mtu", MTU, "type", "veth", "peer", *ends)
            self._ip("link", "set", port, "master", BRIDGE, "up")
        _ip(netns, "address", "add", f"{address}/{PREFIX_LENGTH}", "dev", HOST_LINK)
        _ip(netns, "link", "set", HOST_LINK, "up")

    def leave(self, netns: str) -> None:
        """Remove a namespace from the link; one that is not on it is no error."""
        with self._lock:
            self._leave(netns)

    def stop(self) -> None:
        """Remove every namespace from the link, and the link itself."""
        with self._lock:
            for netns in list(self._addresses):
                self._leave(netns)
            if self._made:
                remove_namespace(self.netns)
                self._ledger.gone(Entry("netns", self.netns))
                self._made = False

    def _leave(self, netns: str) -> None:
        if (address := self._addresses.pop(netns, None)) is not None:
            remove_link(self.netns, _port(address))
            self._ledger.gone(Entry("link", f"{self.netns}/{_port(address)}"))

    def _ip(self, *arguments: str) -> None:
        _ip(self.netns, *arguments)


def _port(address: str) -> str:
    """The name of the bridge's end for the namespace with this address."""
    return f"port{address.rpartition('.')[2]}"


def link_address(address: str) -> str:
    """The Ethernet address for an IPv4 address, locally administered.

    It never changes: neighbours cache it, and after a restart of an engine they would otherwise send to the
    old address for some ten seconds.
    """
    return ":".join(f"{octet:02x}" for octet in (0x02, 0x50, *ipaddress.IPv4Address(address).packed))


def _ip(netns: str, *arguments: str) -> None:
    run(["ip", "-n", netns, *arguments])
