"""The entry of a request in the audit log."""

from __future__ import annotations

import logging
from typing import Final

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from backend.api.access.actor import Actor
from backend.api.access.authentication import SAFE_METHODS, has_credentials
from backend.api.access.rules import OBJECTS, RULES, SUBJECTS
from backend.api.client_address import client_address
from backend.api.problem_details import request_id
from backend.api.rate_limits.limiter import Allowance
from backend.core.errors import PlimsollError
from backend.settings import Settings
from backend.store.ids import is_id
from backend.store.repositories import audit
from backend.store.repositories.accounts import Subject
from backend.store.repositories.audit import Audited
from backend.store.repositories.host_tokens import EnrolledHost
from backend.store.session import session_scope

logger = logging.getLogger(__name__)

ANONYMOUS: Final = "anonymous"
DENIED: Final = frozenset({401, 403, 404, 429})


class AuditRecord:
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
