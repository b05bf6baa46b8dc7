"""The listening socket of the API: opened once, kept by the starter, inherited by every start of the API.

While the API restarts, the port stays taken, so that no other user of the host can answer in its place, and
new connections wait in the socket's queue.
"""

from __future__ import annotations

import errno
import os
import socket

from backend.web_address import is_wildcard, read_host
from scripts.starter.terminal import Refusal

BACKLOG = 2048


def open_listener(host: str, port: int) -> socket.socket:
    """A socket that listens on an address of this host; "::" means all addresses, IPv4 too.

    SO_REUSEPORT is not set: Linux would then let another process of the same user share the port. Raises
    Refusal.
    """
    address = (
        "127.0.0.1"
        if host == "localhost"
        else read_host(host if ":" not in host else f"[{host.strip('[]')}]")
    )
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(not is_wildcard(address)))
        listener.bind((address, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise Refusal(_reason(error, address, port)) from None
    return listener


def _reason(error: OSError, address: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {address} is in use by another program; choose another one with --port"
    if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
        return f"this host has no address {address}; `ip address` lists those that --listen can use"
    return f"port {port} on {address} cannot be opened: {os.strerror(error.errno or 0)}"
