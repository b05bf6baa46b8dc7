"""unix_socket: the client connects to the server's Unix socket on a shared volume; no network at all.

wrk and ab cannot use a Unix socket: for HTTP see nginx_http_unix."""

from backend.core.topology.model import Address, Attachment, Hop
from backend.core.topology.path_builder import path

PATH = path(
    "unix_socket",
    summary=(
        "The client runs on the Docker host and connects to the container's Unix socket on a shared volume."
    ),
    attachment=Attachment.SOCKET,
    address=Address.SOCKET,
    hops=(Hop.UNIX_SOCKET,),
    services=("postgres", "flask"),
)
