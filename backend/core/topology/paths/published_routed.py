"""published_routed: another host reaches the container's own address by a route (gateway mode `routed`).

No address is rewritten and no docker-proxy runs: the Docker host is a router. Engine 27 and later."""

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

# Deduced from the engine's documentation; the engine of the first live trials was older than 27.
_ROUTE = Route(
    hops=(Hop.WIRE, Hop.ROUTE, Hop.BRIDGE, Hop.VETH),
    signature=Signature(
        namespace=Namespace.REMOTE_ENGINE,
        link=Link.ROUTED_BRIDGE,
        destination=Address.CONTAINER,
        peer=Peer.CLIENT,
        carries=frozenset((Device.WIRE, Device.SERVER_LINK)),
    ),
)

PATH = PathDefinition(
    name="published_routed",
    title="Routed, from another host",
    summary=(
        "The client runs on another host and connects to the container's own address through a route to "
        "the Docker host."
    ),
    attachment=Attachment.ROUTED_BRIDGE,
    vantage=Vantage.REMOTE_HOST,
    address=Address.CONTAINER,
    proxied=_ROUTE,
    direct=_ROUTE,
)
