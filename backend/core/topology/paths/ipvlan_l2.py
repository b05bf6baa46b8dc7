"""ipvlan_l2: another container on the same ipvlan network in L2 mode; no bridge, no NAT, no proxy."""

from backend.core.topology.model import Address, Attachment, Hop, Vantage
from backend.core.topology.path_builder import path

# Deduced: the driver hands the bytes from one neighbour to the other, past the parent, as macvlan does.
PATH = path(
    "ipvlan_l2",
    summary=(
        "The client runs in another container on the same ipvlan network in L2 mode and connects to the "
        "server's address."
    ),
    attachment=Attachment.IPVLAN_L2,
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.CONTAINER,
    hops=(Hop.IPVLAN,),
)
