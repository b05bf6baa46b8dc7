"""bare_host: no container: the image's own programs run outside Docker, client and server."""

from backend.core.topology.model import Attachment, Hop, Vantage
from backend.core.topology.path_builder import path

PATH = path(
    "bare_host",
    summary=(
        "Client and server run outside Docker, from the files of the same image; the client connects to "
        "127.0.0.1."
    ),
    attachment=Attachment.BARE,
    vantage=Vantage.BARE_HOST,
    hops=(Hop.LOOPBACK,),
)
