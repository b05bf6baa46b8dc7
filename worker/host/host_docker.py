"""Removing what Plimsoll made in the host's own Docker after a crash, over the API's plain HTTP.

Only what carries this installation's label is touched. The sweep has no Docker client of its own: it
stands below the engines, which have one.
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

log = logging.getLogger(__name__)

OWNER_LABEL = "net.plimsoll.owner"
LIMIT_S = 30.0


class _SocketConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, place: Path) -> None:
        super().__init__("localhost", timeout=LIMIT_S)
        self._place = place

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(LIMIT_S)
        self.sock.connect(str(self._place))


def remove_labelled(place: Path, owner: str) -> None:
    """Remove every container, network and volume with this owner's label; no daemon is no error."""
    chosen = quote(json.dumps({"label": [f"{OWNER_LABEL}={owner}"]}))
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        for container in _ask(place, "GET", f"/containers/json?all=1&filters={chosen}") or []:
            _ask(place, "DELETE", f"/containers/{container['Id']}?force=1&v=1")
        for network in _ask(place, "GET", f"/networks?filters={chosen}") or []:
            _ask(place, "DELETE", f"/networks/{network['Id']}")
        volumes = _ask(place, "GET", f"/volumes?filters={chosen}") or {}
        for volume in volumes.get("Volumes") or []:
            _ask(place, "DELETE", f"/volumes/{quote(volume['Name'], safe='')}")


def remove_image(place: Path, tag: str) -> None:
    """Remove an image that was loaded for the measurement; no daemon or no image is no error."""
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        _ask(place, "DELETE", f"/images/{quote(tag, safe='')}")


def _ask(place: Path, verb: str, path: str) -> Any:
    connection = _SocketConnection(place)
    try:
        connection.request(verb, path)
        answer = connection.getresponse()
        body = answer.read()
    finally:
        connection.close()
    if answer.status >= 400 and answer.status != 404:
        log.warning("the host's Docker does not %s %s: %d", verb, path.partition("?")[0], answer.status)
    return json.loads(body) if answer.status == 200 and body else None
