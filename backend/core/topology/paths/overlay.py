"""overlay: the client runs in a container on another node of the server's overlay network."""

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
    hops=(Hop.VETH, Hop.VXLAN, Hop.WIRE, Hop.VXLAN, Hop.VETH),
    signature=Signature(
        namespace=Namespace.REMOTE_OWN,
        link=Link.OVERLAY,
        destination=Address.CONTAINER,
        peer=Peer.CLIENT,
        carries=frozenset((Device.WIRE, Device.VXLAN, Device.SERVER_LINK)),
    ),
)

PATH = PathDefinition(
    name="overlay",
    title="Overlay",
    summary=(
        "The client runs in a container on another node of the server's overlay network and connects to "
        "the server's address on it."
    ),
    attachment=Attachment.OVERLAY,
    vantage=Vantage.REMOTE_CONTAINER,
    address=Address.CONTAINER,
    proxied=_ROUTE,
    direct=_ROUTE,
)
