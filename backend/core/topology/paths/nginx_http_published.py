"""nginx_http_published: nginx, as an HTTP proxy on the Docker host, asks the published port on 127.0.0.1.

With userland-proxy on, two programs relay one after the other, and the loopback carries both legs."""

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

PATH = PathDefinition(
    name="nginx_http_published",
    title="nginx HTTP to published port",
    summary=(
        "The client runs on the Docker host and connects to nginx on 127.0.0.1, which asks the published"
        " port on 127.0.0.1."
    ),
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.DOCKER_HOST,
    address=Address.LOOPBACK,
    proxied=Route(
        hops=(Hop.LOOPBACK, Hop.NGINX, Hop.LOOPBACK, Hop.DOCKER_PROXY, Hop.BRIDGE, Hop.VETH),
        signature=Signature(
            namespace=Namespace.ENGINE,
            link=Link.USER_BRIDGE,
            destination=Address.LOOPBACK,
            peer=Peer.GATEWAY,
            carries=frozenset((Device.ENGINE_LOOPBACK, Device.USER_BRIDGE, Device.SERVER_LINK)),
            relays=frozenset((Relay.NGINX, Relay.DOCKER_PROXY)),
        ),
    ),
    direct=Route(
        hops=(Hop.LOOPBACK, Hop.NGINX, Hop.DNAT, Hop.MASQUERADE, Hop.BRIDGE, Hop.VETH),
        signature=Signature(
            namespace=Namespace.ENGINE,
            link=Link.USER_BRIDGE,
            destination=Address.LOOPBACK,
            peer=Peer.GATEWAY,
            carries=frozenset((Device.ENGINE_LOOPBACK, Device.USER_BRIDGE, Device.SERVER_LINK)),
            relays=frozenset((Relay.NGINX,)),
            dnat=True,
        ),
    ),
    front=Front.NGINX_HTTP,
    front_to=Address.LOOPBACK,
    services=("pong", "flask"),
)
