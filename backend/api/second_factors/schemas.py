"""Requests and responses of /account/second-factor."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StrictStr

from backend.api.schema import Body, Line, Timestamp

Code = Annotated[StrictStr, Field(min_length=1, max_length=64)]
"""A code of the authenticator app, or a recovery code."""


class SecondFactorState(Body):
    """The second factor of the caller's account; `confirmed_at` is null without one.

    `proved`: a code was accepted in this session, or the identity provider signed it in. `recent_sign_in`:
    the session is new enough to change the second factor. `required_by`: the caller's teams that require one.
    """

    confirmed_at: Timestamp | None
    recovery_codes: int
    proved: bool
    recent_sign_in: bool
    required_by: tuple[Line, ...]


class NewSecondFactor(Body):
    """What an authenticator app needs: the secret, its otpauth URL, and that URL as a QR code in SVG."""

    secret: str
    url: str
    svg: str


class SecondFactorCode(Body):
    """A code that was not used before."""

    code: Code


class SecondFactorChange(Body):
    """A code that was not used before; `end_other_sessions` signs the account's other browsers out."""

    code: Code
    end_other_sessions: StrictBool = False


class RecoveryCodes(Body):
    """Codes that each replace one code of the app, once. No other response has them."""

    recovery_codes: tuple[str, ...]
