"""Starts, shows, decides and ends device authorizations (RFC 8628)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, cast

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor, Role, Scope
from backend.api.device_authorizations.schemas import (
    DeviceApproval,
    DeviceAuthorization,
    DeviceAuthorizationStart,
    DeviceToken,
    NewDeviceAuthorization,
)
from backend.api.errors import DeviceFlowRefused, Forbidden
from backend.api.rate_limits.address import is_local, network_of
from backend.api.tokens import service as tokens
from backend.api.tokens.schemas import DEFAULT_DAYS
from backend.core.errors import Invalid, NotFound
from backend.settings import Settings
from backend.store.models import DeviceAuthorization as Row
from backend.store.repositories import device_authorizations as stored
from backend.store.repositories import tokens as stored_tokens
from backend.store.repositories.accounts import Subject
from backend.store.repositories.device_authorizations import Approver, Poll
from backend.store.secrets import USER_CODE_ALPHABET, USER_CODE_LENGTH, digest, new_secret
from backend.store.session import session_scope

LIFETIME_S: Final = 600
INTERVAL_S: Final = 5
SLOWER_BY_S: Final = 5
"""Added to the interval of a client that polls too often (RFC 8628, 3.5)."""
LONGEST_INTERVAL_S: Final = 60
TOLERANCE_S: Final = 0.5
"""How much earlier a request may arrive: the network does not delay each one equally."""
MAX_OF_NETWORK: Final = 20
MAX_IN_ALL: Final = 10_000
"""Authorizations that wait at the same time. Programs of this host share their address, so that only the
second number limits them."""


@dataclass(frozen=True)
class Delivered:
    """A token, and its account for the audit log."""

    token: DeviceToken
    subject: Subject


class TooManyWaiting(Exception):
    """No further authorization of this address may wait now."""


def start(
    settings: Settings, given: DeviceAuthorizationStart, address: str
) -> tuple[str, NewDeviceAuthorization]:
    """Store a new authorization; its id and its codes. Raises TooManyWaiting."""
    device_code, network = new_secret(), network_of(address)
    with session_scope(settings) as session:
        waiting = stored.waiting(session, network)
        if waiting.of_network >= MAX_OF_NETWORK and not is_local(address):
            raise TooManyWaiting(f"{MAX_OF_NETWORK} sign-ins of this address wait already")
        if waiting.in_all >= MAX_IN_ALL:  # whoever fills the table loses its own, and refuses nobody
            stored.make_room(session, max(1, MAX_IN_ALL // 10))
        row = stored.add(
            session,
            digest(device_code),
            given.client_name,
            address,
            network,
            tuple(sorted(set(given.scopes))),
            timedelta(seconds=LIFETIME_S),
            INTERVAL_S,
        )
        authorization_id, user_code = row.id, grouped(row.user_code)
    page = f"{settings.base_url}/device"
    return authorization_id, NewDeviceAuthorization(
        device_code=device_code,
        user_code=user_code,
        verification_uri=page,
        verification_uri_complete=f"{page}?user_code={user_code}",
        expires_in=LIFETIME_S,
        interval=INTERVAL_S,
    )


def grouped(user_code: str) -> str:
    """A user code as it is shown: WDJB-MJHT."""
    return f"{user_code[:4]}-{user_code[4:]}"


def show(settings: Settings, user_code: str, address: str) -> DeviceAuthorization:
    """The waiting authorization of a user code, for somebody at this address. Raises NotFound."""
    with session_scope(settings) as session:
        row = _pending(session, user_code)
        return DeviceAuthorization(
            id=row.id,
            user_code=grouped(row.user_code),
            client_name=row.client_name,
            address=row.address,
            same_address=row.network == network_of(address),
            scopes=tuple(row.scopes),
            created_at=row.created_at,
            expires_at=row.expires_at,
        )


def approve(settings: Settings, actor: Actor, given: DeviceApproval) -> str:
    """Approve an authorization; returns its id. Raises NotFound, Forbidden, Invalid and Conflict."""
    with session_scope(settings) as session:
        row = _pending(session, given.user_code)
        if given.team_id not in actor.roles:
            raise Forbidden("forbidden", "you are no member of this team")
        if extra := set(given.scopes) - set(row.scopes):
            detail = f"the client does not want {', '.join(sorted(extra))}"
            raise Invalid.at("/scopes", "scope_not_allowed", detail)
        days = tokens.check(actor.roles[given.team_id], given.scopes, given.expires_in_days)
        stored_tokens.require_room(session, given.team_id, actor.account_id)
        scopes = tuple(sorted(set(given.scopes)))
        stored.decide(session, row.id, "approved", actor.account_id, given.team_id, scopes, days)
        return row.id


def deny(settings: Settings, actor: Actor, user_code: str) -> str:
    """Deny an authorization; returns its id. Raises NotFound."""
    with session_scope(settings) as session:
        row = _pending(session, user_code)
        stored.decide(session, row.id, "denied", actor.account_id)
        return row.id


def _pending(session: Session, user_code: str) -> Row:
    code = "".join(letter for letter in user_code.upper() if letter in USER_CODE_ALPHABET)
    row = stored.pending(session, code) if len(code) == USER_CODE_LENGTH else None
    if row is None:
        raise NotFound("no command line waits with this code: it is mistyped, was used, or has expired")
    return row


def deliver(settings: Settings, device_code: str) -> Delivered:
    """Create the token of an approved authorization, which ends. Raises DeviceFlowRefused."""
    with session_scope(settings) as session:
        found = stored.poll(session, digest(device_code))
        outcome = _outcome(session, found)
    # Outside: what the poll changed is committed.
    if isinstance(outcome, DeviceFlowRefused):
        raise outcome
    return outcome


def _outcome(session: Session, found: Poll | None) -> Delivered | DeviceFlowRefused:
    if found is None:
        return DeviceFlowRefused("invalid_grant", "this device code is unknown, was used, or is too old")
    row = found.row
    if row.decision == "denied":
        return DeviceFlowRefused("access_denied", "the sign-in was denied in the browser")
    if found.expired:
        return DeviceFlowRefused("expired_token", "nobody confirmed the sign-in in time; begin again")
    if row.decision is None:
        return _keep_waiting(session, found)
    approver = stored.approver(session, row.id)
    if approver is None or not set(row.granted or ()) <= set(_scopes_of(approver)):
        stored.remove(session, row.id)
        return DeviceFlowRefused(
            "access_denied", "the account that confirmed the sign-in has no such rights any more"
        )
    return _delivered(session, row, approver)


def _keep_waiting(session: Session, found: Poll) -> DeviceFlowRefused:
    interval = found.row.interval_s
    too_often = found.age_s is not None and found.age_s < interval - TOLERANCE_S
    if too_often:
        interval = min(interval + SLOWER_BY_S, LONGEST_INTERVAL_S)
    stored.keep_waiting(session, found.row.id, interval)
    if too_often:
        detail = f"ask at most every {interval} seconds"
        return DeviceFlowRefused("slow_down", detail, audited=False)
    return DeviceFlowRefused("authorization_pending", "nobody has confirmed it yet", audited=False)


def _delivered(session: Session, row: Row, approver: Approver) -> Delivered:
    name, scopes = f"Command line on {row.client_name}", tuple(row.granted or ())
    days = row.lifetime_days or DEFAULT_DAYS  # an approval of an earlier release may have none
    made = tokens.mint(session, approver.account_id, approver.team_id, name, scopes, days)
    stored.remove(session, row.id)
    token = DeviceToken(
        access_token=made.token,
        token_type="Bearer",  # nosec B106
        expires_in=days * 86_400,
        scope=" ".join(scopes),
        id=made.id,
    )
    return Delivered(token, Subject(approver.account_id, approver.name, approver.team_id))


def _scopes_of(approver: Approver) -> tuple[Scope, ...]:
    return tokens.SCOPES_OF_ROLE[cast("Role", approver.role)]
