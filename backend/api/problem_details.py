"""Maps errors to HTTP responses with problem details (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.api.access_log import CLIENT_LEFT, method_and_route
from backend.api.errors import (
    BodyTooSlow,
    DeviceFlowRefused,
    Forbidden,
    Overloaded,
    Paused,
    RateLimited,
    Unauthenticated,
    UnsupportedMedia,
    WorkerOutdated,
)
from backend.api.schema import FieldProblem, ProblemDocument
from backend.core import errors
from backend.core.errors import PlimsollError, Problem

logger = logging.getLogger(__name__)

PROBLEM_JSON = "application/problem+json"
UPGRADE = "plimsoll-worker/1"
"""What a response with status 426 has to name (RFC 9110, 15.5.22)."""
RETRY_AFTER_S = 5
MOST_PROBLEMS = 100
"""Fields that a response names: a list of wrong values would get an answer many times as long as itself."""


@dataclass(frozen=True)
class Row:
    """Status and title of a kind of error."""

    status: int
    title: str


TABLE: dict[type[PlimsollError], Row] = {
    errors.Malformed: Row(400, "The document cannot be read"),
    errors.Invalid: Row(422, "The request is invalid"),
    errors.Refused: Row(422, "The request cannot be processed"),
    errors.NotFound: Row(404, "Not found"),
    errors.Conflict: Row(409, "Conflict with the current state"),
    errors.InUse: Row(409, "The same request is in progress"),
    errors.QuotaExceeded: Row(429, "A quota is used up"),
    errors.Gone: Row(410, "No longer available"),
    errors.DatabaseFull: Row(507, "The database has no space left"),
    errors.Unavailable: Row(503, "A required service is unavailable"),
    RateLimited: Row(429, "Too many requests"),
    DeviceFlowRefused: Row(400, "There is no token for this device code"),
    Paused: Row(429, "Sign-in is paused"),
    Overloaded: Row(503, "Too many concurrent requests"),
    UnsupportedMedia: Row(415, "Unsupported media type"),
    BodyTooSlow: Row(408, "The body arrived too slowly"),
    Unauthenticated: Row(401, "Not signed in"),
    Forbidden: Row(403, "Not allowed"),
    WorkerOutdated: Row(426, "This worker needs another release"),
}

_HTTP_CODES = {
    400: "bad_request",
    403: "cross_origin",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    421: "foreign_host",
}
_HTTP_DETAILS = {
    404: "no resource has this URL",
    413: "the body is too large",
}


def problem(
    request_id: str,
    status: int,
    code: str,
    title: str,
    detail: str,
    fields: Sequence[Problem] = (),
    headers: dict[str, str] | None = None,
) -> Response:
    """The response for an error; `detail` and `fields` must contain no secret."""
    document = ProblemDocument(
        type=f"/problems/{code.replace('_', '-')}",
        title=title,
        status=status,
        detail=detail,
        instance=f"/errors/{request_id}",
        code=code,
        errors=tuple(FieldProblem(pointer=f.pointer, code=f.code, detail=f.detail) for f in fields),
    )
    extra = {"Cache-Control": "no-store", **(headers or {})}
    return Response(document.model_dump_json(), status, extra, media_type=PROBLEM_JSON)


def request_id(scope: Scope) -> str:
    """The id of this request, set by `security.SecurityHeaders`."""
    given: str = scope.get("state", {}).get("request_id", "unknown")
    return given


def install(app: FastAPI) -> None:
    """Register the exception handlers."""
    app.add_exception_handler(PlimsollError, _on_plimsoll)
    app.add_exception_handler(RequestValidationError, _on_validation)
    app.add_exception_handler(HTTPException, _on_http)


def _row(error: PlimsollError) -> Row:
    for kind in type(error).__mro__:
        if kind in TABLE:
            return TABLE[kind]
    return Row(500, "Internal error")


def outcome_of(error: Exception) -> tuple[int, str]:
    """Status and code of the response to an error."""
    if isinstance(error, HTTPException) and isinstance(error.__cause__, PlimsollError):
        error = error.__cause__
    if isinstance(error, PlimsollError):
        status = _row(error).status
        return status, "internal" if status == 500 else _code(error.code, _problems(error))
    if isinstance(error, RequestValidationError):
        row, code, _ = _validation(error)
        return row.status, code
    if isinstance(error, HTTPException):
        return error.status_code, _http_code(error)
    if isinstance(error, ClientDisconnect):
        return CLIENT_LEFT, "client_left"
    return 500, "internal"


async def _on_plimsoll(request: Request, error: Exception) -> Response:
    assert isinstance(error, PlimsollError)
    row, fields = _row(error), _problems(error)
    code = _code(error.code, fields)
    headers = {}
    if row.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if row.status == 408:
        headers["Connection"] = "close"
    if row.status == 426:
        headers |= {"Upgrade": UPGRADE, "Connection": "Upgrade"}
    if row.status in (503, 507) or isinstance(error, errors.InUse):
        headers["Retry-After"] = str(RETRY_AFTER_S)
    if isinstance(error, (errors.QuotaExceeded, Paused)):
        headers["Retry-After"] = str(error.retry_after_s)
    if isinstance(error, RateLimited):
        headers |= error.headers
    if row.status in (503, 507):
        logger.warning("%s %s: %s", *method_and_route(request.scope), error.__cause__ or error)
    if row.status == 500:
        logger.error("%s %s", *method_and_route(request.scope), exc_info=error)
        return _unexpected(request.scope)
    return problem(request_id(request.scope), row.status, code, row.title, str(error), fields, headers)


async def _on_validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    row, code, found = _validation(error)
    detail = "; ".join(f"{p.pointer or '/'}: {p.detail}" for p in found)
    return problem(request_id(request.scope), row.status, code, row.title, detail, found)


def _validation(error: RequestValidationError) -> tuple[Row, str, list[Problem]]:
    found = [_field(item) for item in error.errors()[:MOST_PROBLEMS]]
    kind = errors.Malformed if any(field.code == "malformed" for field in found) else errors.Invalid
    return TABLE[kind], _code(kind.code, found), found


def _problems(error: PlimsollError) -> Sequence[Problem]:
    return error.problems if isinstance(error, errors.Refused) else ()


def _http_code(error: HTTPException) -> str:
    return _HTTP_CODES.get(error.status_code, f"http_{error.status_code}")


def _code(general: str, fields: Sequence[Problem]) -> str:
    """The code of the only problem, else the general one."""
    return fields[0].code if len(fields) == 1 else general


def _field(item: dict[str, Any]) -> Problem:
    """A validation error of FastAPI, with a JSON Pointer into the body or to the parameter's name."""
    where, *path = item["loc"] or ("body",)
    code = {"extra_forbidden": "unknown_field", "json_invalid": "malformed"}.get(item["type"], item["type"])
    if item["type"] == "json_invalid":
        return Problem("", code, f"not JSON at character {path[0] if path else 0}: {item['ctx']['error']}")
    pointer = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
    detail = _bad_form(path) if code == "string_pattern_mismatch" else item["msg"]
    if where != "body":
        return Problem(pointer, code, f"{where} parameter {'.'.join(map(str, path))}: {detail}")
    return Problem(pointer, code, detail)


def _bad_form(path: Sequence[str | int]) -> str:
    """What a text of another form must be, in place of the regular expression."""
    field = next((part for part in reversed(path) if isinstance(part, str)), "the value")
    if field in ("tag", "tags"):
        return (
            "a tag has 1 to 40 characters of a-z, 0-9, dot, hyphen, underscore, colon and slash, "
            "starting with a-z or 0-9"
        )
    return f"{field} has a form or a character that is not allowed; the API reference says which are"


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, PlimsollError):  # raised while FastAPI read the body
        return await _on_plimsoll(request, error.__cause__)
    headers = dict(error.headers or {})
    detail = str(error.detail)
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_allowed(request))
        detail = f"{request.method} is not allowed here; allowed: {headers['Allow']}"
    else:
        detail = _HTTP_DETAILS.get(error.status_code, detail)
    title = HTTPStatus(error.status_code).phrase
    return problem(
        request_id(request.scope), error.status_code, _http_code(error), title, detail, (), headers
    )


def _allowed(request: Request) -> list[str]:
    """The methods that any route accepts for this URL."""
    app: FastAPI = request.app
    found: set[str] = set()
    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"):
        scope = {**request.scope, "method": method}
        if any(route.matches(scope)[0] == Match.FULL for route in app.router.routes):
            found.add(method)
    return sorted(found)


def _unexpected(scope: Scope) -> Response:
    return problem(
        request_id(scope),
        500,
        "internal",
        "Internal error",
        "an unexpected error occurred; the server's log has the details",
    )


class UnexpectedErrors:
    """Logs an unexpected exception and responds with a 500 that does not contain its text."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        started = False

        async def observe(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, observe)
        except ClientDisconnect:
            return  # before its body was read; nobody is there to respond to
        except Exception:
            if scope["type"] != "http" or started:
                raise
            logger.exception("request %s: %s %s", request_id(scope), *method_and_route(scope))
            await _unexpected(scope)(scope, receive, send)


def add_header(message: Message, name: str, value: str) -> None:
    """Set a header of a starting response, unless the endpoint set it."""
    MutableHeaders(scope=message).setdefault(name, value)
