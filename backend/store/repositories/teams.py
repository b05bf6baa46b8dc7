"""The teams of the installation, for its administrators."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ScalarSelect, Select, delete, func, insert, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, NotFound
from backend.store.ids import new_id
from backend.store.models import DEFAULT_TEAM, Account, Experiment, Membership, Run, Team


@dataclass(frozen=True)
class ListedTeam:
    """A team with what it has. `administrators` counts accounts that are not disabled."""

    id: str
    name: str
    created_at: datetime
    members: int
    administrators: int
    experiments: int
    runs: int


def page(session: Session, text: str | None, limit: int, after_id: str | None) -> list[ListedTeam]:
    """The teams whose name contains this text, by name, after the team `after_id`. Raises NotFound."""
    position = func.lower(Team.name), Team.id
    query = _listed().order_by(*position).limit(limit)
    if text is not None:
        query = query.where(Team.name.icontains(text, autoescape=True))
    if after_id is not None:
        after = session.execute(select(*position).where(Team.id == after_id)).one_or_none()
        if after is None:
            raise NotFound("there is no such team")
        query = query.where(tuple_(*position) > tuple_(*after))
    return [ListedTeam(*row) for row in session.execute(query)]


def read(session: Session, team_id: str) -> ListedTeam:
    """One team. Raises NotFound."""
    row = session.execute(_listed().where(Team.id == team_id)).one_or_none()
    if row is None:
        raise NotFound("there is no such team")
    return ListedTeam(*row)


def _listed() -> Select[Any]:
    administrators = (
        select(func.count())
        .select_from(Membership)
        .join(Account, Account.id == Membership.account_id)
        .where(Membership.team_id == Team.id, Membership.role == "admin", Account.disabled_at.is_(None))
        .scalar_subquery()
    )
    members, experiments, runs = (_count(table) for table in (Membership, Experiment, Run))
    return select(Team.id, Team.name, Team.created_at, members, administrators, experiments, runs)


def _count(table: type[Membership] | type[Experiment] | type[Run]) -> ScalarSelect[int]:
    return select(func.count()).select_from(table).where(table.team_id == Team.id).scalar_subquery()


def add(session: Session, name: str) -> str:
    """Store a new team; returns its id. Raises Conflict if there is one of this name."""
    team_id = new_id("tem")
    try:
        with session.begin_nested():
            session.execute(insert(Team).values(id=team_id, name=name))
    except IntegrityError as error:
        raise _taken() from error
    return team_id


def rename(session: Session, team_id: str, name: str) -> None:
    """Change a team's name. Raises NotFound, and Conflict if another team has this name."""
    try:
        with session.begin_nested():
            query = update(Team).where(Team.id == team_id).values(name=name).returning(Team.id)
            found = session.execute(query).scalar_one_or_none()
    except IntegrityError as error:
        raise _taken() from error
    if found is None:
        raise NotFound("there is no such team")


def _taken() -> Conflict:
    return Conflict("another team has this name: choose another one", "name_taken")


def remove(session: Session, team_id: str) -> None:
    """Delete a team without experiments and runs, with its memberships, tokens, invitations and webhooks.

    Raises NotFound, and Conflict for a team that is not empty and for the installation's first team.
    """
    lock(session, team_id)
    if team_id == DEFAULT_TEAM:
        raise Conflict(
            "the installation's first team stays: the command line of its host uses it", "team_in_use"
        )
    found = read(session, team_id)
    if found.experiments or found.runs:
        detail = f"the team still has experiments ({found.experiments}) and runs ({found.runs})"
        raise Conflict(f"{detail}: delete its experiments first, which deletes their runs", "team_in_use")
    session.execute(delete(Team).where(Team.id == team_id))


def lock(session: Session, team_id: str) -> None:
    """Serialise changes of a team and of its members. Raises NotFound."""
    query = select(Team.id).where(Team.id == team_id).with_for_update()
    if session.execute(query).scalar_one_or_none() is None:
        raise NotFound("there is no such team")


def add_member(session: Session, team_id: str, account_id: str, role: str) -> None:
    """Make an account a member of a team, unless it is one. Raises NotFound for an unknown account."""
    query = select(Account.id).where(Account.id == account_id).with_for_update(key_share=True, read=True)
    if session.execute(query).scalar_one_or_none() is None:
        raise NotFound("there is no such account")
    values = {"account_id": account_id, "team_id": team_id, "role": role}
    session.execute(upsert(Membership).values(**values).on_conflict_do_nothing())
