"""published_ipv6_loopback: the Docker host connects to the published port on [::1].

The container has no IPv6 address: only docker-proxy can take a connection from one family to the other."""

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
    Relay,
    Route,
    Signature,
    Vantage,
)

PATH = PathDefinition(
    name="published_ipv6_loopback",
    title="Published port, IPv6 loopback",
    summary=(
        "The client runs on the Docker host and connects to the published port on [::1]; the container "
        "has IPv4 only."
    ),
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.DOCKER_HOST,
    address=Address.LOOPBACK_IPV6,
    proxied=Route(
        hops=(Hop.LOOPBACK, Hop.DOCKER_PROXY, Hop.BRIDGE, Hop.VETH),
        signature=Signature(
            namespace=Namespace.ENGINE,
            link=Link.USER_BRIDGE,
            destination=Address.LOOPBACK_IPV6,
            peer=Peer.GATEWAY,
            carries=frozenset((Device.ENGINE_LOOPBACK, Device.USER_BRIDGE, Device.SERVER_LINK)),
            relays=frozenset((Relay.DOCKER_PROXY,)),
        ),
    ),
    direct=None,
    unreachable=(
        "with userland-proxy off nothing takes a connection from [::1] to a container that has IPv4 only; "
        "use published_loopback, or userland-proxy on"
    ),
)
