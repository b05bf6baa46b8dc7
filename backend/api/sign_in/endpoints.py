"""The route that opens a session."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response, status
from fastapi.concurrency import run_in_threadpool

from backend.api.capacity import ConcurrencyLimit
from backend.api.errors import Paused, SecondFactorRequired
from backend.api.rate_limits.secret_routes import mark_failed, mark_right
from backend.api.request import Config, StrictRoute, json_only
from backend.api.sessions.endpoints import browser_of, signed_in
from backend.api.sign_in import service
from backend.api.sign_in.schemas import SignIn
from backend.api.sign_in.service import Credentials, Refused

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.post("/sessions", operation_id="createSession", status_code=status.HTTP_204_NO_CONTENT)
async def create_session(settings: Config, request: Request, response: Response, sign_in: SignIn) -> None:
    """Sign a browser in by a one-time link or by a password; the response sets the session cookie.

    401 wrong_credentials: no account has this address and password. 401 second_factor_required: send the
    same request with `code`. 429 sign_in_paused: after several wrong passwords, for this address alone.
    """
    given = service.credentials(sign_in)
    if not isinstance(given, Credentials):
        opened = await run_in_threadpool(service.by_link, settings, given, browser_of(request))
        signed_in(settings, request, response, opened)
        return
    slots: ConcurrencyLimit = request.app.state.password_slots
    async with slots.slot():
        answer = await run_in_threadpool(service.by_password, settings, given, browser_of(request))
    if isinstance(answer, Refused):
        request.state.subject = answer.subject
        if isinstance(answer.error, SecondFactorRequired):
            mark_right(request.scope)
        elif isinstance(answer.error, Paused):
            mark_failed(request.scope)  # or a pause would answer any number of requests
        raise answer.error
    signed_in(settings, request, response, answer)
