"""Connections of a client that sends what it likes, when it likes."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

PATIENCE_S: Final = 60


@contextmanager
def connected(served: str) -> Iterator[socket.socket]:
    """A connection to a server."""
    address = urlsplit(served)
    assert address.hostname is not None and address.port is not None
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE_S) as connection:
        yield connection


@contextmanager
def headers_sent(
    served: str, method: str, path: str, headers: dict[str, str], length: int
) -> Iterator[socket.socket]:
    """A connection on which all of a request but its body was sent."""
    own = {"Host": "127.0.0.1", "Content-Type": "application/json", "Content-Length": str(length)}
    given = {name: value for name, value in (own | headers).items() if value}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
    with connected(served) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        yield connection


def status_of(connection: socket.socket) -> int:
    """The status of the next answer."""
    return int(connection.recv(4096).split()[1])


def rest_of(connection: socket.socket) -> bytes:
    """All that the server sends until it closes the connection."""
    found = b""
    with suppress(ConnectionError):  # closed while something that was sent had not been read
        while part := connection.recv(65_536):
            found += part
    return found


def is_answered(connection: socket.socket, within_s: float) -> bool:
    """Whether the server has answered or closed within this time."""
    return bool(select.select([connection], [], [], within_s)[0])
