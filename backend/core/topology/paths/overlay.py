"""overlay: the client runs in a container on another node of the server's overlay network."""

from backend.core.topology.model import Address, Attachment, Hop, Vantage
from backend.core.topology.path_builder import path

PATH = path(
    "overlay",
    summary=(
        "The client runs in a container on another node of the server's overlay network and connects to "
        "the server's address on it."
    ),
    attachment=Attachment.OVERLAY,
    vantage=Vantage.REMOTE_CONTAINER,
    address=Address.CONTAINER,
    hops=(Hop.VETH, Hop.VXLAN, Hop.WIRE, Hop.VXLAN, Hop.VETH),
)
