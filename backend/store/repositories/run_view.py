"""The view of a run: its row, its experiment, its progress and its current trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from backend.core.plan.states import RUN_ENDED, Origin, RunState, eta_s


@dataclass(frozen=True)
class RunProgress:
    """How many trials are in each state; `eta_s` is None once the run has ended.

    `made_up` of all are in make-up rounds (`core.plan.make_up`).
    """

    total: int
    done: int
    failed: int
    cancelled: int
    skipped: int
    running: int
    eta_s: float | None
    made_up: int = 0


@dataclass(frozen=True)
class CurrentTrial:
    """The running trial of a run."""

    trial_id: str
    cell_id: str
    label: str
    round: int


@dataclass(frozen=True)
class RunView:
    """A run as the API and its stored events show it."""

    id: str
    experiment_id: str
    name: str
    title: str
    host: str
    origin: Origin
    state: RunState
    seed: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    cancel_requested: bool
    progress: RunProgress
    current: CurrentTrial | None
    last_event_id: int | None
    restart_every: int | None
    restart_reason: str
    note: str
    tags: list[str]
    group_id: str | None
    client_host: str | None
    schedule_id: str | None
    extension: dict[str, Any] | None

    def as_event(self) -> dict[str, Any]:
        """The data of a `run` event, without `last_event_id` (the event's own id), note and tags."""
        data: dict[str, Any] = _VIEW.dump_python(self, mode="json", exclude=_NOT_IN_EVENTS)
        return data


_VIEW: Final = TypeAdapter(RunView)

_NOT_IN_EVENTS: Final = {"last_event_id", "note", "tags"}

QUERY = text("""
    SELECT r.id, r.experiment_id, e.name, e.title, h.name AS host, r.origin, r.state, r.cancel_requested,
           r.note, r.tags, r.group_id, r.schedule_id, c_host.name AS client_host,
           coalesce((r.plan ->> 'seed')::bigint, (e.definition ->> 'seed')::bigint, 0) AS seed,
           CAST(r.plan ->> 'restart_every' AS integer) AS restart_every,
           nullif(r.plan -> 'extension', 'null') AS extension,
           coalesce(r.plan ->> 'restart_reason', '') AS restart_reason,
           r.created_at, r.started_at, r.finished_at,
           (r.plan #>> '{estimate,seconds}')::float8 / greatest((r.plan #>> '{estimate,trials}')::int, 1)
               AS planned_s,
           (SELECT max(id) FROM event WHERE event.run_id = r.id) AS last_event_id,
           p.*, c.*
      FROM run r
      JOIN experiment e ON e.id = r.experiment_id
      JOIN host h ON h.id = r.host_id
      LEFT JOIN host c_host ON c_host.id = r.client_host_id
     CROSS JOIN LATERAL (
           SELECT count(*) AS total,
                  count(*) FILTER (WHERE state = 'done') AS done,
                  count(*) FILTER (WHERE state = 'failed') AS failed,
                  count(*) FILTER (WHERE state = 'cancelled') AS cancelled,
                  count(*) FILTER (WHERE state = 'spared') AS skipped,
                  count(*) FILTER (WHERE state = 'running') AS running,
                  count(*) FILTER (WHERE state = 'queued') AS queued,
                  count(*) FILTER (WHERE round > (r.plan #>> '{make_up,after_round}')::int) AS made_up,
                  extract(epoch FROM avg(finished_at - started_at)
                      FILTER (WHERE state IN ('done', 'failed')))::float8 AS wall_s
             FROM trial WHERE trial.run_id = r.id) p
      LEFT JOIN LATERAL (
           SELECT t.id AS trial_id, t.cell_id, t.round,
                  extract(epoch FROM clock_timestamp() - t.started_at)::float8 AS running_s,
                  (SELECT cell ->> 'label' FROM jsonb_array_elements(r.plan -> 'cells') cell
                    WHERE cell ->> 'id' = t.cell_id) AS label
             FROM trial t WHERE t.run_id = r.id AND t.state = 'running' ORDER BY t.seq LIMIT 1) c ON true
     WHERE r.id = ANY(:ids)
     ORDER BY r.created_at DESC, r.id DESC
""")


def read_views(session: Session, run_ids: Sequence[str]) -> list[RunView]:
    """The views of these runs, newest first; unknown ids are left out."""
    return [_view(row) for row in session.execute(QUERY, {"ids": list(run_ids)})]


def _view(row: Row[Any]) -> RunView:
    ended = row.state in RUN_ENDED
    eta = None if ended else eta_s(row.queued, row.running_s, row.wall_s, row.planned_s)
    counts = row.total, row.done, row.failed, row.cancelled, row.skipped, row.running
    progress = RunProgress(*counts, eta, row.made_up)
    own = {field.name: row._mapping[field.name] for field in fields(RunView) if field.name in row._mapping}
    return RunView(**own, progress=progress, current=_current(row))


def _current(row: Row[Any]) -> CurrentTrial | None:
    if row.trial_id is None:
        return None
    return CurrentTrial(row.trial_id, row.cell_id, row.label or row.cell_id, row.round)
