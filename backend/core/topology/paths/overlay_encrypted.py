"""overlay_encrypted: as overlay, with the traffic between the nodes encrypted (`--opt encrypted`).

An overlay's data is not encrypted unless this option is given; the keys stand in the node's namespace."""

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

# Deduced: kernels without CONFIG_INET_ESP pass no traffic here, and that of the first live trials was one.
_ROUTE = Route(
    hops=(Hop.VETH, Hop.VXLAN, Hop.ESP, Hop.WIRE, Hop.ESP, Hop.VXLAN, Hop.VETH),
    signature=Signature(
        namespace=Namespace.REMOTE_OWN,
        link=Link.OVERLAY,
        destination=Address.CONTAINER,
        peer=Peer.CLIENT,
        carries=frozenset((Device.WIRE, Device.ESP, Device.VXLAN, Device.SERVER_LINK)),
    ),
)

PATH = PathDefinition(
    name="overlay_encrypted",
    title="Overlay, encrypted",
    summary=(
        "The client runs in a container on another node of the server's encrypted overlay network and "
        "connects to the server's address on it."
    ),
    attachment=Attachment.OVERLAY_ENCRYPTED,
    vantage=Vantage.REMOTE_CONTAINER,
    address=Address.CONTAINER,
    proxied=_ROUTE,
    direct=_ROUTE,
)
