"""macvlan: another container on the same macvlan network; no bridge, no NAT, no proxy."""

from backend.core.topology.model import Address, Attachment, Hop, Vantage
from backend.core.topology.path_builder import path

# Neighbours on one parent reach each other inside the driver: the parent itself counts no bytes.
PATH = path(
    "macvlan",
    summary=(
        "The client runs in another container on the same macvlan network and connects to the server's "
        "address."
    ),
    attachment=Attachment.MACVLAN,
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.CONTAINER,
    hops=(Hop.MACVLAN,),
)
