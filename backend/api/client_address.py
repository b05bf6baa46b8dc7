"""The address of the client of a request, for rate limits and the audit log.

Anybody can send X-Forwarded-For. It is read only on connections from the proxies named in the settings, and
only as far as such a proxy added it: from the right, up to the first address that is not one of them.
`Forwarded` and the other X-Forwarded headers are never read: scheme, host and port come from the settings.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from backend.web_address import IPAddress, Networks, read_address

UNKNOWN: Final = "unknown"
_WITH_PORT: Final = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]{2,45})\]|(?P<v4>[0-9.]{7,15}))(?::[0-9]{1,5})?")


def client_address(scope: Scope) -> str:
    """The client's address as text, IPv4 in its own notation also on an IPv6 socket; else "unknown"."""
    found: str | None = scope.get("state", {}).get("client_address")
    return _peer(scope) if found is None else found


class TrustedProxies:
    """Stores the client's address of every request for `client_address`."""

    def __init__(self, app: ASGIApp, proxies: Networks) -> None:
        self.app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] == "http":
            scope.setdefault("state", {})["client_address"] = self._client(scope)
        await self.app(scope, receive, send)

    def _client(self, scope: Scope) -> str:
        client = _peer(scope)
        peer = _read_entry(client)
        if peer is None or not self._is_proxy(peer):
            return client
        forwarded = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
        for entry in reversed(forwarded.split(",")):
            address = _read_entry(entry.strip())
            # Nobody comes from the loopback of this host by a proxy of another one.
            if address is None or (address.is_loopback and not peer.is_loopback):
                return client
            client = str(address)
            if not self._is_proxy(address):
                return client
        return client

    def _is_proxy(self, address: IPAddress) -> bool:
        return any(address in network for network in self._proxies)


def _peer(scope: Scope) -> str:
    """The address at the other end of the connection."""
    client = scope.get("client")
    if client is None:
        return UNKNOWN
    address = _read_entry(client[0])
    return str(client[0] if address is None else address)  # test clients have names


def _read_entry(text: str) -> IPAddress | None:
    """An entry of X-Forwarded-For: an address, with a port from some proxies."""
    found = _WITH_PORT.fullmatch(text)
    try:
        return read_address(text if found is None else found["v6"] or found["v4"])
    except ValueError:
        return None
