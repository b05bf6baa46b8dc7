"""published_remote: another host connects to the published port on the Docker host's address.

The kernel rewrites the destination and leaves the source, so that the server sees the real client;
docker-proxy is not on this path, whatever the setting."""

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
    Route,
    Signature,
    Vantage,
)

_ROUTE = Route(
    hops=(Hop.WIRE, Hop.DNAT, Hop.BRIDGE, Hop.VETH),
    signature=Signature(
        namespace=Namespace.REMOTE_ENGINE,
        link=Link.USER_BRIDGE,
        destination=Address.HOST,
        peer=Peer.CLIENT,
        carries=frozenset((Device.WIRE, Device.USER_BRIDGE, Device.SERVER_LINK)),
        dnat=True,
    ),
)

PATH = PathDefinition(
    name="published_remote",
    title="Published port, from another host",
    summary=(
        "The client runs on another host and connects to the published port on the Docker host's address."
    ),
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.REMOTE_HOST,
    address=Address.HOST,
    proxied=_ROUTE,
    direct=_ROUTE,
)
