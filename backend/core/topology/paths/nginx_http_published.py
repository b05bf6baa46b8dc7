"""nginx_http_published: nginx, as an HTTP proxy on the Docker host, asks the published port on 127.0.0.1.

With userland-proxy on, two programs relay one after the other, and the loopback carries both legs."""

from backend.core.topology.model import Address, Hop, ReverseProxyKind
from backend.core.topology.path_builder import DOCKER_PROXY, REWRITTEN, reverse_proxy_path

PATH = reverse_proxy_path(
    "nginx_http_published",
    summary=(
        "The client runs on the Docker host and connects to nginx on 127.0.0.1, which asks the published "
        "port on 127.0.0.1."
    ),
    reverse_proxy=ReverseProxyKind.NGINX_HTTP,
    upstream=Address.LOOPBACK,
    to_server=(Hop.LOOPBACK, *DOCKER_PROXY),
    to_server_off=REWRITTEN,
    services=("pong", "flask"),
)
