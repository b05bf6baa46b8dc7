"""The routes of /account/second-factor, and the reset by an administrator of the installation."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response, status

from backend.api.access.guard import Caller
from backend.api.request import Config, StrictRoute, json_only
from backend.api.second_factors import service
from backend.api.second_factors.schemas import (
    NewSecondFactor,
    RecoveryCodes,
    SecondFactorChange,
    SecondFactorCode,
    SecondFactorState,
)
from backend.core.errors import NotFound
from backend.store.ids import is_id


def _not_stored(response: Response) -> None:
    response.headers["Cache-Control"] = "no-store"


router = APIRouter(dependencies=[Depends(json_only), Depends(_not_stored)], route_class=StrictRoute)
PATH = "/account/second-factor"


@router.get(PATH, operation_id="getSecondFactor")
def get_second_factor(settings: Config, caller: Caller) -> SecondFactorState:
    """Read whether the caller's account has a second factor, and which of its teams require one."""
    return service.read(settings, caller)


@router.post(PATH, operation_id="beginSecondFactor", status_code=status.HTTP_201_CREATED)
def begin_second_factor(settings: Config, caller: Caller) -> NewSecondFactor:
    """Make a secret for an authenticator app; it counts once a code confirms it. Needs a recent sign-in."""
    return service.begin(settings, caller)


@router.post(f"{PATH}:confirm", operation_id="confirmSecondFactor")
def confirm_second_factor(settings: Config, caller: Caller, change: SecondFactorChange) -> RecoveryCodes:
    """Require the second factor from now on, by a code of the app; returns the recovery codes, once."""
    return service.confirm(settings, caller, change)


@router.post(f"{PATH}:verify", operation_id="verifySecondFactor", status_code=status.HTTP_204_NO_CONTENT)
def verify_second_factor(settings: Config, caller: Caller, given: SecondFactorCode) -> None:
    """Prove the second factor in a session that began without it."""
    service.verify(settings, caller, given.code)


@router.post(f"{PATH}/recovery-codes", operation_id="renewRecoveryCodes")
def renew_recovery_codes(settings: Config, caller: Caller, given: SecondFactorCode) -> RecoveryCodes:
    """Replace the recovery codes. Needs a recent sign-in and a code."""
    return service.renew_recovery_codes(settings, caller, given.code)


@router.post(f"{PATH}:remove", operation_id="removeSecondFactor", status_code=status.HTTP_204_NO_CONTENT)
def remove_second_factor(settings: Config, caller: Caller, change: SecondFactorChange) -> None:
    """Remove the second factor. Needs a recent sign-in, and a code of the app or a recovery code."""
    service.remove(settings, caller, change)


@router.delete(
    "/accounts/{account_id:id}/second-factor",
    operation_id="resetSecondFactor",
    status_code=status.HTTP_204_NO_CONTENT,
)
def reset_second_factor(settings: Config, caller: Caller, account_id: str) -> None:
    """Remove another account's second factor, for somebody who lost app and recovery codes."""
    if not is_id("acc", account_id):
        raise NotFound("there is no such account, or it has no second factor")
    service.reset(settings, caller, account_id)
