"""published_loopback: the Docker host connects to the published port on 127.0.0.1.

With userland-proxy on, Docker's nat rules leave 127.0.0.0/8 out, so docker-proxy relays every byte.
With it off, the kernel rewrites destination and source instead.
"""

from __future__ import annotations

from backend.core.topology.model import (
    Address,
    Hop,
    Namespace,
    PathDefinition,
    Peer,
    Route,
    Signature,
    Vantage,
)

PATH = PathDefinition(
    name="published_loopback",
    title="Published port, loopback",
    summary="The client runs on the Docker host and connects to the published port on 127.0.0.1.",
    vantage=Vantage.DOCKER_HOST,
    address=Address.LOOPBACK,
    proxied=Route(
        hops=(Hop.LOOPBACK, Hop.DOCKER_PROXY, Hop.BRIDGE, Hop.VETH),
        signature=Signature(
            namespace=Namespace.ENGINE,
            peer=Peer.GATEWAY,
            engine_loopback=True,
            bridge=True,
            server_veth=True,
            docker_proxy=True,
        ),
    ),
    direct=Route(
        hops=(Hop.DNAT, Hop.MASQUERADE, Hop.BRIDGE, Hop.VETH),
        signature=Signature(
            namespace=Namespace.ENGINE,
            peer=Peer.GATEWAY,
            bridge=True,
            server_veth=True,
            dnat=True,
        ),
    ),
)
