"""A/A pairs of a host: trials of a baseline and of its A/A duplicate in the same round of a run."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Float, and_, cast, func, not_, select, tuple_
from sqlalchemy.orm import Session, aliased

from backend.core.definition.quality import DEFAULT, Quality
from backend.core.plan.model import DUPLICATE
from backend.core.plan.states import RUN_ENDED
from backend.store.models import Result, Run, Trial
from backend.store.repositories import exclusions
from backend.store.repositories.noise_limits import is_within

NEWEST_RUNS = 5
"""Runs of which pairs are used; older ones may be from another kernel or Docker version."""
SEARCHED_RUNS = 50
"""The host's newest runs that are searched for pairs."""


@dataclass(frozen=True)
class AaPairs:
    """Values above 0 of one metric as (baseline, duplicate), newest run first, and the number of runs."""

    values: tuple[tuple[float, float], ...]
    runs: int


def newest(
    session: Session,
    host_id: str,
    metric: str,
    loads: Collection[tuple[str, str]],
    quality: Quality = DEFAULT,
) -> AaPairs:
    """The pairs of a host's newest ended runs that measured this metric under one of the loads.

    A load is (tool, service). Only runs under these limits of noise or narrower
    ones are used, and of them only valid, uncontaminated trials with a proven path that nobody excluded.
    """
    # A separate query: PostgreSQL cannot estimate the conditions on records, and would read every record.
    ended = session.scalars(
        select(Run.id)
        .where(Run.host_id == host_id, Run.origin == "measured", Run.state.in_(RUN_ENDED), is_within(quality))
        .order_by(Run.created_at.desc())
        .limit(SEARCHED_RUNS)
    ).all()
    own, copy = aliased(Result), aliased(Result)
    base, duplicate = (cast(result.metrics[metric].astext, Float) for result in (own, copy))
    rows = session.execute(
        select(own.run_id, base, duplicate)
        .join(
            copy,
            and_(
                copy.run_id == own.run_id,
                copy.round == own.round,
                func.left(copy.cell_id, -len(DUPLICATE)) == own.cell_id,
            ),
        )
        .join(Trial, Trial.id == own.trial_id)
        .where(
            copy.run_id.in_(ended),
            copy.cell_id.endswith(DUPLICATE),
            own.evidence_verdict == "proven",
            copy.evidence_verdict == "proven",
            *(is_valid(result) for result in (own, copy)),
            base > 0,
            duplicate > 0,
            tuple_(Trial.levels["tool"].astext, Trial.levels["service"].astext).in_(list(loads)),
        )
        .order_by(own.round, own.cell_id)
    ).all()
    with_pairs = {row[0] for row in rows}
    runs = [run for run in ended if run in with_pairs][:NEWEST_RUNS]
    values = (row[1:] for run in runs for row in rows if row[0] == run)
    return AaPairs(tuple((first, second) for first, second in values), len(runs))


def is_valid(result: type[Result]) -> ColumnElement[bool]:
    """Whether a trial is not excluded, and its record marks it neither invalid nor contaminated.

    Older records mark none.
    """
    return and_(
        not_(exclusions.is_excluded(result)),
        *(
            func.coalesce(func.jsonb_array_length(result.payload["quality"][part]), 0) == 0
            for part in ("invalid", "contaminated")
        ),
    )
