"""The signals of one trial: each compares one observation with the path's signature.

The other paths' signals must be near zero: a device that should be silent may carry at most 1 % of
what the busiest one carries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backend.core.sample import evidence_names as names
from backend.core.sample.observation import Observation
from backend.core.sample.record import Signal
from backend.core.topology.model import Address, Device, PathDefinition, Peer, Relay, Signature

CARRIES = 0.2
"""A device that should carry the workload must show at least this share of the busiest one's bytes.

Not more, because the busiest may count them twice (both sides of a reverse proxy on one loopback, both ways
through one bridge) or wrapped (VXLAN and ESP add a hundred bytes to a packet of a hundred). The smallest
share in live trials on every path was 0.37, the largest of a silent device 0.0001."""
SILENT = 0.01
"""A device that should be silent may show at most this share of them."""
LEAST_BYTES = 20_000
"""Below this the workload is too small to distinguish a path from noise."""
LINK_DEVICE = Device.WIRE
"""The link between the hosts."""
ENCAPSULATION_BYTES = 50
"""What VXLAN over IPv4 adds to a packet: headers of Ethernet, IP, UDP and VXLAN (RFC 7348, section 5).

A VXLAN device counts a received packet without its inner Ethernet header, which makes 64 of them (vxlan_rcv,
drivers/net/vxlan/vxlan_core.c)."""
RELAY_IDLE_US_PER_OPERATION = 0.2
"""A relaying program spends over ten times this on each operation; an idle one far less."""
RELAY_IDLE_NS = 5_000_000
LITERAL = {Address.LOOPBACK: "127.0.0.1", Address.LOOPBACK_IPV6: "::1"}


def signals_of(path: PathDefinition, expected: Signature, seen: Observation) -> Iterator[Signal]:
    """Every signal, in the order in which they are shown. One without readings is unknown.

    A relaying program that is neither expected nor running gives no signal; docker-proxy always does.
    """
    yield _same(names.NAMESPACE, expected.namespace, seen.namespace)
    yield _same(names.CLIENT, expected.client, seen.client)
    yield _same(names.SERVER, expected.server, seen.server)
    yield _same(names.LINK, expected.link, seen.link)
    yield _destination(names.DESTINATION, expected.destination, seen.destinations, seen)
    if path.upstream is not None:
        yield _upstream(path.upstream, seen)
    yield _peer(expected, seen)
    for device in Device:
        yield _device(device, expected, seen)
    if expected.socket or seen.socket_connections is not None:
        yield _socket(expected, seen)
    yield _dnat(path, expected, seen)
    for relay in Relay:
        if relay is Relay.DOCKER_PROXY or relay in expected.relays or relay in seen.relays:
            yield _cpu(relay, expected, seen)
            yield _sockets(path, relay, expected, seen)


def client_host_signals(link: int | None, loopback: int | None, seen: Observation) -> tuple[Signal, ...]:
    """The signals of a client host: bytes on its device to the server, and on its loopback, in its window.

    None: not readable. The server's host observed the rest (`seen`).
    """
    total = max(seen.bytes.values(), default=0)
    return (
        _carried(names.CLIENT_LINK, link, total, carries=True),
        _carried(names.CLIENT_LOOPBACK, loopback, total, carries=False),
    )


def encapsulation_signals(
    link: int | None, vxlan: int | None, packets: int | None, seen: Observation
) -> tuple[Signal, ...]:
    """The signals of VXLAN on the link between two hosts, at the server's end (`seen`) and the client's.

    `link` and `vxlan` are bytes on the client host's devices, `packets` those on its VXLAN device. None: not
    readable.
    """
    own = (seen.bytes.get(LINK_DEVICE), seen.bytes.get(Device.VXLAN), seen.vxlan_packets)
    return (_added(names.ADDED, *own), _added(names.CLIENT_ADDED, link, vxlan, packets))


def _added(name: str, link: int | None, vxlan: int | None, packets: int | None) -> Signal:
    """How much longer a packet is on the link than in its VXLAN device.

    There is no upper limit: of a packet that the network card divides, each part has headers of its own, and
    a link carries other traffic as well.
    """
    wanted = f"at least {ENCAPSULATION_BYTES}"
    if link is None or vxlan is None or not packets:
        observed = "not readable" if packets is None else f"of {packets} packets"
        return _signal(name, wanted, observed, None)
    added = (link - vxlan) / packets
    return _signal(name, wanted, f"{added:.1f} (of {packets:,} packets)", added >= ENCAPSULATION_BYTES)


def _carried(name: str, count: int | None, total: int, *, carries: bool) -> Signal:
    wanted = f"at least {CARRIES:.0%}" if carries else f"at most {SILENT:.0%}"
    if count is None or total < LEAST_BYTES:
        return _signal(name, wanted, "not readable" if count is None else size(count), None)
    share = count / total
    observed = f"{size(count)} ({share:.1%} of the busiest of the server's host)"
    return _signal(name, wanted, observed, share >= CARRIES if carries else share <= SILENT)


def _signal(name: str, expected: str, observed: str, agrees: bool | None) -> Signal:
    state = "unknown" if agrees is None else "agrees" if agrees else "disagrees"
    return Signal(name=name, expected=expected, observed=observed, state=state)


def _same(name: str, expected: str, observed: str | None) -> Signal:
    """Equal words; `expected` and `observed` are members of one enumeration."""
    return _signal(
        name,
        _words(expected),
        "not readable" if observed is None else _words(observed),
        None if observed is None else observed == expected,
    )


def _words(member: str) -> str:
    return str(member).replace("_", " ")


def _counted(connections: Mapping[str, int], otherwise: str) -> str:
    return ", ".join(f"{address} × {n}" for address, n in sorted(connections.items())) or otherwise


def _address_of(address: Address, seen: Observation) -> str | None:
    return {
        Address.CONTAINER: seen.addresses.server,
        Address.HOST: seen.addresses.host,
        Address.GATEWAY: seen.addresses.gateway,
    }.get(address, LITERAL.get(address))


def _destination(name: str, wanted: Address, found: Mapping[str, int], seen: Observation) -> Signal:
    """Whether all observed connections go to one address, and at least one was observed.

    Addresses are compared, not counts: a snapshot contains only some of the short-lived connections.
    """
    if wanted is Address.SOCKET:
        # Without a network address there is no connection to observe; without a client the signal is unknown.
        agrees = None if seen.namespace is None else not found
        return _signal(name, "none (socket)", _counted(found, "none"), agrees)
    address = _address_of(wanted, seen)
    agrees = None if not found or address is None else set(found) == {address}
    return _signal(name, f"{address} ({_words(wanted)})", _counted(found, "no connection seen"), agrees)


def _upstream(upstream: Address, seen: Observation) -> Signal:
    return _destination(names.UPSTREAM, upstream, seen.reverse_proxy_destinations, seen)


def _peer(expected: Signature, seen: Observation) -> Signal:
    if expected.peer is Peer.NONE:
        return _signal(names.PEER, "none", _counted(seen.peers, "none"), not seen.peers)
    wanted = {
        Peer.LOOPBACK: "127.0.0.1",
        Peer.GATEWAY: seen.addresses.gateway,
        Peer.HOST: seen.addresses.host,
        Peer.CLIENT: seen.addresses.client,
    }[expected.peer]
    agrees = None if not seen.peers or not wanted else set(seen.peers) == {wanted}
    observed = _counted(seen.peers, "no connection seen")
    return _signal(names.PEER, f"{wanted} ({_words(expected.peer)})", observed, agrees)


def _device(device: Device, expected: Signature, seen: Observation) -> Signal:
    name, count = names.of_device(device), seen.bytes.get(device, 0)
    if not expected.carries:
        # Nothing may carry a Unix socket's bytes, so there is no busiest device: less than one an operation.
        most = max(LEAST_BYTES, seen.operations)
        return _signal(name, "less than a byte an operation", size(count), count <= most)
    total = max(seen.bytes.values(), default=0)
    share = count / total if total else 0.0
    observed = f"{size(count)} ({share:.1%} of the busiest)"
    carries = device in expected.carries
    wanted = f"at least {CARRIES:.0%}" if carries else f"at most {SILENT:.0%}"
    if total < LEAST_BYTES:
        return _signal(name, wanted, observed, None)
    return _signal(name, wanted, observed, share >= CARRIES if carries else share <= SILENT)


def _socket(expected: Signature, seen: Observation) -> Signal:
    count = seen.socket_connections
    wanted = "at least 1" if expected.socket else "0"
    if count is None:
        return _signal(names.SOCKET, wanted, "not readable", None)
    if expected.socket and not count:
        return _signal(names.SOCKET, wanted, "0; no connection was observed", None)
    return _signal(names.SOCKET, wanted, str(count), (count > 0) is expected.socket)


def _dnat(path: PathDefinition, expected: Signature, seen: Observation) -> Signal:
    count = seen.dnat_connections
    least = seen.connections if path.reverse_proxy is None else 1
    wanted = f"at least {least}" if expected.dnat else "0"
    if count is None:
        return _signal(names.DNAT, wanted, "not readable", None)
    if expected.dnat and not count and path.reverse_proxy is not None:
        # nat chains see only the first packet of a connection; pooled ones were opened in the warm-up.
        return _signal(names.DNAT, wanted, "0; the reverse proxy may have kept its connections", None)
    return _signal(names.DNAT, wanted, str(count), count >= least if expected.dnat else count == 0)


def _cpu(relay: Relay, expected: Signature, seen: Observation) -> Signal:
    busy = relay in expected.relays
    name, wanted = names.of_cpu(relay), "busy" if busy else "idle"
    if relay not in seen.relays:
        return _signal(name, wanted, "no such process", not busy)
    used = seen.relays[relay]
    per_operation = used / 1000 / max(seen.operations, 1)
    idle = used < RELAY_IDLE_NS or per_operation < RELAY_IDLE_US_PER_OPERATION
    observed = f"{used / 1e6:.1f} ms ({per_operation:.2f} µs an operation)"
    if busy and idle and per_operation >= RELAY_IDLE_US_PER_OPERATION:
        return _signal(name, wanted, f"{observed}, too little to decide", None)
    return _signal(name, wanted, observed, idle != busy)


def _sockets(path: PathDefinition, relay: Relay, expected: Signature, seen: Observation) -> Signal:
    """Sockets that the program opened since the window began."""
    busy = relay in expected.relays
    name, wanted = names.of_sockets(relay), "at least 1" if busy else "0"
    if relay not in seen.relay_sockets:
        return _signal(name, wanted, "no such process" if relay not in seen.relays else "not readable", None)
    count = seen.relay_sockets[relay]
    pooled = relay is Relay.DOCKER_PROXY and path.reverse_proxy is not None
    caught = sum(seen.destinations.values()) >= seen.connections
    if busy and not count and (pooled or not caught or seen.short_lived):
        return _signal(name, wanted, "0; no connection was observed", None)
    return _signal(name, wanted, str(count), (count > 0) is busy)


def size(count: int) -> str:
    """A number of bytes with its unit."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count} B"
