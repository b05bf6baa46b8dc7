"""nginx_http_bare_unix: nginx, as an HTTP proxy, asks the Unix socket of a server outside Docker."""

from backend.core.topology.model import Address, Attachment, Hop, ReverseProxyKind
from backend.core.topology.path_builder import reverse_proxy_path

PATH = reverse_proxy_path(
    "nginx_http_bare_unix",
    summary=(
        "The client runs on the host and connects to nginx on 127.0.0.1, which asks the Unix socket of a "
        "server outside Docker."
    ),
    attachment=Attachment.BARE_SOCKET,
    reverse_proxy=ReverseProxyKind.NGINX_HTTP,
    upstream=Address.SOCKET,
    to_server=(Hop.UNIX_SOCKET,),
    services=("flask",),
)
