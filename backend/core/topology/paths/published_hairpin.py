"""published_hairpin: a container connects to the published port of its neighbour on the gateway's address.

With userland-proxy on, Docker's nat rules leave out what comes from the bridge itself, so docker-proxy
relays. With it off, bridge netfilter rewrites the destination inside the bridge and sends the frames
back through it: neither the source is rewritten nor does the bridge device count a byte."""

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
    name="published_hairpin",
    title="Published port, hairpin",
    summary=(
        "The client runs in another container on the same bridge and connects to the published port on "
        "the gateway's address."
    ),
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.GATEWAY,
    proxied=Route(
        hops=(Hop.VETH, Hop.BRIDGE, Hop.DOCKER_PROXY, Hop.BRIDGE, Hop.VETH),
        signature=Signature(
            namespace=Namespace.OWN,
            link=Link.USER_BRIDGE,
            destination=Address.GATEWAY,
            peer=Peer.GATEWAY,
            carries=frozenset((Device.USER_BRIDGE, Device.SERVER_LINK)),
            relays=frozenset((Relay.DOCKER_PROXY,)),
        ),
    ),
    direct=Route(
        hops=(Hop.VETH, Hop.DNAT, Hop.HAIRPIN, Hop.VETH),
        signature=Signature(
            namespace=Namespace.OWN,
            link=Link.USER_BRIDGE,
            destination=Address.GATEWAY,
            peer=Peer.CLIENT,
            carries=frozenset((Device.SERVER_LINK,)),
            dnat=True,
        ),
    ),
)
