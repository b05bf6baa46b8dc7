"""Builds a path from its attachment, client, address and hops; the signature follows from these.

A path's file gives only what differs from the most common case: a server on a user-defined bridge, a
client on the Docker host, and the same hops with userland-proxy on and off.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from backend.core.definition.catalog import PATH_TITLES
from backend.core.topology.model import (
    BARE,
    Address,
    Attachment,
    Device,
    Hop,
    Link,
    Namespace,
    PathDefinition,
    Peer,
    Process,
    Relay,
    ReverseProxyKind,
    Route,
    Signature,
    Vantage,
)

Hops = tuple[Hop, ...]

HOST_TO_CONTAINER: Final[Hops] = (Hop.BRIDGE, Hop.VETH)
FORWARDED: Final[Hops] = (Hop.VETH, Hop.BRIDGE, Hop.VETH)
"""From one port of a bridge to another. The bridge device itself counts none of these bytes."""
DOCKER_PROXY: Final[Hops] = (Hop.DOCKER_PROXY, *HOST_TO_CONTAINER)
REWRITTEN: Final[Hops] = (Hop.DNAT, Hop.MASQUERADE, *HOST_TO_CONTAINER)
"""The kernel rewrites the destination, and the source to the bridge's gateway."""

_LINKS: Final = {
    Attachment.USER_BRIDGE: Link.USER_BRIDGE,
    Attachment.DEFAULT_BRIDGE: Link.DEFAULT_BRIDGE,
    Attachment.ROUTED_BRIDGE: Link.ROUTED_BRIDGE,
    Attachment.HOST_NETWORK: Link.NONE,
    Attachment.BARE: Link.NONE,
    Attachment.BARE_SOCKET: Link.NONE,
    Attachment.SOCKET: Link.NO_NETWORK,
    Attachment.OVERLAY: Link.OVERLAY,
    Attachment.OVERLAY_ENCRYPTED: Link.OVERLAY,
    Attachment.MACVLAN: Link.MACVLAN,
    Attachment.IPVLAN_L2: Link.IPVLAN_L2,
    Attachment.IPVLAN_L3: Link.IPVLAN_L3,
}
_NAMESPACES: Final = {
    Vantage.SERVER_CONTAINER: Namespace.SERVER,
    Vantage.SHARED_NAMESPACE: Namespace.SERVER,
    Vantage.SIBLING_CONTAINER: Namespace.OWN,
    Vantage.DOCKER_HOST: Namespace.ENGINE,
    Vantage.BARE_HOST: Namespace.ENGINE,
    Vantage.REMOTE_HOST: Namespace.REMOTE_ENGINE,
    Vantage.REMOTE_CONTAINER: Namespace.REMOTE_OWN,
}
_CLIENTS: Final = {
    Vantage.SERVER_CONTAINER: Process.SERVER_CONTAINER,
    Vantage.BARE_HOST: Process.BARE,
}
_RELAYS: Final = {
    Hop.DOCKER_PROXY: Relay.DOCKER_PROXY,
    Hop.NGINX: Relay.NGINX,
    Hop.HAPROXY: Relay.HAPROXY,
    Hop.SOCAT: Relay.SOCAT,
}
_PROGRAMS: Final = {
    ReverseProxyKind.NGINX_STREAM: Hop.NGINX,
    ReverseProxyKind.NGINX_HTTP: Hop.NGINX,
    ReverseProxyKind.HAPROXY_TCP: Hop.HAPROXY,
    ReverseProxyKind.SOCAT: Hop.SOCAT,
}
_COUNTED: Final = {Hop.WIRE: Device.WIRE, Hop.VXLAN: Device.VXLAN, Hop.ESP: Device.ESP}


def path(
    name: str,
    *,
    summary: str,
    hops: Hops,
    hops_off: Hops = (),
    attachment: Attachment = Attachment.USER_BRIDGE,
    vantage: Vantage = Vantage.DOCKER_HOST,
    address: Address = Address.LOOPBACK,
    reverse_proxy: ReverseProxyKind | None = None,
    upstream: Address | None = None,
    services: tuple[str, ...] = (),
    unreachable: str = "",
) -> PathDefinition:
    """A path with its signature under both engine settings.

    `hops_off` are the hops with userland-proxy off where they differ from `hops`. `unreachable` is why
    that setting has no route at all.
    """

    def route(found: Hops) -> Route:
        return Route(found, _signature(attachment, vantage, address, found))

    proxied = route(hops)
    return PathDefinition(
        name=name,
        title=PATH_TITLES[name],
        summary=summary,
        attachment=attachment,
        vantage=vantage,
        address=address,
        proxied=proxied,
        direct=None if unreachable else route(hops_off) if hops_off else proxied,
        reverse_proxy=reverse_proxy,
        upstream=upstream,
        services=services,
        unreachable=unreachable,
    )


def reverse_proxy_path(
    name: str,
    *,
    summary: str,
    reverse_proxy: ReverseProxyKind,
    upstream: Address = Address.CONTAINER,
    to_server: Hops = HOST_TO_CONTAINER,
    to_server_off: Hops = (),
    attachment: Attachment = Attachment.USER_BRIDGE,
    services: tuple[str, ...] = (),
) -> PathDefinition:
    """A path whose client connects to a reverse proxy on 127.0.0.1 of the Docker host.

    `to_server` are the hops from the reverse proxy to the server, `to_server_off` those with
    userland-proxy off where they differ.
    """

    to_proxy = (Hop.LOOPBACK, _PROGRAMS[reverse_proxy])
    return path(
        name,
        summary=summary,
        hops=(*to_proxy, *to_server),
        hops_off=(*to_proxy, *to_server_off) if to_server_off else (),
        attachment=attachment,
        reverse_proxy=reverse_proxy,
        upstream=upstream,
        services=services,
    )


def _signature(attachment: Attachment, vantage: Vantage, address: Address, hops: Hops) -> Signature:
    return Signature(
        namespace=_NAMESPACES[vantage],
        peer=_peer(vantage, hops),
        destination=address,
        link=_LINKS[attachment],
        carries=frozenset(_carries(_LINKS[attachment], _NAMESPACES[vantage], hops)),
        relays=frozenset(_RELAYS[hop] for hop in hops if hop in _RELAYS),
        dnat=Hop.DNAT in hops,
        socket=Hop.UNIX_SOCKET in hops,
        client=_CLIENTS.get(vantage, Process.OTHER_CONTAINER),
        server=Process.BARE if attachment in BARE else Process.SERVER_CONTAINER,
    )


def _peer(vantage: Vantage, hops: Hops) -> Peer:
    """The source address that the server sees.

    A connection from the host to a container leaves by the bridge and takes the gateway's address. One to
    the host's own address has that address as its source, and DNAT keeps it.
    """
    if hops[-1] is Hop.UNIX_SOCKET:
        return Peer.NONE
    if hops[-1] is Hop.LOOPBACK:
        return Peer.LOOPBACK
    if Hop.MASQUERADE in hops or not _RELAYS.keys().isdisjoint(hops):
        return Peer.GATEWAY
    if vantage is not Vantage.DOCKER_HOST:
        return Peer.CLIENT
    return Peer.HOST if Hop.DNAT in hops else Peer.GATEWAY


def _carries(link: Link, namespace: Namespace, hops: Hops) -> Iterator[Device]:
    """The devices that count the workload's bytes. Only a user-defined bridge is counted."""
    if Hop.LOOPBACK in hops:
        yield Device.SERVER_LOOPBACK if namespace is Namespace.SERVER else Device.ENGINE_LOOPBACK
    for hop in set(hops) & _COUNTED.keys():
        yield _COUNTED[hop]
    if link is Link.USER_BRIDGE and Hop.BRIDGE in hops and hops != FORWARDED:
        yield Device.USER_BRIDGE
    if link not in (Link.NONE, Link.NO_NETWORK) and namespace is not Namespace.SERVER:
        yield Device.SERVER_LINK
