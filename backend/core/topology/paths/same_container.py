"""same_container: the client runs inside the server's own container."""

from backend.core.topology.model import Hop, Vantage
from backend.core.topology.path_builder import path

PATH = path(
    "same_container",
    summary="The client runs inside the server's container and connects to 127.0.0.1.",
    vantage=Vantage.SERVER_CONTAINER,
    hops=(Hop.LOOPBACK,),
)
