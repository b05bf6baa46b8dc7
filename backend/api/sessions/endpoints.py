"""The routes of /sessions and /session."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response, status

from backend.api.access.authentication import MAX_COOKIE, cookie_name, device_cookie_name
from backend.api.access.guard import Caller
from backend.api.client_address import client_address
from backend.api.request import Config, StrictRoute, json_only
from backend.api.sessions import service
from backend.api.sessions.schemas import Session, SessionChange, SessionList
from backend.api.sessions.service import DEVICE_DAYS, LIFETIME_DAYS, Browser, Opened
from backend.settings import Settings
from backend.store.secrets import digest, is_secret, new_secret

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.get("/sessions", operation_id="listSessions")
def list_sessions(settings: Config, caller: Caller, response: Response) -> SessionList:
    """List the browsers in which the account is signed in."""
    response.headers["Cache-Control"] = "no-store"
    return service.read_list(settings, caller)


@router.delete(
    "/sessions/{session_id:id}", operation_id="endOtherSession", status_code=status.HTTP_204_NO_CONTENT
)
def end_other_session(settings: Config, caller: Caller, session_id: str) -> None:
    """Sign a browser of the account out."""
    service.end(settings, caller, session_id)


@router.get("/session", operation_id="getSession")
def get_session(settings: Config, caller: Caller, request: Request, response: Response) -> Session:
    """Read who calls: account, teams, and what it may do."""
    response.headers["Cache-Control"] = "no-store"
    return service.describe(settings, caller, request.cookies.get(cookie_name(settings)))


@router.patch("/session", operation_id="updateSession")
def update_session(
    settings: Config, caller: Caller, request: Request, response: Response, change: SessionChange
) -> Session:
    """Work in another team of the account."""
    response.headers["Cache-Control"] = "no-store"
    changed = service.change_team(settings, caller, change.team_id)
    return service.describe(settings, changed, request.cookies.get(cookie_name(settings)))


@router.delete("/session", operation_id="endSession", status_code=status.HTTP_204_NO_CONTENT)
def end_session(settings: Config, caller: Caller, response: Response) -> None:
    """Sign out: the session ends on the server, and the browser forgets its cookie."""
    service.sign_out(settings, caller)
    response.delete_cookie(
        cookie_name(settings), secure=settings.is_https, httponly=True, samesite="lax", path="/"
    )


def browser_of(request: Request) -> Browser:
    """Where a request comes from."""
    settings: Settings = request.app.state.settings
    cookie = request.cookies.get(cookie_name(settings), "")
    device = request.cookies.get(device_cookie_name(settings), "")
    return Browser(
        client_address(request.scope),
        request.headers.get("user-agent", ""),
        digest(cookie) if 0 < len(cookie) <= MAX_COOKIE else None,
        device if is_secret(device) else new_secret(),
    )


def signed_in(settings: Settings, request: Request, response: Response, opened: Opened) -> None:
    """Give the browser its cookies, and name the account in the audit log."""
    request.state.subject = opened.subject
    for name, value, days in (
        (cookie_name(settings), opened.cookie, LIFETIME_DAYS),
        (device_cookie_name(settings), opened.device, DEVICE_DAYS),
    ):
        response.set_cookie(
            name,
            value,
            max_age=days * 86_400,
            secure=settings.is_https,
            httponly=True,
            samesite="lax",
            path="/",
        )
