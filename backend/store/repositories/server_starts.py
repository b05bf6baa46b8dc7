"""Values of a host's trials with the server start of each; restarts are planned from them."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Float, cast, select, tuple_
from sqlalchemy.orm import Session

from backend.core.definition.quality import DEFAULT, Quality
from backend.core.plan.states import RUN_ENDED
from backend.core.statistics.server_starts import ServedValue
from backend.store.models import Result, Run, Trial
from backend.store.repositories.aa_pairs import is_valid
from backend.store.repositories.noise_limits import is_within

NEWEST_RUNS = 5
"""Runs that are used; older ones may be from another kernel or Docker version."""
MOST_VALUES = 1000
"""Limit of the trials read, newest first: each row has its whole record."""


def newest(
    session: Session,
    host_id: str,
    metric: str,
    loads: Collection[tuple[str, str]],
    quality: Quality = DEFAULT,
) -> tuple[ServedValue, ...]:
    """Values above 0 of one metric in the host's newest ended runs under one of the loads, newest run first.

    A load is (tool, service). Only runs under these limits of noise or narrower
    ones are used, and of them only valid, uncontaminated trials with a proven path whose record names its
    server.
    """
    # A separate query, as in `aa_pairs.newest`.
    ended = session.scalars(
        select(Run.id)
        .where(
            Run.host_id == host_id,
            Run.origin == "measured",
            Run.state.in_(RUN_ENDED),
            is_within(quality),
            Run.plan["restart_every"].astext.is_not(None),
            select(Trial.id)
            .where(
                Trial.run_id == Run.id,
                tuple_(Trial.levels["tool"].astext, Trial.levels["service"].astext).in_(list(loads)),
            )
            .exists(),
        )
        .order_by(Run.created_at.desc())
        .limit(NEWEST_RUNS)
    ).all()
    value = cast(Result.metrics[metric].astext, Float)
    server = Result.payload["server"].astext
    rows = session.execute(
        select(Result.run_id, Result.round, Result.cell_id, server, value)
        .join(Run, Run.id == Result.run_id)
        .join(Trial, Trial.id == Result.trial_id)
        .where(
            Result.run_id.in_(ended),
            Result.evidence_verdict == "proven",
            is_valid(Result),
            value > 0,
            tuple_(Trial.levels["tool"].astext, Trial.levels["service"].astext).in_(list(loads)),
        )
        .order_by(Run.created_at.desc(), Result.run_id, Result.round, Result.cell_id)
        .limit(MOST_VALUES)
    )
    return tuple(ServedValue(*row) for row in rows if row[3] is not None)
