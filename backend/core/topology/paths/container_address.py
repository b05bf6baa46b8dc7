"""container_address: the Docker host connects straight to the container's own address."""

from backend.core.topology.model import Address
from backend.core.topology.path_builder import HOST_TO_CONTAINER, path

PATH = path(
    "container_address",
    summary="The client runs on the Docker host and connects to the container's own address.",
    address=Address.CONTAINER,
    hops=HOST_TO_CONTAINER,
)
