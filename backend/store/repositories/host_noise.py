"""What the noise of a host is computed from: A/A pairs and the quality of trials of its newest ended runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Float, and_, cast, func, select, update
from sqlalchemy.orm import Session, aliased

from backend.core.definition.metrics import RATES
from backend.core.plan.model import DUPLICATE
from backend.core.plan.states import RUN_ENDED
from backend.core.statistics.host_noise import Pair
from backend.store.models import Exclusion, Host, Result, Run, Trial
from backend.store.repositories.aa_pairs import NEWEST_RUNS, SEARCHED_RUNS, is_valid
from backend.store.repositories.noise_limits import is_within

MAX_TRIALS: Final = 500
"""The newest trials of which waits, repeats and steal are counted."""


@dataclass(frozen=True)
class Measured:
    """What a host has measured: its ended runs, when the last one ended, and the last exclusion in one."""

    runs: int
    last_end: datetime | None
    exclusion: int


@dataclass(frozen=True)
class LoadPairs:
    """A/A pairs under one tool and service, in the rate that the tool reports."""

    tool: str
    service: str
    metric: str
    pairs: tuple[Pair, ...]


def measured(session: Session, host_id: str) -> Measured:
    """What a host's noise depends on: it is computed again when this changes."""
    ended = (Run.host_id == host_id, Run.origin == "measured", Run.state.in_(RUN_ENDED))
    last = select(func.coalesce(func.max(Exclusion.id), 0)).join(Run, Run.id == Exclusion.run_id)
    row = session.execute(
        select(
            func.count().label("runs"),
            func.max(Run.finished_at).label("last_end"),
            last.where(*ended).scalar_subquery().label("exclusion"),
        ).where(*ended)
    ).one()
    return Measured(**row._mapping)


def measured_of_all(session: Session) -> dict[str, Measured]:
    """As `measured`, of all hosts that have ended a run, by their id."""
    ended = (Run.origin == "measured", Run.state.in_(RUN_ENDED))
    excluded = session.execute(
        select(Run.host_id, func.max(Exclusion.id).label("last"))
        .join(Run, Run.id == Exclusion.run_id)
        .where(*ended)
        .group_by(Run.host_id)
    ).all()
    last = {row.host_id: row.last for row in excluded}
    rows = session.execute(
        select(Run.host_id, func.count().label("runs"), func.max(Run.finished_at).label("last_end"))
        .where(*ended)
        .group_by(Run.host_id)
    ).all()
    return {row.host_id: Measured(row.runs, row.last_end, last.get(row.host_id, 0)) for row in rows}


def pairs(session: Session, host_id: str) -> list[LoadPairs]:
    """The pairs of the newest runs of each load, by tool and service."""
    found: dict[tuple[str, str, str], list[Pair]] = {}
    for tool, metric in RATES.items():
        for service, pair in _pairs_of(session, host_id, tool, metric):
            found.setdefault((tool, service, metric), []).append(pair)
    return [LoadPairs(*load, tuple(all_)) for load, all_ in sorted(found.items())]


def _pairs_of(session: Session, host_id: str, tool: str, metric: str) -> list[tuple[str, Pair]]:
    """Each pair of a tool with its service, of the newest runs under the default limits that have any."""
    ended = _ended(host_id, SEARCHED_RUNS, is_within())
    own, copy = aliased(Result), aliased(Result)
    base, duplicate = (cast(result.metrics[metric].astext, Float) for result in (own, copy))
    rows = session.execute(
        select(
            own.run_id,
            own.cell_id,
            base.label("base"),
            duplicate.label("duplicate"),
            own.payload["server"].astext.label("server"),
            copy.payload["server"].astext.label("other"),
            Trial.levels["service"].astext.label("service"),
        )
        .join(ended, ended.c.id == own.run_id)
        .join(
            copy,
            and_(
                copy.run_id == own.run_id,
                copy.round == own.round,
                copy.cell_id == own.cell_id.concat(DUPLICATE),
            ),
        )
        .join(Trial, Trial.id == own.trial_id)
        .where(
            own.evidence_verdict == "proven",
            copy.evidence_verdict == "proven",
            *(is_valid(result) for result in (own, copy)),
            base > 0,
            duplicate > 0,
            Trial.levels["tool"].astext == tool,
        )
        .order_by(ended.c.created_at.desc(), own.run_id, own.cell_id, own.round)
    ).all()
    runs = list(dict.fromkeys(row.run_id for row in rows))[:NEWEST_RUNS]
    return [
        (
            row.service,
            Pair(row.run_id, row.cell_id, (row.server or "", row.other or ""), row.base, row.duplicate),
        )
        for row in rows
        if row.run_id in runs
    ]


def qualities(session: Session, host_id: str) -> list[dict[str, Any]]:
    """The field `quality` of the records of the newest trials that have one, newest run first."""
    ended = _ended(host_id, SEARCHED_RUNS)
    quality = Result.payload["quality"].label("quality")
    rows = session.scalars(
        select(quality)
        .join(ended, ended.c.id == Result.run_id)
        .order_by(ended.c.created_at.desc(), Result.run_id, Result.round.desc(), Result.cell_id)
        .limit(MAX_TRIALS)
    )
    return [found for found in rows if isinstance(found, dict)]


def keep(session: Session, host_id: str, figures: dict[str, Any]) -> None:
    """Store what was computed."""
    session.execute(update(Host).where(Host.id == host_id).values(measured=figures))


def _ended(host_id: str, limit: int, *conditions: ColumnElement[bool]) -> Any:
    return (
        select(Run.id, Run.created_at)
        .where(Run.host_id == host_id, Run.origin == "measured", Run.state.in_(RUN_ENDED), *conditions)
        .order_by(Run.created_at.desc())
        .limit(limit)
        .subquery()
    )
