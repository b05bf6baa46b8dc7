"""Messages to systemd about this service's state (sd_notify(3)); without systemd nothing happens."""

from __future__ import annotations

import os
import socket


def notify(message: str) -> None:
    """Send a message such as "READY=1" to the service manager that started this process, if one did."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return
    # An abstract name begins with a null byte, which the variable spells "@".
    address = f"\0{path[1:]}" if path.startswith("@") else path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        try:
            sender.sendto(message.encode(), address)
        except OSError:
            return  # the manager has gone: nobody waits for the message
