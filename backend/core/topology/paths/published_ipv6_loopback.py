"""published_ipv6_loopback: the Docker host connects to the published port on [::1].

The container has no IPv6 address: only docker-proxy can take a connection from one family to the other."""

from backend.core.topology.model import Address, Hop
from backend.core.topology.path_builder import DOCKER_PROXY, path

PATH = path(
    "published_ipv6_loopback",
    summary=(
        "The client runs on the Docker host and connects to the published port on [::1]; the container has "
        "IPv4 only."
    ),
    address=Address.LOOPBACK_IPV6,
    hops=(Hop.LOOPBACK, *DOCKER_PROXY),
    unreachable=(
        "with userland-proxy off nothing takes a connection from [::1] to a container that has IPv4 only; "
        "use published_loopback, or userland-proxy on"
    ),
)
