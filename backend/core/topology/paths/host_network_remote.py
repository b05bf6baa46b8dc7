"""host_network_remote: another host connects to a container on the Docker host's own network."""

from backend.core.topology.model import Address, Attachment, Hop, Vantage
from backend.core.topology.path_builder import path

PATH = path(
    "host_network_remote",
    summary=(
        "The server's container is on the host's network; the client runs on another host and connects to "
        "the host's address."
    ),
    attachment=Attachment.HOST_NETWORK,
    vantage=Vantage.REMOTE_HOST,
    address=Address.HOST,
    hops=(Hop.WIRE,),
)
