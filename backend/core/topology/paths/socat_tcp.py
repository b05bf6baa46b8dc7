"""socat_tcp: socat, on the Docker host, connects to the container's address."""

from backend.core.topology.model import ReverseProxyKind
from backend.core.topology.path_builder import reverse_proxy_path

PATH = reverse_proxy_path(
    "socat_tcp",
    summary=(
        "The client runs on the Docker host and connects to socat on 127.0.0.1, which connects to the "
        "container's address."
    ),
    reverse_proxy=ReverseProxyKind.SOCAT,
)
