"""Idempotent requests: the first response is stored under its Idempotency-Key and sent again for repeats."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Final, Protocol

from fastapi import Depends, Header, Request
from pydantic import BaseModel
from sqlalchemy.orm import Session

from backend.api.access.guard import Caller
from backend.core.errors import InUse, Invalid
from backend.store.repositories import idempotency

MAX_WAIT_S: Final = 10.0
WAITING: Final = 8
"""Maximum of requests that wait for one key; each keeps its body in memory."""

Key = Annotated[str | None, Header(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")]


@dataclass
class _Lock:
    """The lock of one key, and the number of requests that hold it or wait for it."""

    mutex: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class KeyLocks:
    """Locks by Idempotency-Key within this process: waiting requests hold neither threads nor connections.

    Requests of other processes are excluded by an advisory lock in PostgreSQL.
    """

    def __init__(self, max_wait_s: float = MAX_WAIT_S) -> None:
        self._max_wait_s = max_wait_s
        self._locked: dict[str, _Lock] = {}

    @asynccontextmanager
    async def locked(self, key: str) -> AsyncIterator[None]:
        """Hold the lock of a key. Raises InUse after `max_wait_s` seconds, or if too many requests wait."""
        lock = self._locked.setdefault(key, _Lock())
        if lock.users > WAITING:
            raise InUse(f"{lock.users} requests with this Idempotency-Key are already in progress")
        lock.users += 1
        try:
            try:
                async with asyncio.timeout(self._max_wait_s):
                    await lock.mutex.acquire()
            except TimeoutError as error:
                raise InUse("another request with this Idempotency-Key is still in progress") from error
            try:
                yield
            finally:
                lock.mutex.release()
        finally:
            lock.users -= 1
            if not lock.users:
                self._locked.pop(key, None)


async def _lock_key(request: Request, caller: Caller, idempotency_key: Key = None) -> AsyncIterator[None]:
    if idempotency_key is None:
        yield
        return
    keys: KeyLocks = request.app.state.key_locks
    async with keys.locked(f"{caller.team} {idempotency_key}"):
        yield


KeyLock: Final = Depends(_lock_key, scope="function")
"""Dependency of an endpoint with an Idempotency-Key; list it before `CpuBound`: waiting uses no slot then."""


class Resource(Protocol):
    """The body of a response that created something."""

    @property
    def id(self) -> str:
        """The id of the created resource."""

    def model_dump_json(self) -> str:
        """The body as JSON."""


@dataclass(frozen=True)
class Answer:
    """A resource's id, the response body, and whether an earlier request created it (`replayed`)."""

    id: str
    body: str
    replayed: bool

    def headers(self, kind: str) -> dict[str, str]:
        """The response headers; `kind` is the collection of the resource."""
        location = {"Location": f"/api/v1/{kind}/{self.id}"}
        return location | ({"Idempotent-Replayed": "true"} if self.replayed else {})


def fingerprint(target: str, request: BaseModel | str) -> str:
    """SHA-256 of a request's target and body (or its digest)."""
    if not isinstance(request, str):
        request = json.dumps(request.model_dump(), sort_keys=True, default=str)
    return hashlib.sha256(f"{target}\n{request}".encode()).hexdigest()


def answer_once(
    session: Session, team_id: str, key: str | None, fingerprint_: str, make: Callable[[], Resource]
) -> Answer:
    """The response of `make`, called in this transaction, or the stored one if the team repeats the key.

    Raises Invalid if the key was sent with another request. An exception of `make` leaves the key unused.
    """
    if key is not None and not idempotency.reserve(session, team_id, key, fingerprint_):
        kept = idempotency.find(session, team_id, key)
        if kept.fingerprint != fingerprint_:
            detail = "this Idempotency-Key was used for another request; use a new key"
            raise Invalid.at("", "idempotency_key_reused", detail)
        return Answer(kept.created_id, kept.body, replayed=True)
    created = make()
    body = created.model_dump_json()
    if key is not None:
        idempotency.keep(session, team_id, key, created.id, body)
    return Answer(created.id, body, replayed=False)
