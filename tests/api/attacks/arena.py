"""A server with two teams, where an attack leaves nothing but its refusal and an entry in the audit log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access.rules import RULES
from backend.settings import Settings
from backend.store.models import Base
from backend.store.session import session_scope
from tests.api.client import DOCUMENT, Worker, problem_of
from tests.api.test_authorisation import Operation
from tests.services import RedisServer

TIMES_OF_USE: Final = ("last_used_at", "last_seen_at")
"""Columns that a request with valid credentials writes, whatever becomes of it."""
UNCHANGED: Final = sorted(set(Base.metadata.tables) - {"audit"})
SENDING: Final = (
    "lpush",
    "rpush",
    "publish",
    "xadd",
    "set",
    "setex",
    "hset",
    "eval",
    "evalsha",
    "zadd",
    "sadd",
)
"""Redis commands by which something could reach a worker, and with it an engine."""


@dataclass
class Arena:
    """A client without credentials, the headers of callers of every kind, and objects of both teams."""

    settings: Settings
    owner: Settings
    redis: RedisServer
    api: TestClient
    worker: Worker
    callers: dict[str, dict[str, str]]
    own: dict[str, str]
    foreign: dict[str, str] = field(default_factory=dict)
    held: bool = False

    def state(self) -> tuple[Any, ...]:
        """A digest of every row, and how often something was sent by Redis."""
        row = f"(to_jsonb(t) - '{{{','.join(TIMES_OF_USE)}}}'::text[])::text"
        parts = [
            f"SELECT '{table}', md5(string_agg({row}, ',' ORDER BY {row})) FROM {table} t"
            for table in UNCHANGED
        ]
        with session_scope(self.owner) as session:
            rows = tuple(tuple(row) for row in session.execute(text(" UNION ALL ".join(parts))))
        used = self.redis.client().info("commandstats")
        sent = tuple(used.get(f"cmdstat_{name}", {}).get("calls", 0) for name in SENDING)
        return *rows, sent

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Nothing changes and nothing is sent meanwhile: one comparison for many requests."""
        before, self.held = self.state(), True
        try:
            yield
        finally:
            self.held = False
        assert self.state() == before, "one of these requests changed something"

    def execute(self, statement: str, **values: Any) -> None:
        """Change the database behind the API's back."""
        with session_scope(self.owner) as session:
            session.execute(text(statement), values)

    def finished_run(self, **changes: Any) -> str:
        """A run of a document with these changes, which has ended; its id."""
        admin = self.callers["admin"]
        made = self.api.post("/api/v1/experiments", json=DOCUMENT | changes, headers=admin)
        assert made.status_code == 201, made.text
        url = f"/api/v1/experiments/{made.json()['id']}/runs"
        started = self.api.post(url, json={}, headers=admin)
        assert started.status_code == 202, started.text
        self.worker.finish()
        return str(started.json()["id"])

    def audited(self, request_id: str) -> list[tuple[str, int, str | None]]:
        """Action, status and code of the entries of a request."""
        query = text("SELECT action, status, code FROM audit WHERE request_id = :id")
        with session_scope(self.owner) as session:
            return [tuple(row) for row in session.execute(query, {"id": request_id})]  # type: ignore[misc]

    def refused(
        self,
        method: str,
        url: str,
        status: int,
        code: str,
        *,
        caller: str = "admin",
        action: str | None = None,
        headers: dict[str, str] | None = None,
        **body: Any,
    ) -> Any:
        """Send a request; it must be refused so, change nothing and send nothing to a worker.

        `action` is the operation under which exactly one entry is in the audit log; None: there is none.
        """
        before = None if self.held else self.state()
        answer = self.api.request(method, url, headers=self.callers[caller] | (headers or {}), **body)
        problem_of(answer, status, code)
        assert before is None or self.state() == before, f"{method} {url} changed something"
        found = self.audited(answer.headers["x-request-id"])
        expected = [] if action is None else [(action, status, answer.json()["code"])]
        assert found == expected, (method, url, found)
        return answer

    def refuses(
        self,
        operation: Operation,
        status: int,
        code: str,
        caller: str = "admin",
        objects: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
        body: Any = ...,
    ) -> Any:
        """The same for an operation of the OpenAPI document, by default on objects of the own team."""
        given: dict[str, Any] = {} if operation.method in ("GET", "DELETE") else {"json": {}}
        if body is not ...:
            given = {"json": body}
        known = caller != "anonymous" or headers is not None
        return self.refused(
            operation.method,
            operation.url(self.own if objects is None else objects),
            status,
            code,
            caller=caller,
            action=operation.id if audits(operation, status, known) else None,
            headers=headers,
            **given,
        )


def audits(operation: Operation, status: int, has_credentials: bool = True) -> bool:
    """Whether a refusal is audited: that of a request that may change something, and every denial."""
    return operation.method != "GET" or (has_credentials and status in (401, 403, 404, 429))


def changes(operation: Operation) -> bool:
    """Whether the operation is one of a signed-in caller that may change something."""
    return operation.method != "GET" and RULES[operation.id].permission != "public"


def comparable(answer: Any) -> tuple[int, bytes, tuple[tuple[str, str], ...]]:
    """Status, bytes and headers of a response without the id of its request."""
    identity = answer.headers["x-request-id"]
    headers = tuple(sorted((name, value) for name, value in answer.headers.items() if value != identity))
    return answer.status_code, answer.content.replace(identity.encode(), b""), headers
