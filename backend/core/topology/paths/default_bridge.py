"""default_bridge: another container on Docker's default bridge, docker0."""

from backend.core.topology.model import Address, Attachment, Vantage
from backend.core.topology.path_builder import FORWARDED, path

# The bridge forwards between its ports, so the bridge device itself counts no bytes.
PATH = path(
    "default_bridge",
    summary="The client runs in another container on docker0 and connects to the server's address.",
    attachment=Attachment.DEFAULT_BRIDGE,
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.CONTAINER,
    hops=FORWARDED,
)
