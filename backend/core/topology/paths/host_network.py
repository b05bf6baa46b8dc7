"""host_network: the server's container is on the Docker host's own network, and so is the client's."""

from backend.core.topology.model import Attachment, Hop
from backend.core.topology.path_builder import path

PATH = path(
    "host_network",
    summary=(
        "The server's container is on the host's network; the client runs on the Docker host and connects "
        "to 127.0.0.1."
    ),
    attachment=Attachment.HOST_NETWORK,
    hops=(Hop.LOOPBACK,),
)
