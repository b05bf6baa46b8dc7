"""The one place that decides on every request of the API: who calls, for which team, whether it is allowed.

It runs before the body is read and before any cache, and again after a body that arrived late. Another team's
object and a missing one get the same response. Requests that change something and all refusals are written to
the audit log.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Final

from fastapi import Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from backend.api.access.actor import NEEDED_ROLE, Actor
from backend.api.access.audit_record import AuditRecord
from backend.api.access.authentication import SAFE_METHODS, authenticate, in_team
from backend.api.access.enrolled import recognise_host
from backend.api.access.rules import OBJECTS, RULES, Rule
from backend.api.arriving_bodies import ArrivingBodies
from backend.api.errors import Forbidden, RateLimited, Unauthenticated
from backend.api.problem_details import outcome_of
from backend.api.rate_limits.limiter import Allowance, BudgetName, Limiter, refusal
from backend.core.errors import Invalid, NotFound
from backend.settings import Settings
from backend.store.ids import Prefix
from backend.store.repositories import owners
from backend.store.repositories.callers import RECENT
from backend.store.repositories.host_tokens import EnrolledHost
from backend.store.session import session_scope

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
NOT_INSTALLATION_ADMIN: Final = "only an administrator of the installation may do this"
LATE_S: Final = 1.0
"""Seconds that a body may take before its caller is admitted again."""

MAX_PUBLIC_BODY: Final = 64 * 1024
"""Bytes of a body without credentials, and of a GET, which needs none."""
MOST_NAMED: Final = 100
"""Objects that a URL may name: each costs a query before anything else is checked."""


@dataclass(frozen=True)
class Admission:
    """The caller of an admitted request: somebody, or the worker of a host; neither of a public one."""

    actor: Actor | None
    host: EnrolledHost | None = None


class GuardedRoute(APIRoute):
    """A route that is served only if the rule of its operation admits the caller."""

    def get_route_handler(self) -> Handler:
        """FastAPI's handler behind the guard."""
        handler = super().get_route_handler()
        operation = self.operation_id or ""

        async def read(request: Request) -> Response:
            is_safe = request.method in SAFE_METHODS
            if is_safe or RULES[operation].permission == "public":
                request = type(request)(request.scope, _at_most(MAX_PUBLIC_BODY, request.receive))
            if is_safe:
                return await handler(request)
            async with late_body_check(request, operation):
                await request.body()
            return await handler(request)

        async def guarded(request: Request) -> Response:
            return await serve(request, operation, read)

        return guarded


def _at_most(most: int, receive: Receive) -> Receive:
    """Receives a body of at most so many bytes. Raises HTTPException 413 for what is longer."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > most:
            raise HTTPException(413, headers={"Connection": "close"})
        return message

    return limited


@asynccontextmanager
async def late_body_check(request: Request, operation: str) -> AsyncIterator[None]:
    """Read a body in this context: the caller of one that arrives late is admitted again.

    A client decides how long its body takes: without this, a session that has ended meanwhile would still
    make a token. Raises what `admit` raises.
    """
    began = time.monotonic()
    yield
    if time.monotonic() - began > LATE_S:
        await run_in_threadpool(_admit_again, request.app.state.settings, request, RULES[operation])


async def serve(request: Request, operation: str, handler: Handler) -> Response:
    """The handler's response, if the caller is admitted; writes the audit log."""
    settings: Settings = request.app.state.settings
    record = AuditRecord(settings, request, operation)
    try:
        await run_in_threadpool(admit, settings, request, RULES[operation], record)
        response = await _counting(request, handler)
    except Exception as error:
        if getattr(error, "audited", True):
            await record.write(*outcome_of(error))
        raise
    await record.write(response.status_code, None)
    if RULES[operation].ends_access:
        request.app.state.subscriptions.check_access()
    if record.allowance is not None:
        response.headers.update(record.allowance.headers())
    return response


async def _counting(request: Request, handler: Handler) -> Response:
    """The handler's response; the body of an account's request counts until then. Raises Overloaded."""
    admission: Admission = request.state.admission
    if admission.actor is None:
        return await handler(request)
    arriving: ArrivingBodies = request.app.state.arriving
    with arriving.count_bytes(admission.actor.account_id, request.receive) as receive:
        return await handler(type(request)(request.scope, receive))


def admit(settings: Settings, request: Request, rule: Rule, record: AuditRecord) -> None:
    """Set `request.state.admission`. Raises Unauthenticated, RateLimited, Forbidden and NotFound."""
    request.state.admission = Admission(None)
    if rule.permission == "public":
        return
    if rule.permission == "worker":
        request.state.admission = Admission(None, _admit_host(settings, request, record))
        return
    actor = authenticate(settings, request)
    if actor is None:
        raise Unauthenticated("sign in, or send an API token in the Authorization header")
    record.actor = actor
    budget: BudgetName = "caller-reads" if request.method in SAFE_METHODS else "caller-writes"
    record.allowance = _count(request, budget, actor.id)
    actor = _for_objects(settings, request, rule, actor)
    record.actor = actor
    _check(rule, actor)
    record.is_of_installation = rule.permission == "installation"
    request.state.admission = Admission(actor)


def _admit_again(settings: Settings, request: Request, rule: Rule) -> None:
    """Admit the caller of an admitted request as it is now, without counting the request again."""
    admission: Admission = request.state.admission
    if admission.host is not None:
        found = recognise_host(settings, request)
        if found.missing is not None:
            raise NotFound(found.missing)
    elif admission.actor is not None:
        actor = authenticate(settings, request)
        if actor is None:
            raise Unauthenticated("you are signed out: sign in again")
        actor = _for_objects(settings, request, rule, actor)
        _check(rule, actor)
        request.state.admission = Admission(actor)


def _admit_host(settings: Settings, request: Request, record: AuditRecord) -> EnrolledHost:
    """The host whose worker calls. Raises Unauthenticated, RateLimited, NotFound for another's objects."""
    found = recognise_host(settings, request)
    record.host = found.host
    record.allowance = _count(request, "worker-requests", found.host.token_id)
    if found.missing is not None:
        raise NotFound(found.missing)
    return found.host


def _count(request: Request, budget: BudgetName, caller: str) -> Allowance | None:
    """Count a request against a budget of its session or token. Raises RateLimited."""
    limiter: Limiter = request.app.state.limiter
    found = limiter.take(budget, caller)
    if found is not None and not found.allowed:
        raise RateLimited(refusal(found), found.headers(), first=limiter.is_first_refusal(caller))
    return found


def _for_objects(settings: Settings, request: Request, rule: Rule, actor: Actor) -> Actor:
    """The actor in the team of the objects that the URL names.

    Raises NotFound unless it is a member, Forbidden without the second factor that the team requires, and
    Invalid beyond MOST_NAMED objects.
    """
    given: list[tuple[Prefix, str]] = [
        (OBJECTS[name], str(value)) for name, value in request.path_params.items() if name in OBJECTS
    ]
    given += [(kind, value) for name, kind in rule.query for value in request.query_params.getlist(name)]
    named = dict.fromkeys(given)
    if not named:
        return actor
    if len(named) > MOST_NAMED:
        raise Invalid.at("", "too_many", f"a URL names at most {MOST_NAMED} objects")
    with session_scope(settings) as session:
        for kind, object_id in named:
            team_id = owners.team_of(session, kind, object_id)
            if team_id in actor.withheld:
                raise second_factor_required()
            if team_id not in actor.roles:
                raise NotFound(f"there is no such {owners.KINDS[kind]}")
            actor = in_team(actor, team_id)
    return actor


def _check(rule: Rule, actor: Actor) -> None:
    """Raise Forbidden unless role, scope and kind of the caller, and its last sign-in, are enough."""
    _check_rights(rule, actor)
    if rule.recent:
        require_recent(actor)


def require_recent(actor: Actor) -> None:
    """Raise Forbidden unless the caller signed in within the last 15 minutes.

    Whoever found an open browser or took a cookie does not pass a password or a link again (OWASP ASVS 5.0,
    7.5.1 and 7.5.3).
    """
    if not actor.signed_in_recently:
        minutes = RECENT // timedelta(minutes=1)
        raise Forbidden("sign_in_again", f"sign in again: this needs a sign-in of the last {minutes} minutes")


def _check_rights(rule: Rule, actor: Actor) -> None:
    permission = rule.permission
    if permission == "signed_in":
        return
    if actor.kind == "token" and not rule.admits_tokens:
        raise Forbidden("insufficient_scope", "a token may not do this: sign in with a browser")
    if permission in ("account", "installation"):
        if permission == "installation" and not actor.installation_admin:
            raise Forbidden("forbidden", NOT_INSTALLATION_ADMIN)
        return
    scope, role = rule.needed_scope, NEEDED_ROLE[permission]
    if scope is not None and not actor.has_scope(scope):
        raise Forbidden("insufficient_scope", f"the token lacks the scope {scope}")
    if not actor.has_role(team_of(actor), role):
        raise Forbidden("forbidden", f"this needs the role {role} in the team: ask its administrator")


def team_of(actor: Actor) -> str:
    """The team that a caller acts in. Raises Forbidden without one, or without its second factor."""
    if actor.team_id is None:
        raise Forbidden("forbidden", "you are no member of any team: ask for an invitation")
    if actor.team_id in actor.withheld:
        raise second_factor_required()
    return actor.team_id


def second_factor_required() -> Forbidden:
    """The error for a member without the second factor that the team requires."""
    return Forbidden(
        "team_requires_second_factor",
        "this team requires a second factor: set it up at /account, or enter a code of it there",
    )


def is_still_admitted(settings: Settings, request: Request, admitted: Actor) -> bool:
    """Whether the credentials of an earlier request are still valid for reading in its team.

    False after the token was revoked, the session ended, the account was disabled or left the team.
    """
    try:
        actor = authenticate(settings, request)
    except (Unauthenticated, Forbidden):
        return False
    return actor is not None and actor.has_role(admitted.team_id, NEEDED_ROLE["read"])


async def _caller(request: Request) -> Actor:
    admission: Admission = request.state.admission
    assert admission.actor is not None, "a public operation has no caller"
    return admission.actor


Caller = Annotated[Actor, Depends(_caller)]
"""The caller of an operation that is neither public nor a worker's."""


async def _host(request: Request) -> EnrolledHost:
    admission: Admission = request.state.admission
    assert admission.host is not None, "only operations of workers have a host"
    return admission.host


CallingHost = Annotated[EnrolledHost, Depends(_host)]
"""The host whose worker calls."""
