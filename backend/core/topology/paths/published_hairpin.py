"""published_hairpin: a container connects to the published port of another one on the gateway's address.

With userland-proxy on, Docker's nat rules leave out what comes from the bridge itself, so docker-proxy
relays. With it off, bridge netfilter rewrites the destination inside the bridge and sends the frames
back through it: the source address stays, and the bridge device counts no bytes."""

from backend.core.topology.model import Address, Hop, Vantage
from backend.core.topology.path_builder import DOCKER_PROXY, path

PATH = path(
    "published_hairpin",
    summary=(
        "The client runs in another container on the same bridge and connects to the published port on the "
        "gateway's address."
    ),
    vantage=Vantage.SIBLING_CONTAINER,
    address=Address.GATEWAY,
    hops=(Hop.VETH, Hop.BRIDGE, *DOCKER_PROXY),
    hops_off=(Hop.VETH, Hop.DNAT, Hop.HAIRPIN, Hop.VETH),
)
