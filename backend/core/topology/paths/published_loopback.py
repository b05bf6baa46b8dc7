"""published_loopback: the Docker host connects to the published port on 127.0.0.1.

With userland-proxy on, Docker's nat rules leave 127.0.0.0/8 out, so docker-proxy relays every byte.
With it off, the kernel rewrites destination and source instead, and the loopback carries nothing."""

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
    name="published_loopback",
    title="Published port, loopback",
    summary="The client runs on the Docker host and connects to the published port on 127.0.0.1.",
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.DOCKER_HOST,
    address=Address.LOOPBACK,
    proxied=Route(
        hops=(Hop.LOOPBACK, Hop.DOCKER_PROXY, Hop.BRIDGE, Hop.VETH),
        signature=Signature(
            namespace=Namespace.ENGINE,
            link=Link.USER_BRIDGE,
            destination=Address.LOOPBACK,
            peer=Peer.GATEWAY,
            carries=frozenset((Device.ENGINE_LOOPBACK, Device.USER_BRIDGE, Device.SERVER_LINK)),
            relays=frozenset((Relay.DOCKER_PROXY,)),
        ),
    ),
    direct=Route(
        hops=(Hop.DNAT, Hop.MASQUERADE, Hop.BRIDGE, Hop.VETH),
        signature=Signature(
            namespace=Namespace.ENGINE,
            link=Link.USER_BRIDGE,
            destination=Address.LOOPBACK,
            peer=Peer.GATEWAY,
            carries=frozenset((Device.USER_BRIDGE, Device.SERVER_LINK)),
            dnat=True,
        ),
    ),
)
