"""Share links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import Select, case, func, insert, or_, select, text, tuple_, update
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.store.ids import is_id, new_id
from backend.store.models import Account, Experiment, Run, Share

Kind = Literal["private", "unfurl"]
Mode = Literal["snapshot", "live"]


@dataclass(frozen=True)
class NewShare:
    """A link to store; `created_by` is an account, `snapshot` is None for a live one."""

    run_id: str
    token_sha256: str
    kind: Kind
    mode: Mode
    title: str | None
    created_by: str
    expires_at: datetime
    snapshot: bytes | None


@dataclass(frozen=True)
class FoundShare:
    """A link and its current state."""

    id: str
    run_id: str
    kind: Kind
    mode: Mode
    title: str | None
    expires_at: datetime
    revoked: bool
    expired: bool
    snapshot: bytes | None


@dataclass(frozen=True)
class ListedShare:
    """A link without its token and its result.

    `run_title` is the title of the run's experiment, `created_by` the name of the account, None where it is
    not known or was deleted.
    """

    id: str
    run_id: str
    run_title: str
    kind: Kind
    mode: Mode
    title: str | None
    created_by: str | None
    created_at: datetime
    expires_at: datetime
    revoked: bool
    expired: bool
    last_used_at: datetime | None
    opens: int


_REVOKED: Final = Share.revoked_at.is_not(None).label("revoked")
_EXPIRED: Final = (Share.expires_at <= func.clock_timestamp()).label("expired")
_FOUND: Final = (Share.id, Share.run_id, Share.kind, Share.mode, Share.title, Share.expires_at)
_MINUTE_AGO: Final = text("clock_timestamp() - interval '1 minute'")


def of_run(session: Session, run_id: str) -> tuple[ListedShare, ...]:
    """The links of a run, newest first."""
    return _listed(session, _newest().where(Share.run_id == run_id))


def page(session: Session, team_id: str, limit: int, after_id: str | None) -> list[ListedShare]:
    """A team's links older than `after_id`, newest first. Raises NotFound for an unknown one."""
    query = _newest().where(Run.team_id == team_id).limit(limit)
    if after_id is not None:
        position = select(Share.created_at, Share.id).join(Run, Run.id == Share.run_id)
        last = session.execute(position.where(Share.id == after_id, Run.team_id == team_id)).one_or_none()
        if last is None:
            raise NotFound("there is no such share link")
        query = query.where(tuple_(Share.created_at, Share.id) < (last.created_at, last.id))
    return list(_listed(session, query))


def _newest() -> Select[*tuple[Any, ...]]:
    used = (Share.last_used_at, Share.opens, Share.created_at, Account.name.label("created_by"))
    columns: tuple[Any, ...] = (*_FOUND, *used, Experiment.title.label("run_title"), _REVOKED, _EXPIRED)
    query = select(*columns)
    query = query.join(Run, Run.id == Share.run_id).join(Experiment, Experiment.id == Run.experiment_id)
    query = query.outerjoin(Account, Account.id == Share.created_by)
    return query.order_by(Share.created_at.desc(), Share.id.desc())


def _listed(session: Session, query: Select[*tuple[Any, ...]]) -> tuple[ListedShare, ...]:
    rows: Sequence[Any] = session.execute(query).all()
    return tuple(ListedShare(**row._mapping) for row in rows)


def expiry(session: Session, days: int) -> datetime:
    """The time so many days from now, by the database's clock."""
    found: datetime = session.execute(
        select(func.clock_timestamp() + func.make_interval(0, 0, 0, days))
    ).scalar_one()
    return found


def create(session: Session, share: NewShare) -> str:
    """Store a link; returns its id."""
    query = insert(Share).values(id=new_id("shr"), **asdict(share)).returning(Share.id)
    return session.execute(query).scalar_one()


def open_links(session: Session, run_id: str) -> int:
    """How many links of a run work."""
    works = (Share.revoked_at.is_(None), Share.expires_at > func.clock_timestamp())
    return session.execute(select(func.count()).where(Share.run_id == run_id, *works)).scalar_one()


def forget_expired(session: Session) -> None:
    """Delete the results of expired links; the links stay in the list."""
    expired = (Share.expires_at <= func.clock_timestamp(), Share.snapshot.is_not(None))
    session.execute(update(Share).where(*expired).values(snapshot=None))


def find(session: Session, token_sha256: str) -> FoundShare:
    """The link with this token's hash. Raises NotFound."""
    row = session.execute(
        select(*_FOUND, _REVOKED, _EXPIRED, Share.snapshot).where(Share.token_sha256 == token_sha256)
    ).one_or_none()
    if row is None:
        raise NotFound("there is no such share link")
    return FoundShare(**row._mapping)


def use(session: Session, share_id: str, opens: int) -> None:
    """Note that a link was used, and add to how often it was opened.

    The time is changed once a minute at most, so that a picture in a page with many readers writes little.
    """
    outdated = or_(Share.last_used_at.is_(None), Share.last_used_at < _MINUTE_AGO)
    query = update(Share).where(Share.id == share_id)
    if opens == 0:
        query = query.where(outdated)
    time = case((outdated, func.clock_timestamp()), else_=Share.last_used_at)
    session.execute(query.values(opens=Share.opens + opens, last_used_at=time))


def freeze(session: Session, share_id: str, snapshot: bytes) -> None:
    """Store the result of a link that has none."""
    session.execute(
        update(Share)
        .where(Share.id == share_id, Share.snapshot.is_(None), Share.revoked_at.is_(None))
        .values(snapshot=snapshot)
    )


def revoke(session: Session, share_id: str) -> None:
    """Revoke a link permanently and delete its result; idempotent. Raises NotFound."""
    revoked = (
        session.execute(
            update(Share)
            .where(Share.id == share_id)
            .values(revoked_at=func.coalesce(Share.revoked_at, text("clock_timestamp()")), snapshot=None)
            .returning(Share.id)
        ).scalar_one_or_none()
        if is_id("shr", share_id)
        else None
    )
    if revoked is None:
        raise NotFound("there is no such share link")
