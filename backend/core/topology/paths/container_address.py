"""container_address: the Docker host connects straight to the container's own address."""

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

_ROUTE = Route(
    hops=(Hop.BRIDGE, Hop.VETH),
    signature=Signature(
        namespace=Namespace.ENGINE,
        link=Link.USER_BRIDGE,
        destination=Address.CONTAINER,
        peer=Peer.GATEWAY,
        carries=frozenset((Device.USER_BRIDGE, Device.SERVER_LINK)),
    ),
)

PATH = PathDefinition(
    name="container_address",
    title="Container address",
    summary="The client runs on the Docker host and connects to the container's own address.",
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.DOCKER_HOST,
    address=Address.CONTAINER,
    proxied=_ROUTE,
    direct=_ROUTE,
)
