"""nginx_http_bare_unix: nginx, as an HTTP proxy, asks the Unix socket of a server outside Docker."""

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
    Process,
    Relay,
    Route,
    Signature,
    Vantage,
)

_ROUTE = Route(
    hops=(Hop.LOOPBACK, Hop.NGINX, Hop.UNIX_SOCKET),
    signature=Signature(
        namespace=Namespace.ENGINE,
        server=Process.BARE,
        link=Link.NONE,
        destination=Address.LOOPBACK,
        peer=Peer.NONE,
        carries=frozenset((Device.ENGINE_LOOPBACK,)),
        relays=frozenset((Relay.NGINX,)),
        socket=True,
    ),
)

PATH = PathDefinition(
    name="nginx_http_bare_unix",
    title="nginx HTTP to bare Unix socket",
    summary=(
        "The client runs on the host and connects to nginx on 127.0.0.1, which asks the Unix socket of a"
        " server outside Docker."
    ),
    attachment=Attachment.BARE_SOCKET,
    vantage=Vantage.DOCKER_HOST,
    address=Address.LOOPBACK,
    proxied=_ROUTE,
    direct=_ROUTE,
    front=Front.NGINX_HTTP,
    front_to=Address.SOCKET,
    services=("flask",),
)
