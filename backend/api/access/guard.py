"""The one place that decides on every request of the API: who calls, for which team, whether it is allowed.

It runs before the body is read and before any cache. Another team's object and a missing one get the same
response. Requests that change something and all refusals are written to the audit log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute

from backend.api.access.actor import NEEDED_ROLE, Actor
from backend.api.access.authentication import SAFE_METHODS, authenticate, has_credentials, in_team
from backend.api.access.enrolled import recognise_host
from backend.api.access.rules import OBJECTS, RULES, SUBJECTS, Rule
from backend.api.client_address import client_address
from backend.api.errors import Forbidden, RateLimited, Unauthenticated
from backend.api.problem_details import outcome_of, request_id
from backend.api.rate_limits.limiter import Allowance, BudgetName, Limiter, refusal
from backend.core.errors import NotFound, PlimsollError
from backend.settings import Settings
from backend.store.ids import Prefix, is_id
from backend.store.repositories import audit, owners
from backend.store.repositories.accounts import Subject
from backend.store.repositories.audit import Audited
from backend.store.repositories.host_tokens import EnrolledHost
from backend.store.session import session_scope

logger = logging.getLogger(__name__)

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
ANONYMOUS: Final = "anonymous"
NOT_INSTALLATION_ADMIN: Final = "only an administrator of the installation may do this"
DENIED: Final = frozenset({401, 403, 404, 429})


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

        async def guarded(request: Request) -> Response:
            return await serve(request, operation, handler)

        return guarded


async def serve(request: Request, operation: str, handler: Handler) -> Response:
    """The handler's response, if the caller is admitted; writes the audit log."""
    settings: Settings = request.app.state.settings
    record = _Record(settings, request, operation)
    try:
        await run_in_threadpool(admit, settings, request, RULES[operation], record)
        response = await handler(request)
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


def admit(settings: Settings, request: Request, rule: Rule, record: _Record) -> None:
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


def _admit_host(settings: Settings, request: Request, record: _Record) -> EnrolledHost:
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

    Raises NotFound unless it is a member, and Forbidden without the second factor that the team requires.
    """
    named: list[tuple[Prefix, str]] = [
        (OBJECTS[name], str(value)) for name, value in request.path_params.items() if name in OBJECTS
    ]
    named += [(kind, value) for name, kind in rule.query for value in request.query_params.getlist(name)]
    if not named:
        return actor
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
    """Raise Forbidden unless role, scope and kind of the caller are enough."""
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


class _Record:
    """The audit entry of one request."""

    def __init__(self, settings: Settings, request: Request, operation: str) -> None:
        self.actor: Actor | None = None
        self.host: EnrolledHost | None = None
        self.allowance: Allowance | None = None
        self.is_of_installation = False
        self._settings = settings
        self._request = request
        self._operation = operation

    async def write(self, status: int, code: str | None) -> None:
        """Append the entry, if the request changed something or was refused; never raises.

        Of reading requests without credentials, or with what never was one, nothing is kept: they are no
        denial of anybody, and must not cost a query.
        """
        reads = self._request.method in SAFE_METHODS
        if not RULES[self._operation].changes and status < 400:
            return
        if reads and (status not in DENIED or self._is_nobody()):
            return
        try:
            await run_in_threadpool(self._add, status, code)
        except PlimsollError as failure:
            logger.error("no audit entry for request %s: %s", request_id(self._request.scope), failure)

    def _is_nobody(self) -> bool:
        return self.actor is None and self.host is None and not has_credentials(self._settings, self._request)

    def _add(self, status: int, code: str | None) -> None:
        actor, state = self.actor, self._request.state
        named = self._named_objects()
        # Of a public operation: who signed in, or whose password was wrong.
        subject: Subject | None = getattr(state, "subject", None) if actor is None else None
        is_proved = subject is not None and status < 400
        team_id, account_id, name, token_prefix = None, None, ANONYMOUS, None
        if actor is not None:
            team_id, account_id, name = actor.team_id, actor.account_id, actor.label
            token_prefix = actor.token_prefix
            if self.is_of_installation:
                team_id = self._named_team()
        elif self.host is not None:
            name, token_prefix = f"host {self.host.host_name}", self.host.token_prefix
        elif subject is not None:
            team_id = subject.team_id
            if is_proved:
                account_id, name = subject.account_id, subject.name
            else:
                named.append(subject.account_id)
        created: str | None = getattr(state, "created", None)
        entry = Audited(
            team_id=team_id,
            account_id=account_id,
            actor=name,
            token_prefix=token_prefix,
            action=self._operation,
            object=named[-1] if named else getattr(state, "object", created),
            created=created,
            status=status,
            code=code,
            address=client_address(self._request.scope),
            request_id=request_id(self._request.scope),
        )
        with session_scope(self._settings) as session:
            audit.add(session, entry)

    def _named_team(self) -> str | None:
        """The team that an operation of the installation is about: its administrators see the entry."""
        given = str(self._request.path_params.get("team_id") or getattr(self._request.state, "created", ""))
        return given if is_id("tem", given) else None

    def _named_objects(self) -> list[str]:
        """The ids in the URL, and no other value: what somebody put in their place may be a secret."""
        request = self._request
        given = [
            (kind, str(request.path_params[name]))
            for name, kind in (OBJECTS | SUBJECTS).items()
            if name in request.path_params
        ]
        for name, kind in RULES[self._operation].query:
            given += [(kind, value) for value in request.query_params.getlist(name)]
        return [value for kind, value in given if is_id(kind, value)]


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
