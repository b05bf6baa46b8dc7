"""nginx_http_unix: nginx, as an HTTP proxy, asks a container's Unix socket on a shared volume."""

from backend.core.topology.model import Address, Attachment, Hop, ReverseProxyKind
from backend.core.topology.path_builder import reverse_proxy_path

PATH = reverse_proxy_path(
    "nginx_http_unix",
    summary=(
        "The client runs on the Docker host and connects to nginx on 127.0.0.1, which asks the container's "
        "Unix socket on a shared volume."
    ),
    attachment=Attachment.SOCKET,
    reverse_proxy=ReverseProxyKind.NGINX_HTTP,
    upstream=Address.SOCKET,
    to_server=(Hop.UNIX_SOCKET,),
    services=("flask",),
)
