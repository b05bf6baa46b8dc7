"""Work that a client may ask for twice and gets once: the answer kept under its Idempotency-Key."""

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

from backend.core.errors import InUse, Invalid
from backend.store.repositories import idempotency

PATIENCE_S: Final = 10.0
WAITING: Final = 8
"""Requests that may wait for one key: each of them keeps its body in memory."""

Key = Annotated[str | None, Header(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")]


@dataclass
class _Holder:
    """A key in use: who works under it, and how many wait."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class HeldKeys:
    """The keys under which this process works: one request a key, others wait on the event loop.

    So they hold neither threads nor connections; another process's work is refused by the database.
    """

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._held: dict[str, _Holder] = {}

    @asynccontextmanager
    async def held(self, key: str) -> AsyncIterator[None]:
        """Hold a key within this context. Raises InUse where it stays in use, or too many wait for it."""
        holder = self._held.setdefault(key, _Holder())
        if holder.users > WAITING:
            raise InUse(f"{holder.users} requests with this Idempotency-Key are under way already")
        holder.users += 1
        try:
            try:
                async with asyncio.timeout(self._patience_s):
                    await holder.lock.acquire()
            except TimeoutError as error:
                raise InUse("a request with this Idempotency-Key is still under way") from error
            try:
                yield
            finally:
                holder.lock.release()
        finally:
            holder.users -= 1
            if not holder.users:
                self._held.pop(key, None)


async def _hold(request: Request, idempotency_key: Key = None) -> AsyncIterator[None]:
    if idempotency_key is None:
        yield
        return
    keys: HeldKeys = request.app.state.keys
    async with keys.held(idempotency_key):
        yield


HeldKey: Final = Depends(_hold, scope="function")
"""Dependency of an endpoint that takes an Idempotency-Key; before `Heavy`, so that waiting takes no place."""


class Made(Protocol):
    """What a request made: an answer with an id."""

    @property
    def id(self) -> str:
        """Its own."""

    def model_dump_json(self) -> str:
        """The answer's body."""


@dataclass(frozen=True)
class Once:
    """The id of what was made, its answer as JSON, and whether an earlier request made it (`replayed`)."""

    id: str
    body: str
    replayed: bool

    def headers(self, kind: str) -> dict[str, str]:
        """What an answer says of it; `kind` is the collection that it is in."""
        where = {"Location": f"/api/v1/{kind}/{self.id}"}
        return where | ({"Idempotent-Replayed": "true"} if self.replayed else {})


def fingerprint(asked_for: str, request: BaseModel | str) -> str:
    """What a key stands for: the request's address and body (or its digest), whatever characters it holds."""
    if not isinstance(request, str):
        request = json.dumps(request.model_dump(), sort_keys=True, default=str)
    return hashlib.sha256(f"{asked_for}\n{request}".encode()).hexdigest()


def once(session: Session, key: str | None, fingerprint_: str, make: Callable[[], Made]) -> Once:
    """`make` in this transaction, or the kept answer where the key was sent with the same before.

    Raises Invalid where it was sent with another request. What `make` raises leaves the key unused.
    """
    if key is not None and not idempotency.reserve(session, key, fingerprint_):
        kept = idempotency.find(session, key)
        if kept.fingerprint != fingerprint_:
            detail = "this Idempotency-Key was sent with another request before; use a new key"
            raise Invalid.at("", "idempotency_key_reused", detail)
        return Once(kept.run_id, kept.answer, replayed=True)
    run = make()
    body = run.model_dump_json()
    if key is not None:
        idempotency.keep(session, key, run.id, body)
    return Once(run.id, body, replayed=False)
