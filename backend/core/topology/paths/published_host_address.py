"""published_host_address: the Docker host connects to the published port on its own address.

The kernel rewrites the destination in both engine settings: docker-proxy is not on this path. With
userland-proxy off it also rewrites the source, so that the server sees the bridge's gateway."""

from __future__ import annotations

from backend.core.topology.model import (
    Address,
    Attachment,
    Device,
    Hop,
    Link,
    Namespace,
    PathDefinition,
    Peer,
    Route,
    Signature,
    Vantage,
)


def _route(hops: tuple[Hop, ...], peer: Peer) -> Route:
    return Route(
        hops=hops,
        signature=Signature(
            namespace=Namespace.ENGINE,
            link=Link.USER_BRIDGE,
            destination=Address.HOST,
            peer=peer,
            carries=frozenset((Device.USER_BRIDGE, Device.SERVER_LINK)),
            dnat=True,
        ),
    )


PATH = PathDefinition(
    name="published_host_address",
    title="Published port, host address",
    summary="The client runs on the Docker host and connects to the published port on its own address.",
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.DOCKER_HOST,
    address=Address.HOST,
    proxied=_route((Hop.DNAT, Hop.BRIDGE, Hop.VETH), Peer.HOST),
    direct=_route((Hop.DNAT, Hop.MASQUERADE, Hop.BRIDGE, Hop.VETH), Peer.GATEWAY),
)
