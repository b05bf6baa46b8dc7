"""Errors specific to HTTP; all others are in `backend.core.errors`."""

from __future__ import annotations

from backend.core.errors import PlimsollError


class Overloaded(PlimsollError):
    """Too many CPU-bound requests at the same time; the client may repeat the request later."""

    code = "overloaded"


class BodyTooSlow(PlimsollError):
    """The rest of a request's body did not arrive in time; its connection is closed."""

    code = "body_too_slow"

    def __init__(self, grace_s: float, least_rate: int) -> None:
        super().__init__(
            f"the body arrived too slowly: after {grace_s:g} s it needs {least_rate:,} bytes a second"
        )


class UnsupportedMedia(PlimsollError):
    """The route does not accept the body's media type."""

    code = "unsupported_media_type"

    def __init__(self, allowed: tuple[str, ...], given: str) -> None:
        super().__init__(f"send {' or '.join(allowed)}, not {given or 'a body without a Content-Type'}")


class Unauthenticated(PlimsollError):
    """The request has no credentials, or none that are valid."""

    code = "unauthenticated"


class WrongCredentials(Unauthenticated):
    """No account has this email address and password; which of the two is wrong is not said."""

    code = "wrong_credentials"

    def __init__(self) -> None:
        super().__init__("email address or password is wrong")


class SecondFactorRequired(Unauthenticated):
    """The password is right, and the account has a second factor."""

    code = "second_factor_required"

    def __init__(self) -> None:
        super().__init__("send the code of your authenticator app, or a recovery code, in the field code")


class SecondFactorWrong(Unauthenticated):
    """The password is right, and the code is not."""

    code = "second_factor_wrong"

    def __init__(self) -> None:
        super().__init__("this code is wrong, has expired or was used before; wait for the next one")


class Paused(PlimsollError):
    """Too many wrong passwords or codes for one address; the next attempt is read after a pause."""

    code = "sign_in_paused"

    def __init__(self, after: str, retry_after_s: int) -> None:
        super().__init__(f"paused after several {after} for this address: try again in {retry_after_s} s")
        self.retry_after_s = retry_after_s


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


class WorkerOutdated(PlimsollError):
    """A worker speaks a protocol that this server does not; the text is what to do.

    It is not audited, because the worker may repeat its request.
    """

    code = "worker_outdated"
    audited = False


class WorkerTooNew(WorkerOutdated):
    """A worker speaks a newer protocol than this server."""

    code = "worker_too_new"
