"""Read the counters and connections of a path around and inside a window, for the evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from backend.core.errors import HostCommandFailed
from backend.core.sample.observation import Addresses, Observation
from backend.core.topology.model import Device, Link, Namespace, Process, Relay
from worker.host.commands import in_namespace, run
from worker.sample.counters import (
    difference,
    parse_dnat,
    parse_esp,
    read_devices,
    read_tcp_counters,
)
from worker.sample.probe_targets import ProbeTargets
from worker.sample.sockets import Connection, connections_at, descendants, inodes_of, owned, unix_connections
from worker.sample.vxlan import VxlanReading, read_vxlan

Devices = Mapping[str, tuple[int, int]]
Ends = frozenset[tuple[str, int, int]]
"""Connections by the address at their other end and the ports at both ends."""
ENOUGH_SAMPLES = 3
"""Samples after which a smaller number of connections than expected means short-lived ones."""
COMMAND_LIMIT_S = 10.0


@dataclass(frozen=True)
class SocketSnapshot:
    """The open sockets at one time: of server and relays, and of the reverse proxy to its upstream."""

    peers: Ends = frozenset()
    reverse_proxy: Ends = frozenset()
    relays: Mapping[Relay, frozenset[int]] = field(default_factory=dict)
    unix: frozenset[int] | None = None

    def joined(self, later: SocketSnapshot) -> SocketSnapshot:
        """The sockets that were open at either time."""
        kinds = {*self.relays, *later.relays}
        none: frozenset[int] = frozenset()
        return SocketSnapshot(
            peers=self.peers | later.peers,
            reverse_proxy=self.reverse_proxy | later.reverse_proxy,
            relays={kind: self.relays.get(kind, none) | later.relays.get(kind, none) for kind in kinds},
            unix=None if self.unix is later.unix is None else (self.unix or none) | (later.unix or none),
        )


@dataclass(frozen=True)
class ProbeReading:
    """Counters of the path's namespaces at one time. None: missing or not readable.

    `server` is None where the server runs in the engine's namespace and is counted there.
    """

    engine: Devices
    server: Devices | None
    overlay: VxlanReading | None
    esp: int | None
    dnat: int | None
    tcp: dict[str, int]
    sockets: SocketSnapshot


@dataclass(frozen=True)
class ConnectionSample:
    """The connections that were seen inside the window, in one sample or several."""

    namespace: Namespace | None = None
    client: Process | None = None
    server: Process | None = None
    destinations: Ends = frozenset()
    sockets: SocketSnapshot = field(default_factory=SocketSnapshot)
    samples: int = 0

    def joined(self, later: ConnectionSample) -> ConnectionSample:
        """Both together: each sample contains other short-lived connections."""
        return ConnectionSample(
            namespace=later.namespace or self.namespace,
            client=later.client or self.client,
            server=later.server or self.server,
            destinations=self.destinations | later.destinations,
            sockets=self.sockets.joined(later.sockets),
            samples=self.samples + later.samples,
        )

    def complete(self, connections: int) -> bool:
        """Whether no further sample is needed: all were seen, or some and the others are short-lived."""
        here = self.sockets
        seen = len(here.unix or ()) or min(len(here.peers), len(self.destinations))
        return seen >= connections or (seen > 0 and self.samples >= ENOUGH_SAMPLES)


@dataclass(frozen=True)
class PathProbe:
    """Reads the path of one trial.

    `relays` are the processes of every running relay by kind; of the kind of the path's own reverse proxy
    only its processes. `reverse_proxy` are its processes, `link` is the result of `link_of_server`.
    """

    targets: ProbeTargets
    relays: Mapping[Relay, Sequence[int]] = field(default_factory=dict)
    reverse_proxy: Sequence[int] = ()
    link: Link | None = None

    def read(self) -> ProbeReading:
        """Read all counters, and the connections that are already open."""
        targets = self.targets
        return ProbeReading(
            engine=read_devices(targets.engine_pid),
            server=None if targets.server_in_engine else read_devices(targets.server_pid),
            overlay=read_vxlan(targets.overlay_netns),
            esp=None if targets.overlay_netns is None else self._esp(),
            dnat=self._dnat(),
            tcp=self._tcp(),
            sockets=self._sockets(),
        )

    def sample(self, client_pid: int) -> ConnectionSample:
        """Read the client and all connections now; the client is `client_pid` and its descendants."""
        return ConnectionSample(
            namespace=self.targets.namespace(client_pid),
            client=self.targets.process(client_pid),
            server=self.targets.process(self.targets.server_pid),
            destinations=destinations_of(client_pid),
            sockets=self._sockets(),
            samples=1,
        )

    def server_sample(self) -> ConnectionSample:
        """Read the connections of this host alone, where the client is on another one."""
        return ConnectionSample(
            server=self.targets.process(self.targets.server_pid), sockets=self._sockets(), samples=1
        )

    def observation(
        self,
        before: ProbeReading,
        after: ProbeReading,
        sample: ConnectionSample,
        *,
        addresses: Addresses,
        relay_cpu: Mapping[Relay, int],
        connections: int,
        operations: int,
        seconds: float,
        short_lived: bool = False,
    ) -> Observation:
        """The observation of one window, which the evidence is judged by; `relay_cpu` in nanoseconds."""
        earlier = before.sockets
        now = sample.sockets
        unix = None if now.unix is None else len(now.unix - (earlier.unix or frozenset()) or now.unix)
        return Observation(
            namespace=sample.namespace,
            client=sample.client,
            server=sample.server,
            link=self.link,
            bytes=self._bytes(before, after),
            addresses=addresses,
            peers=_counted(now.peers, earlier.peers),
            destinations=_counted(sample.destinations, frozenset()),
            socket_connections=unix,
            dnat_connections=difference(before.dnat, after.dnat),
            relays=dict(relay_cpu),
            relay_sockets={
                relay: len(inodes - earlier.relays.get(relay, frozenset()))
                for relay, inodes in now.relays.items()
            },
            connections=connections,
            operations=operations,
            window_seconds=seconds,
            reverse_proxy_destinations=_counted(now.reverse_proxy, earlier.reverse_proxy),
            short_lived=short_lived,
            vxlan_packets=_packets(before.overlay, after.overlay),
        )

    def _sockets(self) -> SocketSnapshot:
        targets = self.targets
        at_server = connections_at(targets.server_pid)
        unix = targets.socket
        return SocketSnapshot(
            peers=_ends(c for c in at_server if c.local_port == targets.port and not c.listens),
            reverse_proxy=_ends(owned(self.reverse_proxy, _to_upstream)),
            relays={relay: inodes_of(descendants(pids)) for relay, pids in self.relays.items() if pids},
            unix=None
            if unix is None
            else unix_connections((targets.server_pid, targets.engine_pid), str(unix)),
        )

    def _dnat(self) -> int | None:
        """Connections rewritten for the published port; 0 where no port is published."""
        if not self.targets.published:
            return 0
        rules = self._output(self.targets.engine_netns, "iptables-save", "-c", "-t", "nat")
        return None if rules is None else parse_dnat(rules, self.targets.published)

    def _esp(self) -> int | None:
        states = self._output(self.targets.engine_netns, "ip", "-s", "xfrm", "state")
        return None if states is None else parse_esp(states)

    @staticmethod
    def _output(netns: str, *argv: str) -> str | None:
        try:
            return run(in_namespace(netns, argv), timeout_s=COMMAND_LIMIT_S)
        except HostCommandFailed:
            return None

    def _tcp(self) -> dict[str, int]:
        """Retransmits, timeouts and overflows where the server, the engine and the other host are."""
        targets = self.targets
        total: Counter[str] = Counter(read_tcp_counters(targets.engine_pid))
        if not targets.server_in_engine:
            total.update(read_tcp_counters(targets.server_pid))
        if targets.remote_pid is not None:
            total.update(read_tcp_counters(targets.remote_pid))
        return dict(total)

    def _bytes(self, before: ProbeReading, after: ProbeReading) -> dict[Device, int]:
        """Bytes that each device carried; missing devices are left out."""
        targets = self.targets
        found = {Device.ENGINE_LOOPBACK: _sent(before.engine, after.engine, "lo")}
        for device, name in (
            (Device.USER_BRIDGE, targets.user_bridge),
            (Device.DEFAULT_BRIDGE, targets.default_bridge),
            (Device.WIRE, targets.lan),
        ):
            if name in after.engine:
                found[device] = _both(before.engine, after.engine, name)
        if before.server is not None and after.server is not None:
            found[Device.SERVER_LOOPBACK] = _sent(before.server, after.server, "lo")
            # The sum: on an overlay a container has a second device, which carries nothing.
            found[Device.SERVER_LINK] = sum(
                _both(before.server, after.server, name) for name in after.server if name != "lo"
            )
        if before.overlay is not None and after.overlay is not None:
            found[Device.VXLAN] = after.overlay.bytes - before.overlay.bytes
        if (encrypted := difference(before.esp, after.esp)) is not None and encrypted:
            found[Device.ESP] = encrypted
        return found


def destinations_of(client_pid: int) -> Ends:
    """The connections of a client, which is a process and its descendants."""
    return _ends(owned([client_pid], _connected))


def _ends(connections: Iterable[Connection]) -> Ends:
    return frozenset((c.peer, c.peer_port, c.local_port) for c in connections)


def _connected(own: list[Connection]) -> list[Connection]:
    return [c for c in own if not c.listens]


def _to_upstream(own: list[Connection]) -> list[Connection]:
    """Connections to the upstream: the sockets without those accepted on the ports that it listens on."""
    listening = {c.local_port for c in own if c.listens}
    return [c for c in own if c.local_port not in listening]


def _counted(seen: Ends, earlier: Ends) -> dict[str, int]:
    """Connections by address: those opened since the window began, or all where none is new.

    A reverse proxy may keep its connections from the warm-up; those of another path may still be open.
    """
    return dict(Counter(address for address, _, _ in seen - earlier or seen))


def _packets(before: VxlanReading | None, after: VxlanReading | None) -> int | None:
    return None if before is None or after is None else after.packets - before.packets


def _sent(before: Devices, after: Devices, name: str) -> int:
    """Bytes sent: on a loopback every byte is counted as sent and as received."""
    return after.get(name, (0, 0))[1] - before.get(name, (0, 0))[1]


def _both(before: Devices, after: Devices, name: str) -> int:
    return sum(after.get(name, (0, 0))) - sum(before.get(name, (0, 0)))
