"""shared_namespace: a container of its own in the server's network namespace, as in a Kubernetes pod.

It differs from same_container in the client's process namespace only."""

from backend.core.topology.model import Hop, Vantage
from backend.core.topology.path_builder import path

PATH = path(
    "shared_namespace",
    summary=(
        "The client runs in a container that shares the server's network namespace and connects to 127.0.0.1."
    ),
    vantage=Vantage.SHARED_NAMESPACE,
    hops=(Hop.LOOPBACK,),
)
