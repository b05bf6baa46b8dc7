"""socat_tcp: socat, on the Docker host, connects to the container's address."""

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
    hops=(Hop.LOOPBACK, Hop.SOCAT, Hop.BRIDGE, Hop.VETH),
    signature=Signature(
        namespace=Namespace.ENGINE,
        link=Link.USER_BRIDGE,
        destination=Address.LOOPBACK,
        peer=Peer.GATEWAY,
        carries=frozenset((Device.ENGINE_LOOPBACK, Device.USER_BRIDGE, Device.SERVER_LINK)),
        relays=frozenset((Relay.SOCAT,)),
    ),
)

PATH = PathDefinition(
    name="socat_tcp",
    title="socat",
    summary=(
        "The client runs on the Docker host and connects to socat on 127.0.0.1, which connects to the "
        "container's address."
    ),
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.DOCKER_HOST,
    address=Address.LOOPBACK,
    proxied=_ROUTE,
    direct=_ROUTE,
    front=Front.SOCAT,
    front_to=Address.CONTAINER,
)
