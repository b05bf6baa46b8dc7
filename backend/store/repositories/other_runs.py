"""Other runs of the same experiments on the same hosts, for the spread between runs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import func, select, tuple_
from sqlalchemy.orm import Session

from backend.store.models import Run

NEWEST: Final = 6
"""Runs per host for its spread; more would include older kernels and Docker versions."""


def other_runs(session: Session, run_ids: Collection[str]) -> list[str]:
    """The ids of at most NEWEST other runs per host, of the same experiments, hosts and origin.

    Only done and incomplete runs, the newest of each host.
    """
    given = select(Run.host_id, Run.experiment_id, Run.origin).where(Run.id.in_(run_ids)).subquery()
    rank = func.row_number().over(partition_by=Run.host_id, order_by=Run.created_at.desc())
    found = (
        select(Run.id, rank.label("rank"))
        .where(
            Run.experiment_id.in_(select(given.c.experiment_id)),
            Run.id.not_in(run_ids),
            tuple_(Run.host_id, Run.origin).in_(select(given.c.host_id, given.c.origin)),
            Run.state.in_(("done", "incomplete")),
        )
        .subquery()
    )
    rows = select(found.c.id).where(found.c.rank <= NEWEST).order_by(found.c.rank, found.c.id)
    return list(session.scalars(rows))
