"""nginx_http_bare: nginx, as an HTTP proxy on the host, asks a server outside Docker on 127.0.0.1."""

from backend.core.topology.model import Address, Attachment, Hop, ReverseProxyKind
from backend.core.topology.path_builder import reverse_proxy_path

PATH = reverse_proxy_path(
    "nginx_http_bare",
    summary=(
        "The client runs on the host and connects to nginx on 127.0.0.1, which asks a server outside "
        "Docker on 127.0.0.1."
    ),
    attachment=Attachment.BARE,
    reverse_proxy=ReverseProxyKind.NGINX_HTTP,
    upstream=Address.LOOPBACK,
    to_server=(Hop.LOOPBACK,),
    services=("pong", "flask"),
)
