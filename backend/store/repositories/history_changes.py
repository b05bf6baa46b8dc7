"""Change points that were shown: since when, and what is new for an account."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from backend.core.definition.metrics import METRICS
from backend.store.models import Experiment, HistoryChange, HistorySeen, Host

MOST: Final = 200
"""Changes of one list."""


class _OfMetric:
    """What is about one metric."""

    metric: str

    @property
    def metric_label(self) -> str:
        """The metric's name in words; that of a metric that no longer exists is its own."""
        found = METRICS.get(self.metric)
        return self.metric if found is None else found.label


@dataclass(frozen=True)
class FoundChange(_OfMetric):
    """A change point as a history has it now: its ratio, or its difference where a value is zero."""

    cell_id: str
    label: str
    metric: str
    basis: str
    direction: str
    ratio: float | None
    difference: dict[str, Any] | None
    p_adjusted: float
    after_time: datetime
    until_time: datetime
    run_id: str


@dataclass(frozen=True)
class ShownChange(FoundChange):
    """A change point that is shown: of which history, and since when."""

    id: int
    experiment_id: str
    name: str
    title: str
    host: str
    shown_at: datetime


@dataclass(frozen=True)
class ChangedHistory(_OfMetric):
    """A history that shows new changes: the largest of them, their number, and when the newest was shown.

    A change from or to zero, which no ratio measures, comes before every ratio.
    `run_id` is the first run after the change and `run_at` its start; where it was deleted, the time by which
    the change had happened.
    """

    experiment_id: str
    title: str
    host: str
    cell_id: str
    label: str
    metric: str
    basis: str
    direction: str
    ratio: float | None
    difference: dict[str, Any] | None
    run_id: str
    run_at: datetime
    changes: int
    at: datetime


_OWN: Final = [
    getattr(HistoryChange, name)
    for name in ShownChange.__dataclass_fields__
    if name not in ("name", "title", "host")
]
_LISTED: Final = (
    select(Experiment.name, Experiment.title, Host.name.label("host"), *_OWN)
    .join(Experiment, Experiment.id == HistoryChange.experiment_id)
    .join(Host, Host.id == HistoryChange.host_id)
    .where(HistoryChange.withdrawn_at.is_(None))
)
_HISTORIES_SINCE: Final = text("""
    SELECT * FROM (
        SELECT DISTINCT ON (c.experiment_id, c.host_id)
               c.experiment_id, e.title, h.name AS host, c.cell_id, c.label, c.metric, c.basis, c.direction,
               c.ratio, c.difference, c.run_id, coalesce(r.started_at, c.until_time) AS run_at,
               count(*) OVER of_history AS changes, max(c.shown_at) OVER of_history AS at
          FROM history_change c
          JOIN experiment e ON e.id = c.experiment_id
          JOIN host h ON h.id = c.host_id
          LEFT JOIN run r ON r.id = c.run_id
         WHERE c.team_id = :team_id AND c.shown_at > :since AND c.withdrawn_at IS NULL
        WINDOW of_history AS (PARTITION BY c.experiment_id, c.host_id)
         ORDER BY c.experiment_id, c.host_id, abs(ln(c.ratio)) DESC NULLS FIRST, c.p_adjusted,
                  c.id) changed
     ORDER BY at DESC, experiment_id, host LIMIT :most
""")
_LOCK: Final = text("SELECT pg_advisory_xact_lock(hashtext('history_change'), hashtext(:key))")


def replace(session: Session, experiment_id: str, host_id: str, found: Iterable[FoundChange]) -> None:
    """Make these the shown changes of a history.

    One that overlaps a known change of the same series, basis and direction in time is that one: it keeps the
    time at which it was first shown. Known ones that are missing are withdrawn.
    """
    session.execute(_LOCK, {"key": f"{experiment_id} {host_id}"})
    query = select(HistoryChange).where(
        HistoryChange.experiment_id == experiment_id,
        HistoryChange.host_id == host_id,
        HistoryChange.withdrawn_at.is_(None),
    )
    known = list(session.scalars(query.order_by(HistoryChange.id)))
    team_id = session.scalar(select(Experiment.team_id).where(Experiment.id == experiment_id))
    if team_id is None:
        return
    for one in found:
        same = next((old for old in known if _same(old, one)), None)
        if same is None:
            values = {"team_id": team_id, "experiment_id": experiment_id, "host_id": host_id}
            session.execute(insert(HistoryChange).values(**values, **asdict(one)))
            continue
        known.remove(same)
        session.execute(update(HistoryChange).where(HistoryChange.id == same.id).values(**asdict(one)))
    gone = [old.id for old in known]
    if gone:
        values_ = {"withdrawn_at": func.clock_timestamp()}
        session.execute(update(HistoryChange).where(HistoryChange.id.in_(gone)).values(**values_))


def _same(old: HistoryChange, new: FoundChange) -> bool:
    return (
        (old.cell_id, old.metric, old.basis, old.direction)
        == (new.cell_id, new.metric, new.basis, new.direction)
        and old.after_time < new.until_time
        and new.after_time < old.until_time
    )


def changes_since(
    session: Session, team_id: str, when: datetime | None, experiment_id: str | None = None
) -> list[ShownChange]:
    """The changes of a team, or of one of its experiments, first shown after this time (None: all), newest
    first, at most MOST."""
    query = _LISTED.where(HistoryChange.team_id == team_id)
    if experiment_id is not None:
        query = query.where(HistoryChange.experiment_id == experiment_id)
    if when is not None:
        query = query.where(HistoryChange.shown_at > when)
    rows = session.execute(query.order_by(HistoryChange.shown_at.desc(), HistoryChange.id.desc()).limit(MOST))
    return [ShownChange(**row._mapping) for row in rows]


def histories_since(session: Session, team_id: str, since: datetime, most: int) -> tuple[ChangedHistory, ...]:
    """The histories of a team that show changes since this time, the newest first. Nothing is computed."""
    values = {"team_id": team_id, "since": since, "most": most}
    return tuple(ChangedHistory(**row) for row in session.execute(_HISTORIES_SINCE, values).mappings())


def seen_at(session: Session, account_id: str, team_id: str) -> datetime | None:
    """When an account last marked a team's changes as seen."""
    query = select(HistorySeen.seen_at)
    found: datetime | None = session.scalar(
        query.where(HistorySeen.account_id == account_id, HistorySeen.team_id == team_id)
    )
    return found


def mark_seen(session: Session, account_id: str, team_id: str) -> None:
    """Mark all changes of a team as seen by an account."""
    now = func.clock_timestamp()
    query = upsert(HistorySeen).values(account_id=account_id, team_id=team_id, seen_at=now)
    query = query.on_conflict_do_update(
        index_elements=[HistorySeen.account_id, HistorySeen.team_id], set_={"seen_at": now}
    )
    session.execute(query)


def take_unnotified(session: Session) -> list[ShownChange]:
    """All changes of one history whose message was not made yet, locked and marked, the largest first.

    Other senders pass over them. Those that were withdrawn meanwhile are marked too, and left out.
    """
    unnotified = select(HistoryChange.experiment_id, HistoryChange.host_id).where(~HistoryChange.notified)
    first = session.execute(
        unnotified.order_by(HistoryChange.id).limit(1).with_for_update(skip_locked=True)
    ).one_or_none()
    if first is None:
        return []
    query = select(HistoryChange.id).where(
        HistoryChange.experiment_id == first.experiment_id,
        HistoryChange.host_id == first.host_id,
        ~HistoryChange.notified,
    )
    ids = list(session.scalars(query.order_by(HistoryChange.id).with_for_update(skip_locked=True)))
    session.execute(update(HistoryChange).where(HistoryChange.id.in_(ids)).values(notified=True))
    largest_first = func.abs(func.ln(HistoryChange.ratio)).desc().nulls_first()
    listed = _LISTED.where(HistoryChange.id.in_(ids))
    rows = session.execute(listed.order_by(largest_first, HistoryChange.p_adjusted, HistoryChange.id))
    return [ShownChange(**row._mapping) for row in rows]


def team_of(session: Session, experiment_id: str) -> str | None:
    """The team of an experiment."""
    found: str | None = session.scalar(select(Experiment.team_id).where(Experiment.id == experiment_id))
    return found
