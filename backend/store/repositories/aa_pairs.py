"""Pairs of like trials on a host: a baseline and its A/A duplicate in the same round of the same run."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Float, and_, cast, func, select, tuple_
from sqlalchemy.orm import Session, aliased

from backend.core.plan.states import RUN_ENDED
from backend.store.models import Result, Run, Trial

NEWEST_RUNS = 5
"""Pairs of so many runs are enough, and older ones may be of another kernel or another Docker."""
LOOKED_AT = 50
"""In so many of the host's newest runs they are looked for."""


@dataclass(frozen=True)
class AaPairs:
    """Values above 0 of one metric as (baseline, duplicate), newest run first, and of how many runs."""

    values: tuple[tuple[float, float], ...]
    runs: int


def newest(session: Session, host_id: str, metric: str, loads: Collection[tuple[str, str]]) -> AaPairs:
    """The pairs of a host's newest ended runs that measured this metric under one of the loads.

    A load is (tool, service). Only trials whose path was proven count, and neither contaminated nor invalid
    ones.
    """
    ended = (
        select(Run.id, Run.created_at)
        .where(Run.host_id == host_id, Run.origin == "measured", Run.state.in_(RUN_ENDED))
        .order_by(Run.created_at.desc())
        .limit(LOOKED_AT)
        .subquery()
    )
    own, twin = aliased(Result), aliased(Result)
    base, duplicate = (cast(result.metrics[metric].astext, Float) for result in (own, twin))
    rows = session.execute(
        select(own.run_id, base, duplicate)
        .join(ended, ended.c.id == own.run_id)
        .join(
            twin,
            and_(
                twin.run_id == own.run_id, twin.round == own.round, twin.cell_id == own.cell_id.concat("-aa")
            ),
        )
        .join(Trial, Trial.id == own.trial_id)
        .where(
            own.evidence_verdict == "proven",
            twin.evidence_verdict == "proven",
            *(counts(result) for result in (own, twin)),
            base > 0,
            duplicate > 0,
            tuple_(Trial.levels["tool"].astext, Trial.levels["service"].astext).in_(list(loads)),
        )
        .order_by(ended.c.created_at.desc(), own.run_id, own.round, own.cell_id)
    ).all()
    runs = list(dict.fromkeys(row[0] for row in rows))[:NEWEST_RUNS]
    return AaPairs(tuple((first, second) for run, first, second in rows if run in runs), len(runs))


def counts(result: type[Result]) -> ColumnElement[bool]:
    """Whether the record itself says nothing against the trial; records without `quality` say nothing."""
    return and_(
        *(
            func.coalesce(func.jsonb_array_length(result.payload["quality"][part]), 0) == 0
            for part in ("invalid", "contaminated")
        )
    )
