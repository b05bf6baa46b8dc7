"""bare_host_remote: another host connects to a server that runs outside Docker.

The client is the same container as on every other path from another host."""

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
    hops=(Hop.WIRE,),
    signature=Signature(
        namespace=Namespace.REMOTE_ENGINE,
        server=Process.BARE,
        link=Link.NONE,
        destination=Address.HOST,
        peer=Peer.CLIENT,
        carries=frozenset((Device.WIRE,)),
    ),
)

PATH = PathDefinition(
    name="bare_host_remote",
    title="Bare host, from another host",
    summary=(
        "The server runs outside Docker, from the files of the same image; the client runs on another "
        "host and connects to the host's address."
    ),
    attachment=Attachment.BARE,
    vantage=Vantage.REMOTE_HOST,
    address=Address.HOST,
    proxied=_ROUTE,
    direct=_ROUTE,
)
