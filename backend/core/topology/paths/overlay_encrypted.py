"""overlay_encrypted: as overlay, with the traffic between the nodes encrypted (`--opt encrypted`).

An overlay's data is not encrypted without this option; the keys are in the node's network namespace."""

from backend.core.topology.model import Address, Attachment, Hop, Vantage
from backend.core.topology.path_builder import path

# Deduced: kernels without CONFIG_INET_ESP pass no traffic here, and that of the first live trials was one.
PATH = path(
    "overlay_encrypted",
    summary=(
        "The client runs in a container on another node of the server's encrypted overlay network and "
        "connects to the server's address on it."
    ),
    attachment=Attachment.OVERLAY_ENCRYPTED,
    vantage=Vantage.REMOTE_CONTAINER,
    address=Address.CONTAINER,
    hops=(Hop.VETH, Hop.VXLAN, Hop.ESP, Hop.WIRE, Hop.ESP, Hop.VXLAN, Hop.VETH),
)
