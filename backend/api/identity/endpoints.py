"""The routes of /sign-in and /account/identities."""

from __future__ import annotations

import hmac
import logging
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response, status
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from backend.api.access import authentication
from backend.api.access.guard import Caller
from backend.api.identity import service
from backend.api.identity.attempt import LIFETIME_S, Attempt, cookie_name, own_path
from backend.api.identity.provider import Provider, SignInFailed
from backend.api.identity.schemas import (
    LinkedIdentityList,
    LinkedIdentityStart,
    SignInMethods,
    SignInProvider,
)
from backend.api.identity.service import Visit
from backend.api.problem_details import request_id
from backend.api.rate_limits.secret_routes import mark_failed
from backend.api.request import Config, StrictRoute
from backend.api.sessions.endpoints import browser_of, signed_in
from backend.core.errors import NotFound, Unavailable
from backend.settings import Settings

logger = logging.getLogger(__name__)

router = APIRouter(route_class=StrictRoute)
START: Final = "/api/v1/sign-in/oidc"
ACCOUNT_PAGE: Final = "/account"
Short = Annotated[str | None, Query(max_length=512)]
Long = Annotated[str | None, Query(max_length=4096, pattern="^[ -~]*$")]


@router.get("/sign-in", operation_id="listSignInMethods")
def list_sign_in_methods(settings: Config, response: Response) -> SignInMethods:
    """Read how browsers sign in to this server."""
    response.headers["Cache-Control"] = "no-store"
    if settings.oidc_issuer is None:
        return SignInMethods(provider=None)
    return SignInMethods(provider=SignInProvider(name=settings.oidc_name, url=START))


@router.get(
    "/sign-in/oidc",
    operation_id="startProviderSignIn",
    status_code=status.HTTP_303_SEE_OTHER,
    response_class=RedirectResponse,
)
async def start_provider_sign_in(settings: Config, request: Request, to: Short = None) -> Response:
    """Send a browser to the identity provider; `to` is the page of this server to open afterwards."""
    provider = _provider(request)
    attempt = Attempt.begin(provider.now(), own_path(to))
    try:
        url = await provider.authorization_url(attempt)
    except SignInFailed as failure:
        return await _failed(settings, request, failure)
    answer = _to(url)
    _keep(settings, answer, attempt)
    return answer


@router.get(
    "/sign-in/oidc/callback",
    operation_id="finishProviderSignIn",
    status_code=status.HTTP_303_SEE_OTHER,
    response_class=RedirectResponse,
)
async def finish_provider_sign_in(
    settings: Config,
    request: Request,
    state: Short = None,
    code: Long = None,
    error: Short = None,
    iss: Short = None,
) -> Response:
    """Take a browser back from the identity provider, and sign it in; sends it to a page in every case."""
    provider, attempt = _provider(request), None
    try:
        attempt = _attempt(settings, request, provider, state)
        if iss is not None and iss != settings.oidc_issuer:  # RFC 9207
            raise SignInFailed("issuer_mismatch", "the response names another issuer")
        if code is None:
            raise SignInFailed("declined", error or "no code")
        identity = await provider.identity(attempt, code)
        if attempt.session_id is not None:
            own = request.cookies.get(authentication.cookie_name(settings), "")
            await run_in_threadpool(
                service.link, settings, identity, own, attempt.session_id, _visit(request)
            )
            answer = _to(attempt.path)
        else:
            opened = await run_in_threadpool(service.sign_in, settings, identity, _visit(request))
            answer = _to(attempt.path)
            signed_in(settings, request, answer, opened)
    except SignInFailed as failure:
        answer = await _failed(settings, request, failure, attempt)
    answer.delete_cookie(
        cookie_name(settings), secure=settings.is_https, httponly=True, samesite="lax", path="/"
    )
    return answer


@router.get("/account/identities", operation_id="listIdentities")
def list_identities(settings: Config, caller: Caller, response: Response) -> LinkedIdentityList:
    """List the identities of the provider that sign in to the caller's account."""
    response.headers["Cache-Control"] = "no-store"
    return service.read_list(settings, caller)


@router.delete(
    "/account/identities/{identity_id:id}",
    operation_id="unlinkIdentity",
    status_code=status.HTTP_204_NO_CONTENT,
)
def unlink_identity(settings: Config, caller: Caller, identity_id: str) -> None:
    """Remove an identity from the caller's account. Needs a recent sign-in, and another way to sign in."""
    service.unlink(settings, caller, identity_id)


@router.post("/account/identities", operation_id="linkIdentity")
async def link_identity(
    settings: Config, caller: Caller, request: Request, response: Response
) -> LinkedIdentityStart:
    """Begin to link an identity of the provider to the caller's account. Needs a recent sign-in."""
    provider = _provider(request)
    await run_in_threadpool(service.check_linking, settings, caller)
    attempt = Attempt.begin(provider.now(), ACCOUNT_PAGE, caller.id)
    try:
        url = await provider.authorization_url(attempt)
    except SignInFailed as failure:
        logger.warning("linking an identity failed: %s", failure)
        raise Unavailable("the identity provider does not answer: try again later") from failure
    response.headers["Cache-Control"] = "no-store"
    _keep(settings, response, attempt)
    return LinkedIdentityStart(url=url)


def _provider(request: Request) -> Provider:
    """The provider of the settings. Raises NotFound."""
    provider: Provider | None = request.app.state.provider
    if provider is None:
        raise NotFound("this server has no identity provider")
    return provider


def _attempt(settings: Settings, request: Request, provider: Provider, state: str | None) -> Attempt:
    """The attempt that this browser began and the provider answers. Raises SignInFailed."""
    attempt = Attempt.read(request.cookies.get(cookie_name(settings)))
    if attempt is None or not attempt.is_open(provider.now()):
        raise SignInFailed("attempt_unknown", "no attempt of this browser is open")
    if not hmac.compare_digest((state or "").encode(), attempt.state.encode()):
        raise SignInFailed("attempt_unknown", "the state is of another attempt")
    return attempt


async def _failed(
    settings: Settings, request: Request, failure: SignInFailed, attempt: Attempt | None = None
) -> Response:
    """The page that explains the failure; counts as a failed attempt of the address."""
    logger.warning("sign-in by the provider failed: %s", failure)
    if failure.code != "unavailable":
        mark_failed(request.scope)
    await run_in_threadpool(service.refused, settings, failure, _visit(request))
    page = "/sign-in" if attempt is None or attempt.session_id is None else ACCOUNT_PAGE
    return _to(f"{page}?failed={failure.code}")


def _to(url: str) -> Response:
    headers = {"Cache-Control": "no-store"}
    return RedirectResponse(url, status.HTTP_303_SEE_OTHER, headers)


def _visit(request: Request) -> Visit:
    return Visit(browser_of(request), request_id(request.scope))


def _keep(settings: Settings, response: Response, attempt: Attempt) -> None:
    """Give the browser the cookie of its attempt: sent on the way back, because that is a top-level GET."""
    response.set_cookie(
        cookie_name(settings),
        attempt.cookie,
        max_age=LIFETIME_S,
        secure=settings.is_https,
        httponly=True,
        samesite="lax",
        path="/",
    )
