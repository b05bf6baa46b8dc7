"""sibling_container: another container on the same user-defined bridge."""

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
        link=Link.USER_BRIDGE,
        destination=Address.CONTAINER,
        peer=Peer.CLIENT,
        carries=frozenset((Device.SERVER_LINK,)),
    ),
)

PATH = PathDefinition(
    name="sibling_container",
    title="Sibling container",
    summary="The client runs in another container on the same bridge and connects to the server's address.",
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.CONTAINER,
    proxied=_ROUTE,
    direct=_ROUTE,
)
