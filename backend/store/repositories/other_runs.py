"""Further runs of the experiments of some runs on their hosts, which show what single runs differ by."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import func, select, tuple_
from sqlalchemy.orm import Session

from backend.store.models import Run

NEWEST: Final = 6
"""Of so many runs a host's spread is told: more would bring in older kernels and engines."""


def other_runs(session: Session, run_ids: Collection[str]) -> list[str]:
    """The ids of the newest finished runs on the hosts of these runs, of their experiments, without them.

    At most NEWEST a host; running and cancelled runs are none of them. Imported runs show the spread of
    imported ones only, and measured runs that of measured ones.
    """
    asked = select(Run.host_id, Run.experiment_id, Run.origin).where(Run.id.in_(run_ids)).subquery()
    place = func.row_number().over(partition_by=Run.host_id, order_by=Run.created_at.desc())
    found = (
        select(Run.id, place.label("place"))
        .where(
            Run.experiment_id.in_(select(asked.c.experiment_id)),
            Run.id.not_in(run_ids),
            tuple_(Run.host_id, Run.origin).in_(select(asked.c.host_id, asked.c.origin)),
            Run.state.in_(("done", "incomplete")),
        )
        .subquery()
    )
    rows = select(found.c.id).where(found.c.place <= NEWEST).order_by(found.c.place, found.c.id)
    return list(session.scalars(rows))
