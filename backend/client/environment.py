"""Connections as the environment's variables want them: HTTP_PROXY and the like, SSL_CERT_FILE."""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Iterator
from typing import Any, Final

import httpx2

from .address import is_loopback
from .errors import Misconfigured

PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
CERTIFICATES: Final = "SSL_CERT_FILE"
_SCHEMES: Final = ("http", "https")
_UNUSABLE: Final = (ImportError, ValueError, httpx2.InvalidURL, OSError)
"""What httpx2 raises for a proxy that it does not speak, a malformed one, and for certificates."""


def open_client(url: str, *, trust_env: bool = True, **options: Any) -> httpx2.Client:
    """A client for the server at `url`, through the environment's proxies; directly on this machine.

    Raises Misconfigured with the name of the variable that cannot be used.
    """
    trust_env = trust_env and not is_loopback(url)
    try:
        return httpx2.Client(trust_env=trust_env, **options)
    except _UNUSABLE as error:
        if not trust_env:
            raise
        if (wrong := next(_wrong_proxies(), None)) is None:
            raise Misconfigured(_other(error)) from error
        if not urllib.request.proxy_bypass(httpx2.URL(url).host):
            raise Misconfigured(wrong) from error
    return httpx2.Client(trust_env=False, **options)


def _wrong_proxies() -> Iterator[str]:
    """A sentence for each variable whose proxy cannot be used, without its value: it may have a password."""
    for name in [spelling for proxy in PROXIES for spelling in (proxy.lower(), proxy)]:
        value = os.environ.get(name, "")
        scheme = value.partition("://")[0].lower() if "://" in value else "http"
        remedy = "write http://HOST:PORT, or unset it, or name the server's host in NO_PROXY"
        if not value:
            continue
        if scheme.startswith("socks"):
            yield f"{name} names a SOCKS proxy ({scheme}), and only HTTP proxies can be used: {remedy}"
        elif scheme not in _SCHEMES:
            yield f"{name} names a proxy with the unknown scheme {scheme[:20]!r}: {remedy}"
        elif (fault := _malformed(value)) is not None:
            yield f"{name} is not the address of a proxy ({fault}): {remedy}"


def _malformed(value: str) -> str | None:
    try:
        httpx2.Proxy(value if "://" in value else f"http://{value}")
    except (httpx2.InvalidURL, ValueError) as error:
        return str(error)
    return None


def _other(error: Exception) -> str:
    file = os.environ.get(CERTIFICATES)
    if file is not None and isinstance(error, OSError):
        reason = (
            error.strerror if isinstance(error, FileNotFoundError | PermissionError) else "no certificates"
        )
        return f"{CERTIFICATES} names {file} ({reason}): name a file of certificates (PEM), or unset it"
    return f"the proxies or certificates that this system names cannot be used ({error})"
