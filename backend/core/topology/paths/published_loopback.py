"""published_loopback: the Docker host connects to the published port on 127.0.0.1.

With userland-proxy on, Docker's nat rules leave 127.0.0.0/8 out, so docker-proxy relays every byte.
With it off, the kernel rewrites destination and source instead, and the loopback carries nothing."""

from backend.core.topology.model import Hop
from backend.core.topology.path_builder import DOCKER_PROXY, REWRITTEN, path

PATH = path(
    "published_loopback",
    summary="The client runs on the Docker host and connects to the published port on 127.0.0.1.",
    hops=(Hop.LOOPBACK, *DOCKER_PROXY),
    hops_off=REWRITTEN,
)
