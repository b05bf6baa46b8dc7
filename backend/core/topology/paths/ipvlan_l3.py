"""ipvlan_l3: another container on the same ipvlan network in L3 mode; no bridge, no NAT, no proxy."""

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

# Deduced: the driver hands the bytes from one neighbour to the other, past the parent, as macvlan does.
_ROUTE = Route(
    hops=(Hop.IPVLAN,),
    signature=Signature(
        namespace=Namespace.OWN,
        link=Link.IPVLAN_L3,
        destination=Address.CONTAINER,
        peer=Peer.CLIENT,
        carries=frozenset((Device.SERVER_LINK,)),
    ),
)

PATH = PathDefinition(
    name="ipvlan_l3",
    title="ipvlan, L3",
    summary=(
        "The client runs in another container on the same ipvlan network in L3 mode and connects to the "
        "server's address."
    ),
    attachment=Attachment.IPVLAN_L3,
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.CONTAINER,
    proxied=_ROUTE,
    direct=_ROUTE,
)
