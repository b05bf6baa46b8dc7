"""What a route shows when it is really taken, made from its own signature."""

from __future__ import annotations

from backend.core.sample.observation import Addresses, Observation
from backend.core.topology.model import Address, Device, Link, PathDefinition, Peer, Relay, Signature

ADDRESSES = Addresses(gateway="198.18.64.1", host="198.18.1.1", client="198.18.64.3", server="198.18.64.2")
CONNECTIONS = 5
OPERATIONS = 60_000
WORKLOAD = 15_000_000
NOISE = 900
SERVERS_OWN = (Device.SERVER_LOOPBACK, Device.SERVER_LINK)
AT = {
    Address.LOOPBACK: "127.0.0.1",
    Address.LOOPBACK_IPV6: "::1",
    Address.CONTAINER: "198.18.64.2",
    Address.HOST: "198.18.1.1",
    Address.GATEWAY: "198.18.64.1",
}
PEERS = {
    Peer.LOOPBACK: "127.0.0.1",
    Peer.GATEWAY: "198.18.64.1",
    Peer.HOST: "198.18.1.1",
    Peer.CLIENT: "198.18.64.3",
}


def signature_of(path: PathDefinition, userland_proxy: bool) -> Signature:
    """The signature of a route that can be taken."""
    route = path.route(userland_proxy)
    assert route is not None
    return route.signature


def ideal(path: PathDefinition, userland_proxy: bool) -> Observation:
    """Five connections, 60,000 operations and 15 MB; sizes as live runs gave them."""
    expected = signature_of(path, userland_proxy)
    standing = {*expected.relays, *({Relay.DOCKER_PROXY} if userland_proxy else ())}
    return Observation(
        namespace=expected.namespace,
        client=expected.client,
        server=expected.server,
        link=expected.link,
        bytes=_bytes(expected),
        addresses=ADDRESSES,
        peers=_connections(PEERS.get(expected.peer)),
        destinations=_connections(AT.get(expected.destination)),
        socket_connections=CONNECTIONS if expected.socket else None,
        dnat_connections=CONNECTIONS + 1 if expected.dnat else 0,
        relays={relay: 2_500_000_000 if relay in expected.relays else 40_000 for relay in standing},
        relay_sockets={relay: 2 * CONNECTIONS if relay in expected.relays else 0 for relay in standing},
        connections=CONNECTIONS,
        operations=OPERATIONS,
        window_seconds=3.0,
        reverse_proxy_destinations=_connections(AT.get(path.upstream) if path.upstream else None),
    )


def _connections(address: str | None) -> dict[str, int]:
    return {} if address is None else {address: CONNECTIONS}


def _bytes(expected: Signature) -> dict[Device, int]:
    """The server's own devices exist only where it has a namespace of its own."""
    shared = expected.link is Link.NONE
    return {
        device: WORKLOAD if device in expected.carries else NOISE
        for device in Device
        if not (shared and device in SERVERS_OWN)
    }
