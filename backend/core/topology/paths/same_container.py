"""same_container: the client runs inside the server's own container."""

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

_ROUTE = Route(
    hops=(Hop.LOOPBACK,),
    signature=Signature(
        namespace=Namespace.SERVER,
        peer=Peer.LOOPBACK,
        server_loopback=True,
    ),
)

PATH = PathDefinition(
    name="same_container",
    title="Same container",
    summary="The client runs inside the server's container and connects to 127.0.0.1.",
    vantage=Vantage.SERVER_CONTAINER,
    address=Address.LOOPBACK,
    proxied=_ROUTE,
    direct=_ROUTE,
)
