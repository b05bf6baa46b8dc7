"""Remove what Plimsoll created in the host's own Docker before a crash, over the HTTP API.

Only things with this installation's label are touched. There is no Docker client here: only `worker.engine`
imports one, and it depends on this package.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import socket
from pathlib import Path
from typing import Any
from urllib.parse import quote

from worker.host.time_limits import limit

log = logging.getLogger(__name__)

OWNER_LABEL = "net.plimsoll.owner"
LIMIT_S = 30.0


class _SocketConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=limit(LIMIT_S))
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(limit(LIMIT_S))
        self.sock.connect(str(self._path))


def remove_labelled(path: Path, owner: str) -> None:
    """Remove every container, network and volume with this owner's label; no daemon is no error."""
    label = quote(json.dumps({"label": [f"{OWNER_LABEL}={owner}"]}))
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        for container in _request(path, "GET", f"/containers/json?all=1&filters={label}") or []:
            _request(path, "DELETE", f"/containers/{container['Id']}?force=1&v=1")
        for network in _request(path, "GET", f"/networks?filters={label}") or []:
            _request(path, "DELETE", f"/networks/{network['Id']}")
        volumes = _request(path, "GET", f"/volumes?filters={label}") or {}
        for volume in volumes.get("Volumes") or []:
            _request(path, "DELETE", f"/volumes/{quote(volume['Name'], safe='')}")


def remove_image(path: Path, tag: str) -> None:
    """Remove an image that was loaded for the measurement; no daemon or no image is no error."""
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        _request(path, "DELETE", f"/images/{quote(tag, safe='')}")


def _request(socket_path: Path, method: str, url: str) -> Any:
    connection = _SocketConnection(socket_path)
    try:
        connection.request(method, url)
        response = connection.getresponse()
        body = response.read()
    finally:
        connection.close()
    if response.status >= 400 and response.status != 404:
        log.warning(
            "the host's Docker answered %s %s with %d", method, url.partition("?")[0], response.status
        )
    return json.loads(body) if response.status == 200 and body else None
