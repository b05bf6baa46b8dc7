"""nginx_http_bare: nginx, as an HTTP proxy on the host, asks a server outside Docker on 127.0.0.1."""

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
    hops=(Hop.LOOPBACK, Hop.NGINX, Hop.LOOPBACK),
    signature=Signature(
        namespace=Namespace.ENGINE,
        server=Process.BARE,
        link=Link.NONE,
        destination=Address.LOOPBACK,
        peer=Peer.LOOPBACK,
        carries=frozenset((Device.ENGINE_LOOPBACK,)),
        relays=frozenset((Relay.NGINX,)),
    ),
)

PATH = PathDefinition(
    name="nginx_http_bare",
    title="nginx HTTP to bare host",
    summary=(
        "The client runs on the host and connects to nginx on 127.0.0.1, which asks a server outside "
        "Docker on 127.0.0.1."
    ),
    attachment=Attachment.BARE,
    vantage=Vantage.DOCKER_HOST,
    address=Address.LOOPBACK,
    proxied=_ROUTE,
    direct=_ROUTE,
    front=Front.NGINX_HTTP,
    front_to=Address.LOOPBACK,
    services=("pong", "flask"),
)
