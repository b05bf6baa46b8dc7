"""macvlan: another container on the same macvlan network; no bridge, no NAT, no proxy."""

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

# Neighbours on one parent reach each other inside the driver: the parent itself counts no bytes.
_ROUTE = Route(
    hops=(Hop.MACVLAN,),
    signature=Signature(
        namespace=Namespace.OWN,
        link=Link.MACVLAN,
        destination=Address.CONTAINER,
        peer=Peer.CLIENT,
        carries=frozenset((Device.SERVER_LINK,)),
    ),
)

PATH = PathDefinition(
    name="macvlan",
    title="macvlan",
    summary=(
        "The client runs in another container on the same macvlan network and connects to the server's "
        "address."
    ),
    attachment=Attachment.MACVLAN,
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.CONTAINER,
    proxied=_ROUTE,
    direct=_ROUTE,
)
