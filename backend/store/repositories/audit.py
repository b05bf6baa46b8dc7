"""The audit log: entries are added and read, never changed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, insert, select
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.store.models import AuditEntry


@dataclass(frozen=True, kw_only=True)
class Audited:
    """What one request or command did, or why it was refused. Texts contain no secret."""

    team_id: str | None
    account_id: str | None
    actor: str
    token_prefix: str | None
    action: str
    object: str | None
    created: str | None = None
    status: int
    code: str | None
    address: str
    request_id: str


@dataclass(frozen=True, kw_only=True)
class StoredEntry(Audited):
    """An entry with its number (as text) and time."""

    id: str
    at: datetime


@dataclass(frozen=True)
class AuditFilter:
    """Which entries to list; None does not limit. `statuses`: from, below; `since` is included."""

    action: str | None = None
    statuses: tuple[int, int] | None = None
    account_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


ALL: Final = AuditFilter()


def add(session: Session, entry: Audited) -> None:
    """Append an entry."""
    session.execute(insert(AuditEntry).values(**asdict(entry)))


def page(
    session: Session, team_id: str | None, limit: int, after_id: str | None, wanted: AuditFilter = ALL
) -> list[StoredEntry]:
    """The entries of a team (None: of the whole installation) before `after_id`, newest first.

    Raises NotFound for an `after_id` that is not a number.
    """
    query = select(AuditEntry).order_by(AuditEntry.id.desc()).limit(limit)
    if team_id is not None:
        query = query.where(AuditEntry.team_id == team_id)
    if after_id is not None:
        if not after_id.isdecimal() or len(after_id) > 18:
            raise NotFound("there is no such entry")
        query = query.where(AuditEntry.id < int(after_id))
    return [_stored(row) for row in session.scalars(query.where(*_conditions(wanted)))]


def _conditions(wanted: AuditFilter) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.action is not None:
        found.append(AuditEntry.action == wanted.action)
    if wanted.statuses is not None:
        found += [AuditEntry.status >= wanted.statuses[0], AuditEntry.status < wanted.statuses[1]]
    if wanted.account_id is not None:
        found.append(AuditEntry.account_id == wanted.account_id)
    if wanted.since is not None:
        found.append(AuditEntry.at >= wanted.since)
    if wanted.until is not None:
        found.append(AuditEntry.at < wanted.until)
    return found


def _stored(row: AuditEntry) -> StoredEntry:
    return StoredEntry(
        id=str(row.id),
        at=row.at,
        team_id=row.team_id,
        account_id=row.account_id,
        actor=row.actor,
        token_prefix=row.token_prefix,
        action=row.action,
        object=row.object,
        created=row.created,
        status=row.status,
        code=row.code,
        address=row.address,
        request_id=row.request_id,
    )
