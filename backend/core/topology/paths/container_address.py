"""container_address: the Docker host connects straight to the container's own address."""

from __future__ import annotations

from backend.core.topology.model import (
    Address,
    Hop,
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
        peer=Peer.GATEWAY,
        bridge=True,
        server_veth=True,
    ),
)

PATH = PathDefinition(
    name="container_address",
    title="Container address",
    summary="The client runs on the Docker host and connects to the container's own address.",
    vantage=Vantage.DOCKER_HOST,
    address=Address.CONTAINER,
    proxied=_ROUTE,
    direct=_ROUTE,
)
