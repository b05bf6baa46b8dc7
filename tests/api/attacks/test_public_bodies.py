"""Bodies that anybody may send: the server keeps little of them, however they are sent."""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from backend.api.access.rules import RULES
from tests.services import ROOT

PATHS: Final[dict[str, dict[str, Any]]] = json.loads((ROOT / "docs/openapi.json").read_text())["paths"]
PUBLIC: Final = [
    path
    for path, operations in PATHS.items()
    if "post" in operations and RULES[operations["post"]["operationId"]].permission == "public"
]
SENT: Final = 512 * 1024
"""Bytes that are sent without an end: several times what an operation without credentials needs."""


@pytest.mark.parametrize("framing", ["Content-Length: 1048576", "Transfer-Encoding: chunked"])
@pytest.mark.parametrize("path", PUBLIC)
def test_an_endless_body_without_credentials_is_not_kept(served: str, path: str, framing: str) -> None:
    address = urlsplit(served)
    assert address.hostname is not None and address.port is not None
    lines = (f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json", framing)
    content = b" " * SENT
    if "chunked" in framing:
        content = f"{SENT + 1:x}\r\n".encode() + content
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        with suppress(ConnectionError):  # the server may have answered and closed
            connection.sendall(content)
        assert int(connection.recv(4096).split()[1]) == 413


def test_there_are_such_operations() -> None:
    assert len(PUBLIC) >= 7
