"""sibling_container: another container on the same user-defined bridge."""

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

# The bridge forwards between its ports, so the bridge device itself counts no bytes.
_ROUTE = Route(
    hops=(Hop.VETH, Hop.BRIDGE, Hop.VETH),
    signature=Signature(
        namespace=Namespace.OWN,
        peer=Peer.CLIENT,
        server_veth=True,
    ),
)

PATH = PathDefinition(
    name="sibling_container",
    title="Sibling container",
    summary="The client runs in another container on the same bridge and connects to the server's address.",
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.CONTAINER,
    proxied=_ROUTE,
    direct=_ROUTE,
)
