"""same_container: the client runs inside the server's own container."""

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
    Process,
    Route,
    Signature,
    Vantage,
)

_ROUTE = Route(
    hops=(Hop.LOOPBACK,),
    signature=Signature(
        namespace=Namespace.SERVER,
        client=Process.SERVER_CONTAINER,
        link=Link.USER_BRIDGE,
        destination=Address.LOOPBACK,
        peer=Peer.LOOPBACK,
        carries=frozenset((Device.SERVER_LOOPBACK,)),
    ),
)

PATH = PathDefinition(
    name="same_container",
    title="Same container",
    summary="The client runs inside the server's container and connects to 127.0.0.1.",
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.SERVER_CONTAINER,
    address=Address.LOOPBACK,
    proxied=_ROUTE,
    direct=_ROUTE,
)
