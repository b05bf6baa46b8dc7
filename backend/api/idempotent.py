"""Work that a client may ask for twice and gets once: the answer kept under its Idempotency-Key."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel
from sqlalchemy.orm import Session

from backend.core.errors import Invalid
from backend.store.repositories import idempotency


class Made(Protocol):
    """What a request made: an answer with an id."""

    @property
    def id(self) -> str:
        """The run's."""

    def model_dump_json(self) -> str:
        """The answer's body."""


@dataclass(frozen=True)
class Once:
    """The run that was made, its answer as JSON, and whether an earlier request made it (`replayed`)."""

    run_id: str
    body: str
    replayed: bool

    @property
    def headers(self) -> dict[str, str]:
        """What an answer says of it."""
        where = {"Location": f"/api/v1/runs/{self.run_id}"}
        return where | ({"Idempotent-Replayed": "true"} if self.replayed else {})


def fingerprint(asked_for: str, request: BaseModel) -> str:
    """What a key stands for: the request's address and body, whatever characters are in it."""
    body = json.dumps(request.model_dump(), sort_keys=True, default=str)
    return hashlib.sha256(f"{asked_for}\n{body}".encode()).hexdigest()


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
