"""published_host_address: the Docker host connects to the published port on its own address.

The kernel rewrites the destination in both engine settings: docker-proxy is not on this path. With
userland-proxy off it also rewrites the source, so that the server sees the bridge's gateway."""

from backend.core.topology.model import Address, Hop
from backend.core.topology.path_builder import HOST_TO_CONTAINER, REWRITTEN, path

PATH = path(
    "published_host_address",
    summary="The client runs on the Docker host and connects to the published port on its own address.",
    address=Address.HOST,
    hops=(Hop.DNAT, *HOST_TO_CONTAINER),
    hops_off=REWRITTEN,
)
