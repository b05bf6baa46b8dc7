"""The second factor of accounts with a password: codes of an authenticator app, and recovery codes.

Not for sign-in by a provider, which has a second factor of its own, nor by a one-time link.
"""

from __future__ import annotations

import hmac
import io
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import pyotp
import segno
from sqlalchemy.orm import Session

from backend.store.repositories import second_factors
from backend.store.secrets import digest

ISSUER: Final = "Plimsoll"
STEP_S: Final = 30
RECOVERY_CODES: Final = 10
_ALPHABET: Final = "23456789abcdefghjkmnpqrstvwxyz"

Answer = Literal["accepted", "wrong", "paused"]
"""What became of a code; `paused`: too many wrong ones, so that no code is read for five minutes."""


@dataclass(frozen=True)
class Enrolment:
    """What an authenticator app needs: the secret, its otpauth URL, and that URL as a QR code (SVG)."""

    secret: str
    url: str
    svg: str


def begin(session: Session, account_id: str, label: str) -> Enrolment | None:
    """A new secret that counts once a code confirms it; None if the account already has a second factor."""
    secret = pyotp.random_base32()
    if not second_factors.begin(session, account_id, secret):
        return None
    url = pyotp.TOTP(secret).provisioning_uri(name=label, issuer_name=ISSUER)
    return Enrolment(secret, url, _svg(url))


def confirm(
    session: Session, account_id: str, code: str, now: Callable[[], float] = time.time
) -> tuple[str, ...] | None:
    """Require the factor from now on, if the code is right; returns the recovery codes, shown once."""
    stored = second_factors.lock(session, account_id)
    if stored is None or stored.is_confirmed or stored.is_paused:
        return None
    step = _step(stored.secret, code, stored.last_step, now())
    if step is None:
        second_factors.failed(session, account_id)
        return None
    codes = new_recovery_codes()
    second_factors.confirm(session, account_id, step, [recovery_hash(one) for one in codes])
    return codes


def is_required(session: Session, account_id: str) -> bool:
    """Whether a sign-in of this account by password needs a code."""
    stored = second_factors.lock(session, account_id)
    return stored is not None and stored.is_confirmed


def check(
    session: Session,
    account_id: str,
    code: str,
    now: Callable[[], float] = time.time,
    of_account: bool = True,
) -> Answer:
    """Use up a code of the app or a recovery code. Commit in every case: wrong ones are counted.

    `of_account` false: the caller counts, and neither meets the account's pause nor begins one.
    """
    stored = second_factors.lock(session, account_id)
    if stored is None or not stored.is_confirmed:
        return "wrong"
    if of_account and stored.is_paused:
        return "paused"
    step = _step(stored.secret, code, stored.last_step, now())
    if step is not None:
        second_factors.accepted(session, account_id, step)
        return "accepted"
    if second_factors.use_recovery_code(session, account_id, recovery_hash(code)):
        return "accepted"
    if of_account:
        second_factors.failed(session, account_id)
    return "wrong"


def _svg(url: str) -> str:
    """A QR code as a document of its own: black on white in every theme, four modules of margin."""
    out = io.BytesIO()
    segno.make(url, micro=False).save(out, kind="svg", scale=4, border=4, light="white", xmldecl=False)
    return out.getvalue().decode()


def _step(secret: str, code: str, last_step: int, now: float) -> int | None:
    """The time step of a right code, at most one before or after now and later than the last accepted one."""
    totp, given = pyotp.TOTP(secret), code.replace(" ", "")
    for step in (int(now) // STEP_S + shift for shift in (-1, 0, 1)):
        right = totp.generate_otp(step)
        if step > last_step and hmac.compare_digest(right.encode(), given.encode()):
            return step
    return None


def new_recovery_codes() -> tuple[str, ...]:
    """New recovery codes."""
    return tuple(_recovery_code() for _ in range(RECOVERY_CODES))


def _recovery_code() -> str:
    """A code of 58 bits, in groups that can be typed."""
    text = "".join(secrets.choice(_ALPHABET) for _ in range(12))
    return "-".join((text[:4], text[4:8], text[8:]))


def recovery_hash(code: str) -> str:
    """What is stored of a recovery code; case and spaces do not count."""
    return digest("".join(code.lower().split()))
