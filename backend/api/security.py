"""Rejects requests of other origins and hosts, and adds security headers.

A page of another origin can make a browser send requests; it cannot read the responses (no CORS headers), and
`RequestFilter` rejects requests that change something. DNS rebinding is prevented by checking the Host
header. A request that a proxy in front could read in another way (two lengths, two hosts, an escaped path) is
rejected, because the proxy may have applied its rules to its own reading (RFC 9112, 11.2).
"""

from __future__ import annotations

import re
import secrets
from urllib.parse import unquote_to_bytes

from fastapi import Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.api.own_addresses import OwnAddresses
from backend.api.problem_details import add_header, problem, request_id
from backend.api.request_path import is_unambiguous

MAX_BODY_BYTES = 1024 * 1024
MAX_IMPORT_BYTES = 8 * MAX_BODY_BYTES
MAX_RECORD_BYTES = 16 * MAX_BODY_BYTES
"""Of a record as it is sent; `worker.record_body` limits what it unpacks to."""
LARGE_BODIES = {
    "/api/v1/imports": MAX_IMPORT_BYTES,
    "/api/v1/worker/client-session": MAX_RECORD_BYTES,
}
"""Paths with a larger limit than MAX_BODY_BYTES, for the raw output of many runs."""
RECORD = re.compile(r"/api/v1/worker/(trials/[^/]+/record|runs/[^/]+/cells/[^/]+/profile)")
"""Operations that take a packed body: output of a long trial and frames of a profile, over a slow line."""
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
FRAMES = "X-Frame-Options"
"""Left out where an endpoint sets `request.state.frameable`; its own policy then says who may frame it."""

PRIVATE = "/api/"
"""Paths whose responses no cache keeps, unless the endpoint says otherwise."""
STRICT_TRANSPORT = {"Strict-Transport-Security": "max-age=31536000"}
"""One year; without includeSubDomains, because other names may belong to others."""


class SecurityHeaders:
    """Adds an id to every request, and security headers to every response."""

    def __init__(self, app: ASGIApp, strict_transport: bool = False) -> None:
        self.app = app
        self._headers = HEADERS | (STRICT_TRANSPORT if strict_transport else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        identity = secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = identity

        async def add_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                for name, value in self._headers.items():
                    if name != FRAMES or not scope["state"].get("frameable"):
                        add_header(message, name, value)
                add_header(message, "X-Request-ID", identity)
                if scope["path"].startswith(PRIVATE):
                    add_header(message, "Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, add_headers)


class RequestFilter:
    """Rejects foreign hosts and origins, ambiguous requests, and bodies that are compressed or too large."""

    def __init__(self, app: ASGIApp, addresses: OwnAddresses) -> None:
        self.app = app
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or reject a request."""
        rejection = self._rejection(scope) if scope["type"] == "http" else None
        await (self.app if rejection is None else rejection)(scope, receive, send)

    def _rejection(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        return (
            _framing_problem(scope, headers)
            or self._address_problem(scope, headers)
            or _target_problem(scope)
            or _body_problem(scope, headers)
        )

    def _address_problem(self, scope: Scope, headers: Headers) -> Response | None:
        host, (reached, _) = headers.get("host", ""), scope.get("server") or (None, None)
        if not self._addresses.serves(host, reached):
            detail = (
                "this server has another name: use the one of its links; an administrator adds names with "
                "PLIMSOLL_PUBLIC_URL or PLIMSOLL_ALLOWED_HOSTS"
            )
            return problem(request_id(scope), 421, "foreign_host", "Misdirected Request", detail)
        if scope["method"] in SAFE_METHODS:
            return None
        # Other clients than browsers send neither of these headers.
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        own = origin is None or self._addresses.is_own_origin(origin, host, reached)
        if own and site not in ("cross-site", "same-site"):
            return None
        detail = (
            "requests of another origin must not change anything; if this page is Plimsoll's own, set "
            "PLIMSOLL_PUBLIC_URL to its scheme, host and port"
        )
        return problem(request_id(scope), 403, "cross_origin", "Forbidden", detail)


def _framing_problem(scope: Scope, headers: Headers) -> Response | None:
    """The response to a request that two programs may divide or route differently; closes the connection."""
    if "transfer-encoding" in headers and "content-length" in headers:
        detail = "send the length of the body either by Content-Length or by Transfer-Encoding"
    elif len(headers.getlist("host")) > 1:
        detail = "send one Host header"
    else:
        return None
    closing = {"Connection": "close"}
    return problem(request_id(scope), 400, "bad_request", "Bad Request", detail, (), closing)


def _target_problem(scope: Scope) -> Response | None:
    if not is_unambiguous(scope.get("raw_path") or scope["path"].encode()):
        detail = (
            "no resource has this URL; write its path without dot segments and escaped letters or slashes"
        )
        return problem(request_id(scope), 404, "not_found", "Not Found", detail)
    if b"\x00" in unquote_to_bytes(scope["query_string"]):
        detail = "a query parameter contains U+0000; remove it"
        return problem(request_id(scope), 400, "bad_request", "Bad Request", detail)
    return None


def _body_problem(scope: Scope, headers: Headers) -> Response | None:
    identity = request_id(scope)
    is_record = RECORD.fullmatch(scope["path"]) is not None
    encodings = ("identity", "gzip") if is_record else ("identity",)
    if headers.get("content-encoding", "identity").lower() not in encodings:
        detail = "send the body without a Content-Encoding"
        return problem(identity, 415, "unsupported_media_type", "Unsupported Media Type", detail)
    length = headers.get("content-length", "0")
    limit = MAX_RECORD_BYTES if is_record else LARGE_BODIES.get(scope["path"], MAX_BODY_BYTES)
    if not length.isdecimal() or int(length) > limit:
        return too_large(identity, limit)
    return None


def too_large(identity: str, limit: int) -> Response:
    """The response to a large body; closes the connection, because the body was not read."""
    detail = f"the body is larger than {limit:,} bytes"
    headers = {"Connection": "close"}
    return problem(identity, 413, "body_too_large", "Content Too Large", detail, (), headers)
