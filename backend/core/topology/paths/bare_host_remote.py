"""bare_host_remote: another host connects to a server that runs outside Docker.

The client is the same container as on every other path from another host."""

from backend.core.topology.model import Address, Attachment, Hop, Vantage
from backend.core.topology.path_builder import path

PATH = path(
    "bare_host_remote",
    summary=(
        "The server runs outside Docker, from the files of the same image; the client runs on another host "
        "and connects to the host's address."
    ),
    attachment=Attachment.BARE,
    vantage=Vantage.REMOTE_HOST,
    address=Address.HOST,
    hops=(Hop.WIRE,),
)
