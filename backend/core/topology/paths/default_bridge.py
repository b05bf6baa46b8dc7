"""default_bridge: another container on Docker's default bridge, docker0."""

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

# The bridge forwards between its ports, so the bridge device itself counts no bytes.
_ROUTE = Route(
    hops=(Hop.VETH, Hop.BRIDGE, Hop.VETH),
    signature=Signature(
        namespace=Namespace.OWN,
        link=Link.DEFAULT_BRIDGE,
        destination=Address.CONTAINER,
        peer=Peer.CLIENT,
        carries=frozenset((Device.SERVER_LINK,)),
    ),
)

PATH = PathDefinition(
    name="default_bridge",
    title="Default bridge",
    summary="The client runs in another container on docker0 and connects to the server's address.",
    attachment=Attachment.DEFAULT_BRIDGE,
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.CONTAINER,
    proxied=_ROUTE,
    direct=_ROUTE,
)
