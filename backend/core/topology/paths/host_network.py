"""host_network: the server's container is on the Docker host's own network, and so is the client's."""

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
    hops=(Hop.LOOPBACK,),
    signature=Signature(
        namespace=Namespace.ENGINE,
        link=Link.NONE,
        destination=Address.LOOPBACK,
        peer=Peer.LOOPBACK,
        carries=frozenset((Device.ENGINE_LOOPBACK,)),
    ),
)

PATH = PathDefinition(
    name="host_network",
    title="Host network",
    summary=(
        "The server's container is on the host's network; the client runs on the Docker host and "
        "connects to 127.0.0.1."
    ),
    attachment=Attachment.HOST_NETWORK,
    vantage=Vantage.DOCKER_HOST,
    address=Address.LOOPBACK,
    proxied=_ROUTE,
    direct=_ROUTE,
)
