"""nginx_stream: nginx, as a TCP proxy on the Docker host, connects to the container's address."""

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
    hops=(Hop.LOOPBACK, Hop.NGINX, Hop.BRIDGE, Hop.VETH),
    signature=Signature(
        namespace=Namespace.ENGINE,
        link=Link.USER_BRIDGE,
        destination=Address.LOOPBACK,
        peer=Peer.GATEWAY,
        carries=frozenset((Device.ENGINE_LOOPBACK, Device.USER_BRIDGE, Device.SERVER_LINK)),
        relays=frozenset((Relay.NGINX,)),
    ),
)

PATH = PathDefinition(
    name="nginx_stream",
    title="nginx stream",
    summary=(
        "The client runs on the Docker host and connects to nginx on 127.0.0.1, which connects to"
        " the container's address."
    ),
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.DOCKER_HOST,
    address=Address.LOOPBACK,
    proxied=_ROUTE,
    direct=_ROUTE,
    front=Front.NGINX_STREAM,
    front_to=Address.CONTAINER,
)
