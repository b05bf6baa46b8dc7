"""Groups of runs: creation, views, and what remains of a group whose runs are deleted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, cast, delete, func, insert, select, tuple_
from sqlalchemy.dialects.postgresql import JSONPATH
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.store.ids import is_id, new_id
from backend.store.models import Experiment, IdempotencyKey, Run, RunGroup
from backend.store.repositories.run_view import RunView, read_views


@dataclass(frozen=True)
class StoredGroup:
    """A group with its experiment; `runs` are those that exist by host, `infeasible` the cells they cannot
    run."""

    id: str
    experiment_id: str
    name: str
    title: str
    definition: dict[str, Any]
    hosts: list[str]
    host_label: str | None
    seed: int
    created_at: datetime
    runs: dict[str, RunView]
    infeasible: dict[str, int]


def create(
    session: Session, team_id: str, experiment_id: str, hosts: Sequence[str], label: str | None, seed: int
) -> str:
    """Store a group without runs; returns its id."""
    group_id = new_id("grp")
    session.execute(
        insert(RunGroup).values(
            id=group_id,
            team_id=team_id,
            experiment_id=experiment_id,
            hosts=list(hosts),
            host_label=label,
            seed=seed,
        )
    )
    return group_id


def get(session: Session, group_id: str) -> StoredGroup:
    """One group. Raises NotFound."""
    rows = session.execute(_query().where(RunGroup.id == group_id)).all() if is_id("grp", group_id) else []
    if not rows:
        raise NotFound("there is no such group of runs")
    return _with_runs(session, rows)[0]


def page(session: Session, team_id: str, limit: int, after_id: str | None) -> list[StoredGroup]:
    """A team's groups older than `after_id`, newest first. Raises NotFound for an unknown `after_id`."""
    own = _query().where(RunGroup.team_id == team_id)
    query = own.order_by(RunGroup.created_at.desc(), RunGroup.id.desc()).limit(limit)
    if after_id is not None:
        last = session.execute(own.where(RunGroup.id == after_id)).one_or_none()
        if last is None:
            raise NotFound("there is no such group of runs")
        query = query.where(tuple_(RunGroup.created_at, RunGroup.id) < (last.created_at, last.id))
    return _with_runs(session, session.execute(query).all())


def run_ids(session: Session, group_id: str) -> list[str]:
    """The runs of a group that exist, in the order in which their rows may be locked."""
    return list(session.scalars(select(Run.id).where(Run.group_id == group_id).order_by(Run.id)))


def delete_if_empty(session: Session, group_id: str) -> None:
    """Delete a group that has no run any more; transactions that delete its last runs wait for each other."""
    session.execute(select(RunGroup.id).where(RunGroup.id == group_id).with_for_update())
    if session.scalar(select(func.count()).select_from(Run).where(Run.group_id == group_id)):
        return
    session.execute(delete(IdempotencyKey).where(IdempotencyKey.run_id == group_id))
    session.execute(delete(RunGroup).where(RunGroup.id == group_id))


def _query() -> Select[Any]:
    return select(
        RunGroup.id,
        RunGroup.experiment_id,
        Experiment.name,
        Experiment.title,
        Experiment.definition,
        RunGroup.hosts,
        RunGroup.host_label,
        RunGroup.seed,
        RunGroup.created_at,
    ).join(Experiment, Experiment.id == RunGroup.experiment_id)


_INFEASIBLE_CELLS = cast("$.cells[*] ? (@.infeasible != null && @.is_duplicate == false)", JSONPATH)
_INFEASIBLE = func.jsonb_array_length(func.jsonb_path_query_array(Run.plan, _INFEASIBLE_CELLS))


def _with_runs(session: Session, rows: Sequence[Any]) -> list[StoredGroup]:
    found = session.execute(
        select(Run.id, Run.group_id, _INFEASIBLE.label("infeasible")).where(
            Run.group_id.in_([row.id for row in rows])
        )
    ).all()
    by_run = {row.id: row for row in found}
    views: defaultdict[str, dict[str, RunView]] = defaultdict(dict)
    infeasible: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for view in read_views(session, list(by_run)):
        row = by_run[view.id]
        views[row.group_id][view.host] = view
        infeasible[row.group_id][view.host] = row.infeasible
    return [StoredGroup(**row._mapping, runs=views[row.id], infeasible=infeasible[row.id]) for row in rows]
