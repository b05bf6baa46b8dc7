"""The routes of /device-authorizations."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends, Request, status

from backend.api.access.guard import Caller
from backend.api.client_address import client_address
from backend.api.device_authorizations import service
from backend.api.device_authorizations.schemas import (
    DeviceApproval,
    DeviceAuthorization,
    DeviceAuthorizationStart,
    DeviceCode,
    DeviceToken,
    NewDeviceAuthorization,
    UserCodeGiven,
)
from backend.api.errors import RateLimited
from backend.api.rate_limits.limiter import Limiter
from backend.api.request import Config, StrictRoute, json_only

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)

RETRY_AFTER_S: Final = 60


@router.post(
    "/device-authorizations",
    operation_id="startDeviceAuthorization",
    status_code=status.HTTP_201_CREATED,
)
def start_device_authorization(
    settings: Config, request: Request, given: DeviceAuthorizationStart
) -> NewDeviceAuthorization:
    """Begin a sign-in of a command line: codes for it and for its user (RFC 8628, 3.1)."""
    address = client_address(request.scope)
    try:
        request.state.created, made = service.start(settings, given, address)
    except service.TooManyWaiting as error:
        limiter: Limiter = request.app.state.limiter
        first = limiter.is_first_refusal(address)
        detail = f"{error}: send the request again in {RETRY_AFTER_S} s"
        raise RateLimited(detail, {"Retry-After": str(RETRY_AFTER_S)}, first) from error
    return made


@router.post("/device-authorizations:token", operation_id="pollDeviceAuthorization")
def poll_device_authorization(settings: Config, request: Request, given: DeviceCode) -> DeviceToken:
    """Fetch the token, once it was approved: a body in JSON, else as RFC 8628, 3.4.

    Without a token, the status is 400 and `code` authorization_pending, slow_down (keep 5 s more between
    requests), access_denied, expired_token or invalid_grant.
    """
    delivered = service.deliver(settings, given.device_code)
    request.state.subject, request.state.created = delivered.subject, delivered.token.id
    return delivered.token


@router.post("/device-authorizations:find", operation_id="findDeviceAuthorization")
def find_device_authorization(
    settings: Config, caller: Caller, request: Request, given: UserCodeGiven
) -> DeviceAuthorization:
    """Read which client waits with a user code, before a decision."""
    return service.show(settings, given.user_code, client_address(request.scope))


@router.post(
    "/device-authorizations:approve",
    operation_id="approveDeviceAuthorization",
    status_code=status.HTTP_204_NO_CONTENT,
)
def approve_device_authorization(
    settings: Config, caller: Caller, request: Request, given: DeviceApproval
) -> None:
    """Give a waiting client a token of the account, with these scopes in this team."""
    request.state.object = service.approve(settings, caller, given)


@router.post(
    "/device-authorizations:deny",
    operation_id="denyDeviceAuthorization",
    status_code=status.HTTP_204_NO_CONTENT,
)
def deny_device_authorization(
    settings: Config, caller: Caller, request: Request, given: UserCodeGiven
) -> None:
    """Refuse a waiting client."""
    request.state.object = service.deny(settings, caller, given.user_code)
