"""published_remote: another host connects to the published port on the Docker host's address.

The kernel rewrites the destination and leaves the source, so that the server sees the real client;
docker-proxy is not on this path, whatever the setting."""

from backend.core.topology.model import Address, Hop, Vantage
from backend.core.topology.path_builder import HOST_TO_CONTAINER, path

PATH = path(
    "published_remote",
    summary=(
        "The client runs on another host and connects to the published port on the Docker host's address."
    ),
    vantage=Vantage.REMOTE_HOST,
    address=Address.HOST,
    hops=(Hop.WIRE, Hop.DNAT, *HOST_TO_CONTAINER),
)
