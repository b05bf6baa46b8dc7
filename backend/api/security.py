"""Rejects requests of other origins and hosts, and adds security headers; there are no accounts yet.

A page of another origin can make a browser send requests; it cannot read the responses (no CORS headers), and
`RequestFilter` rejects requests that change something. DNS rebinding is prevented by checking the Host
header.
"""

from __future__ import annotations

import secrets
from urllib.parse import unquote_to_bytes, urlsplit

from fastapi import Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.api.problem_details import add_header, problem, request_id
from backend.web_address import is_loopback

MAX_BODY_BYTES = 1024 * 1024
MAX_IMPORT_BYTES = 8 * MAX_BODY_BYTES
LARGE_BODIES = {"/api/v1/imports": MAX_IMPORT_BYTES}
"""Paths with a larger limit than MAX_BODY_BYTES, for the raw output of many runs."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
STYLES = "style-src 'self'"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        STYLES,
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "object-src 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityHeaders:
    """Adds an id to every request, and security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        identity = secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = identity

        async def add_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                for name, value in HEADERS.items():
                    add_header(message, name, value)
                add_header(message, "X-Request-ID", identity)
            await send(message)

        await self.app(scope, receive, add_headers)


class RequestFilter:
    """Rejects foreign hosts and origins, and compressed or too large bodies before they are read."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or reject a request."""
        rejection = _rejection(scope) if scope["type"] == "http" else None
        await (self.app if rejection is None else rejection)(scope, receive, send)


def _rejection(scope: Scope) -> Response | None:
    headers = Headers(scope=scope)
    identity = request_id(scope)
    if not _is_own_host(headers.get("host", "")):
        detail = "use a loopback name as host, for example 127.0.0.1 or localhost"
        return problem(identity, 421, "foreign_host", "Misdirected Request", detail)
    if scope["method"] not in SAFE_METHODS and _is_cross_origin(headers):
        detail = "requests of another origin must not change anything"
        return problem(identity, 403, "cross_origin", "Forbidden", detail)
    if b"\x00" in unquote_to_bytes(scope["query_string"]):
        detail = "a query parameter contains U+0000; remove it"
        return problem(identity, 400, "bad_request", "Bad Request", detail)
    if headers.get("content-encoding", "identity").lower() != "identity":
        detail = "send the body without a Content-Encoding"
        return problem(identity, 415, "unsupported_media_type", "Unsupported Media Type", detail)
    length = headers.get("content-length", "0")
    limit = LARGE_BODIES.get(scope["path"], MAX_BODY_BYTES)
    if not length.isdecimal() or int(length) > limit:
        return too_large(identity, limit)
    return None


def too_large(identity: str, limit: int) -> Response:
    """The response to a large body; closes the connection, because the body was not read."""
    detail = f"the body is larger than {limit:,} bytes"
    headers = {"Connection": "close"}
    return problem(identity, 413, "body_too_large", "Content Too Large", detail, (), headers)


def _is_own_host(host: str) -> bool:
    try:
        return is_loopback(urlsplit(f"//{host}").hostname or "")
    except ValueError:
        return False


def _is_cross_origin(headers: Headers) -> bool:
    """Whether the headers of a browser name another origin; other clients do not send these headers."""
    if headers.get("sec-fetch-site", "none") in ("cross-site", "same-site"):
        return True
    origin = headers.get("origin")
    if origin is None:
        return False
    given = urlsplit(origin)
    return given.scheme not in ("http", "https") or given.netloc != headers.get("host")
