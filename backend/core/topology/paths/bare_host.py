"""bare_host: no container: the image's own programs run outside Docker, client and server."""

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
        namespace=Namespace.ENGINE,
        client=Process.BARE,
        server=Process.BARE,
        link=Link.NONE,
        destination=Address.LOOPBACK,
        peer=Peer.LOOPBACK,
        carries=frozenset((Device.ENGINE_LOOPBACK,)),
    ),
)

PATH = PathDefinition(
    name="bare_host",
    title="Bare host",
    summary=(
        "Client and server run outside Docker, from the files of the same image; the client connects to "
        "127.0.0.1."
    ),
    attachment=Attachment.BARE,
    vantage=Vantage.BARE_HOST,
    address=Address.LOOPBACK,
    proxied=_ROUTE,
    direct=_ROUTE,
)
