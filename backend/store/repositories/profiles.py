"""What an account knows and changes of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from backend.store.models import Account


@dataclass(frozen=True)
class Profile:
    """One account."""

    id: str
    name: str
    email: str | None
    created_at: datetime


def read(session: Session, account_id: str) -> Profile:
    """An account that exists."""
    query = select(Account.id, Account.name, Account.email, Account.created_at)
    return Profile(*session.execute(query.where(Account.id == account_id)).one())


def change(session: Session, account_id: str, fields: Mapping[str, Any]) -> bool:
    """Set `name` or `email`; returns False, and changes nothing, if another account has the address."""
    if not fields:
        return True
    try:
        with session.begin_nested():
            session.execute(update(Account).where(Account.id == account_id).values(**fields))
    except IntegrityError:  # the index on lower(email), the only constraint that these fields can break
        return False
    return True
