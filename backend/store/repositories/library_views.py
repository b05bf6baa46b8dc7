"""Saved searches: an account's own, and those of its team."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, func, insert, or_, select, update
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.store.ids import new_id
from backend.store.models import Account, LibraryView


@dataclass(frozen=True)
class StoredView:
    """A saved search; `own`: the account saved it, whose name is `by` (empty: it is gone)."""

    id: str
    name: str
    query: str
    shared: bool
    own: bool
    by: str
    created_at: datetime


def _listed(account_id: str) -> Select[*tuple[Any, ...]]:
    own = func.coalesce(LibraryView.account_id == account_id, False)
    return (
        select(
            LibraryView.id,
            LibraryView.name,
            LibraryView.query,
            LibraryView.shared,
            own.label("own"),
            func.coalesce(Account.name, "").label("by"),
            LibraryView.created_at,
        )
        .outerjoin(Account, Account.id == LibraryView.account_id)
        .where(or_(LibraryView.account_id == account_id, LibraryView.shared))
    )


def of_account(session: Session, team_id: str, account_id: str) -> list[StoredView]:
    """The searches that an account sees in a team: its own and the shared ones, by name."""
    query = _listed(account_id).where(LibraryView.team_id == team_id)
    rows = session.execute(query.order_by(func.lower(LibraryView.name), LibraryView.id))
    return [StoredView(**row._mapping) for row in rows]


def get(session: Session, view_id: str, account_id: str) -> StoredView:
    """One search that an account sees. Raises NotFound, also for that of another account."""
    row = session.execute(_listed(account_id).where(LibraryView.id == view_id)).one_or_none()
    if row is None:
        raise NotFound("there is no such view")
    return StoredView(**row._mapping)


def count(session: Session, team_id: str) -> int:
    """How many searches are saved in a team."""
    return session.scalar(select(func.count()).where(LibraryView.team_id == team_id)) or 0


def create(
    session: Session, team_id: str, account_id: str, name: str, query: str, shared: bool
) -> StoredView:
    """Save a search."""
    view_id = new_id("viw")
    values = {"team_id": team_id, "account_id": account_id, "name": name, "query": query}
    session.execute(insert(LibraryView).values(id=view_id, shared=shared, **values))
    return get(session, view_id, account_id)


def change(session: Session, view_id: str, account_id: str, values: dict[str, Any]) -> StoredView:
    """Change columns of a search."""
    if values:
        session.execute(update(LibraryView).where(LibraryView.id == view_id).values(**values))
    return get(session, view_id, account_id)


def remove(session: Session, view_id: str) -> None:
    """Delete a search."""
    session.execute(delete(LibraryView).where(LibraryView.id == view_id))
