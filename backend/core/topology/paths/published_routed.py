"""published_routed: another host reaches the container's own address by a route (gateway mode `routed`).

No address is rewritten and no docker-proxy runs: the Docker host is a router. Engine 27 and later."""

from backend.core.topology.model import Address, Attachment, Hop, Vantage
from backend.core.topology.path_builder import HOST_TO_CONTAINER, path

# Deduced from the engine's documentation; the engine of the first live trials was older than 27.
PATH = path(
    "published_routed",
    summary=(
        "The client runs on another host and connects to the container's own address through a route to "
        "the Docker host."
    ),
    attachment=Attachment.ROUTED_BRIDGE,
    vantage=Vantage.REMOTE_HOST,
    address=Address.CONTAINER,
    hops=(Hop.WIRE, Hop.ROUTE, *HOST_TO_CONTAINER),
)
