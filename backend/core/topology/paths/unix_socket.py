"""unix_socket: the client connects to the server's Unix socket on a shared volume; no network at all.

wrk and ab cannot use a Unix socket: for HTTP see nginx_http_unix."""

from __future__ import annotations

from backend.core.topology.model import (
    Address,
    Attachment,
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
    hops=(Hop.UNIX_SOCKET,),
    signature=Signature(
        namespace=Namespace.ENGINE,
        link=Link.NO_NETWORK,
        destination=Address.SOCKET,
        peer=Peer.NONE,
        socket=True,
    ),
)

PATH = PathDefinition(
    name="unix_socket",
    title="Unix socket",
    summary=(
        "The client runs on the Docker host and connects to the container's Unix socket on a shared volume."
    ),
    attachment=Attachment.SOCKET,
    vantage=Vantage.DOCKER_HOST,
    address=Address.SOCKET,
    proxied=_ROUTE,
    direct=_ROUTE,
    services=("postgres", "flask"),
)
