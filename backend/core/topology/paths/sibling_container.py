"""sibling_container: another container on the same user-defined bridge."""

from backend.core.topology.model import Address, Vantage
from backend.core.topology.path_builder import FORWARDED, path

# The bridge forwards between its ports, so the bridge device itself counts no bytes.
PATH = path(
    "sibling_container",
    summary=("The client runs in another container on the same bridge and connects to the server's address."),
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.CONTAINER,
    hops=FORWARDED,
)
