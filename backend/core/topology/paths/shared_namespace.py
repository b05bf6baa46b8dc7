"""shared_namespace: a container of its own in the server's network namespace, as in a Kubernetes pod.

Only the client's process namespace tells it from same_container: the way of the bytes is the same."""

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
    hops=(Hop.LOOPBACK,),
    signature=Signature(
        namespace=Namespace.SERVER,
        link=Link.USER_BRIDGE,
        destination=Address.LOOPBACK,
        peer=Peer.LOOPBACK,
        carries=frozenset((Device.SERVER_LOOPBACK,)),
    ),
)

PATH = PathDefinition(
    name="shared_namespace",
    title="Shared network namespace",
    summary=(
        "The client runs in a container that shares the server's network namespace and connects to 127.0.0.1."
    ),
    attachment=Attachment.USER_BRIDGE,
    vantage=Vantage.SHARED_NAMESPACE,
    address=Address.LOOPBACK,
    proxied=_ROUTE,
    direct=_ROUTE,
)
