"""host_network_remote: another host connects to a container on the Docker host's own network."""

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
    hops=(Hop.WIRE,),
    signature=Signature(
        namespace=Namespace.REMOTE_ENGINE,
        link=Link.NONE,
        destination=Address.HOST,
        peer=Peer.CLIENT,
        carries=frozenset((Device.WIRE,)),
    ),
)

PATH = PathDefinition(
    name="host_network_remote",
    title="Host network, from another host",
    summary=(
        "The server's container is on the host's network; the client runs on another host and connects "
        "to the host's address."
    ),
    attachment=Attachment.HOST_NETWORK,
    vantage=Vantage.REMOTE_HOST,
    address=Address.HOST,
    proxied=_ROUTE,
    direct=_ROUTE,
)
