"""nginx_stream: nginx, as a TCP proxy on the Docker host, connects to the container's address."""

from backend.core.topology.model import ReverseProxyKind
from backend.core.topology.path_builder import reverse_proxy_path

PATH = reverse_proxy_path(
    "nginx_stream",
    summary=(
        "The client runs on the Docker host and connects to nginx on 127.0.0.1, which connects to the "
        "container's address."
    ),
    reverse_proxy=ReverseProxyKind.NGINX_STREAM,
)
