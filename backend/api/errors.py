"""Errors specific to HTTP; all others are in `backend.core.errors`."""

from __future__ import annotations

from backend.core.errors import PlimsollError


class Overloaded(PlimsollError):
    """Too many CPU-bound requests at the same time; the client may repeat the request later."""

    code = "overloaded"


class UnsupportedMedia(PlimsollError):
    """The route does not accept the body's media type."""

    code = "unsupported_media_type"

    def __init__(self, allowed: tuple[str, ...], given: str) -> None:
        super().__init__(f"send {' or '.join(allowed)}, not {given or 'a body without a Content-Type'}")


class Unauthenticated(PlimsollError):
    """The request has no credentials, or none that are valid."""

    code = "unauthenticated"


class Forbidden(PlimsollError):
    """The caller is known and may not do this; `code` says why."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class RateLimited(PlimsollError):
    """A session or token sent too many requests; `headers` say when one is possible again.

    `first`: it is the first refusal within a minute, which is written to the audit log.
    """

    code = "rate_limited"

    def __init__(self, detail: str, headers: dict[str, str], first: bool) -> None:
        super().__init__(detail)
        self.headers = headers
        self.audited = first


class DeviceFlowRefused(PlimsollError):
    """A client gets no token for its device code; `code` is the error of RFC 8628, 3.5, or RFC 6749, 5.2.

    `audited`: not for a client that has to wait, which repeats its request every few seconds.
    """

    def __init__(self, code: str, detail: str, audited: bool = True) -> None:
        super().__init__(detail)
        self.code = code
        self.audited = audited
