"""The address of a server: its normal form, and whether a token may be sent there."""

from __future__ import annotations

import ipaddress
from typing import Final

import httpx2

from .errors import Misconfigured

_PORTS: Final = {"http": 80, "https": 443}


def origin_of(url: str) -> str:
    """The URL without a final slash, with a host in lower case and without a default port.

    Raises Misconfigured if it is not an http or https URL, or if it contains a password, query or fragment.
    """
    try:
        found = httpx2.URL(url.strip())
    except httpx2.InvalidURL as error:
        raise Misconfigured(f"{url} is not a URL: {error}") from error
    if found.scheme not in _PORTS or not found.host:
        raise Misconfigured(f"{url} is not a URL: write https://HOST, or http://HOST:PORT on this machine")
    if found.userinfo or found.query or found.fragment:
        raise Misconfigured("a server's URL has no user, password, query or fragment")
    host = f"[{found.host}]" if ":" in found.host else found.host.lower()
    port = "" if found.port in (None, _PORTS[found.scheme]) else f":{found.port}"
    return f"{found.scheme}://{host}{port}{found.path.rstrip('/')}"


def is_loopback(url: str) -> bool:
    """Whether a URL names this machine's loopback interface."""
    host = httpx2.URL(url).host.strip("[]").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_token(url: str, token: str, allow_http: bool) -> None:
    """Raises Misconfigured for text that is no token, and if anyone on the network could read the token."""
    if not token.isascii() or not token.isprintable() or " " in token:
        raise Misconfigured("the token contains characters that no token has; copy it again, without spaces")
    if url.startswith("http:") and not is_loopback(url) and not allow_http:
        raise Misconfigured(
            f"the token is not sent to {url}: plain http can be read on the network. Use https, or set "
            "PLIMSOLL_ALLOW_HTTP=1 where the network is trusted"
        )
