"""Sets up, changes and removes the second factor of an account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.errors import RateLimited
from backend.api.identity import second_factor
from backend.api.second_factors.schemas import (
    NewSecondFactor,
    RecoveryCodes,
    SecondFactorChange,
    SecondFactorState,
)
from backend.core.errors import Conflict, Invalid, NotFound, Refused
from backend.settings import Settings
from backend.store.repositories import accounts, browser_sessions, passwords, second_factors
from backend.store.session import session_scope

PAUSE_S: Final = int(second_factors.PAUSE.total_seconds())


def read(settings: Settings, actor: Actor) -> SecondFactorState:
    """The second factor of the caller's account."""
    with session_scope(settings) as session:
        found = second_factors.state(session, actor.account_id)
        known = accounts.teams(session, tuple(actor.roles | actor.withheld))
        return SecondFactorState(
            confirmed_at=None if found is None else found.confirmed_at,
            recovery_codes=0 if found is None else found.recovery_codes,
            proved=actor.proved_second_factor,
            recent_sign_in=actor.signed_in_recently,
            required_by=tuple(team.name for team in known if team.requires_second_factor),
        )


def begin(settings: Settings, actor: Actor) -> NewSecondFactor:
    """A new secret that counts once a code confirms it. Raises Conflict if there is one."""
    with session_scope(settings) as session:
        begun = second_factor.begin(session, actor.account_id, actor.email or actor.label)
    if begun is None:
        raise Conflict("this account already has a second factor: remove it first")
    return NewSecondFactor(secret=begun.secret, url=begun.url, svg=begun.svg)


def confirm(settings: Settings, actor: Actor, change: SecondFactorChange) -> RecoveryCodes:
    """Require the factor from now on. Raises Conflict, Invalid for a wrong code, and RateLimited."""
    codes: tuple[str, ...] | None = None
    with session_scope(settings) as session:
        stored = second_factors.lock(session, actor.account_id)
        if stored is None or stored.is_confirmed:
            raise Conflict("no second factor waits for a code: begin with a new one")
        if stored.is_paused:
            raise _paused()
        codes = second_factor.confirm(session, actor.account_id, change.code)
        if codes is not None:
            browser_sessions.proved_second_factor(session, actor.id)
            _end_others(session, actor, change)
    if codes is None:
        raise _wrong()
    return RecoveryCodes(recovery_codes=codes)


def verify(settings: Settings, actor: Actor, code: str) -> None:
    """Let this session prove the second factor. Raises Conflict, Invalid and RateLimited."""
    _with_code(
        settings, actor, code, lambda session: browser_sessions.proved_second_factor(session, actor.id)
    )


def renew_recovery_codes(settings: Settings, actor: Actor, code: str) -> RecoveryCodes:
    """Replace the recovery codes. Raises Conflict, Invalid and RateLimited."""
    codes = second_factor.new_recovery_codes()
    hashes = [second_factor.recovery_hash(one) for one in codes]
    _with_code(
        settings,
        actor,
        code,
        lambda session: second_factors.replace_recovery_codes(session, actor.account_id, hashes),
    )
    return RecoveryCodes(recovery_codes=codes)


def remove(settings: Settings, actor: Actor, change: SecondFactorChange) -> None:
    """Remove the caller's second factor. Raises Conflict, Invalid and RateLimited."""

    def work(session: Session) -> None:
        second_factors.remove(session, actor.account_id)
        _end_others(session, actor, change)

    _with_code(settings, actor, change.code, work)


def reset(settings: Settings, actor: Actor, account_id: str) -> None:
    """Remove another account's second factor. Raises Conflict and NotFound."""
    if account_id == actor.account_id:
        raise Conflict("remove your own second factor at /account, by a code")
    with session_scope(settings) as session:
        if not second_factors.remove(session, account_id):
            raise NotFound("there is no such account, or it has no second factor")


def _with_code(settings: Settings, actor: Actor, code: str, work: Callable[[Session], None]) -> None:
    """Do work in the transaction that accepts a code; a wrong code is counted, whatever follows.

    It is counted for this session alone: who took a session's cookie does not keep its owner from signing in.
    """
    own = f"codes of {actor.id}"
    with session_scope(settings) as session:
        if not second_factor.is_required(session, actor.account_id):
            raise Conflict("this account has no second factor")
        pause_s = passwords.begin_attempt(session, own)
    if pause_s:
        raise RateLimited(
            f"too many wrong codes in this browser: try again in {pause_s} s",
            {"Retry-After": str(pause_s)},
            first=True,
        )
    with session_scope(settings) as session:
        answer = second_factor.check(session, actor.account_id, code, of_account=False)
        if answer == "accepted":
            work(session)
            passwords.end_attempts(session, own)
    if answer != "accepted":
        raise _wrong()


def _end_others(session: Session, actor: Actor, change: SecondFactorChange) -> None:
    if change.end_other_sessions:
        browser_sessions.end_all(session, actor.account_id, actor.id)


def _wrong() -> Refused:
    detail = "this code is wrong, was used before, or the clock of the app is wrong: enter the next one"
    return Invalid.at("/code", "wrong_code", detail)


def _paused() -> RateLimited:
    headers = {"Retry-After": str(PAUSE_S)}
    return RateLimited("too many wrong codes: none is read for five minutes", headers, first=True)
