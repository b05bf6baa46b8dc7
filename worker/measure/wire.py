"""Reading the wire around and inside a window: the raw material of the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from backend.core.sample.observation import Addresses, Bytes, Observation
from backend.core.topology.model import Namespace
from worker.host.commands import HostCommandFailed, in_namespace, run
from worker.measure.counters import namespace_of, parse_dnat, read_devices, read_peers, read_tcp_counters
from worker.measure.process_clock import sockets_of

Devices = Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class WirePoint:
    """Counters of the namespaces that matter, at one instant."""

    engine: Devices
    server: Devices
    dnat: int | None
    tcp: dict[str, int]


@dataclass
class Probe:
    """What is looked at once in the middle of the window, when all connections stand."""

    namespace: Namespace | None = None
    peers: dict[str, int] = field(default_factory=dict)
    proxy_sockets: int | None = None


@dataclass(frozen=True)
class Wire:
    """Where to look: the engine's and the server's processes, and what is published."""

    netns: str
    engine_pid: int
    server_pid: int
    bridge: str
    port: int
    proxies: tuple[int, ...]

    def read(self) -> WirePoint:
        """Read all counters now."""
        server_tcp = read_tcp_counters(self.server_pid)
        engine_tcp = read_tcp_counters(self.engine_pid)
        return WirePoint(
            engine=read_devices(self.engine_pid),
            server=read_devices(self.server_pid),
            dnat=self._dnat(),
            tcp={name: server_tcp[name] + engine_tcp.get(name, 0) for name in server_tcp},
        )

    def _dnat(self) -> int | None:
        try:
            rules = run(in_namespace(self.netns, ["iptables-save", "-c", "-t", "nat"]), timeout_s=10.0)
        except HostCommandFailed:
            return None
        return parse_dnat(rules, self.port)

    def probe(self, client_pid: int, idle_sockets: int) -> Probe:
        """Look at namespace, peers and the proxy's sockets now."""
        identity = namespace_of(client_pid)
        known = {
            namespace_of(self.engine_pid): Namespace.ENGINE,
            namespace_of(self.server_pid): Namespace.SERVER,  # wins where server and engine share one
        }
        return Probe(
            namespace=None if identity is None else known.get(identity, Namespace.OWN),
            peers=dict(read_peers(self.server_pid, self.port)),
            proxy_sockets=sockets_of(self.proxies) - idle_sockets if self.proxies else None,
        )

    def observation(
        self,
        before: WirePoint,
        after: WirePoint,
        probe: Probe,
        *,
        addresses: Addresses,
        proxy_cpu_ns: int,
        clients: int,
        transactions: int,
        seconds: float,
    ) -> Observation:
        """Everything seen in one window, as the evidence takes it."""
        dnat = None if before.dnat is None or after.dnat is None else after.dnat - before.dnat
        return Observation(
            namespace=probe.namespace,
            bytes=Bytes(
                engine_loopback=_sent(before.engine, after.engine, "lo"),
                bridge=_both(before.engine, after.engine, self.bridge),
                server_loopback=_sent(before.server, after.server, "lo"),
                server_veth=_both(before.server, after.server, "eth0"),
            ),
            addresses=addresses,
            peers=probe.peers,
            dnat_connections=dnat,
            proxy_cpu_ns=proxy_cpu_ns if self.proxies else None,
            proxy_sockets=probe.proxy_sockets,
            clients=clients,
            transactions=transactions,
            window_seconds=seconds,
        )


def _sent(before: Devices, after: Devices, name: str) -> int:
    """Bytes sent: on a loopback every byte is counted as sent and as received."""
    return after.get(name, (0, 0))[1] - before.get(name, (0, 0))[1]


def _both(before: Devices, after: Devices, name: str) -> int:
    return sum(after.get(name, (0, 0))) - sum(before.get(name, (0, 0)))
