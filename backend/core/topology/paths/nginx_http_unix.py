"""nginx_http_unix: nginx, as an HTTP proxy, asks a container's Unix socket on a shared volume."""

from __future__ import annotations

from backend.core.topology.model import (
    Address,
    Attachment,
    Device,
    Front,
    Hop,
    Link,
    Namespace,
    PathDefinition,
    Peer,
    Relay,
    Route,
    Signature,
    Vantage,
)

_ROUTE = Route(
    hops=(Hop.LOOPBACK, Hop.NGINX, Hop.UNIX_SOCKET),
    signature=Signature(
        namespace=Namespace.ENGINE,
        link=Link.NO_NETWORK,
        destination=Address.LOOPBACK,
        peer=Peer.NONE,
        carries=frozenset((Device.ENGINE_LOOPBACK,)),
        relays=frozenset((Relay.NGINX,)),
        socket=True,
    ),
)

PATH = PathDefinition(
    name="nginx_http_unix",
    title="nginx HTTP to Unix socket",
    summary=(
        "The client runs on the Docker host and connects to nginx on 127.0.0.1, which asks the "
        "container's Unix socket on a shared volume."
    ),
    attachment=Attachment.SOCKET,
    vantage=Vantage.DOCKER_HOST,
    address=Address.LOOPBACK,
    proxied=_ROUTE,
    direct=_ROUTE,
    front=Front.NGINX_HTTP,
    front_to=Address.SOCKET,
    services=("flask",),
)
