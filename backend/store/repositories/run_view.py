"""The view of a run: its row, its experiment, its progress and the trial that runs now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from backend.store.states import RUN_ENDED, eta_s

VIEW = text("""
    SELECT r.id, r.experiment_id, e.name, e.title, h.name AS host, r.origin, r.state, r.cancel_requested,
           coalesce((r.plan ->> 'seed')::bigint, (e.definition ->> 'seed')::bigint, 0) AS seed,
           CAST(r.plan ->> 'restart_every' AS integer) AS restart_every,
           coalesce(r.plan ->> 'restart_reason', '') AS restart_reason,
           r.created_at, r.started_at, r.finished_at,
           (r.plan #>> '{estimate,seconds}')::float8 / greatest((r.plan #>> '{estimate,trials}')::int, 1)
               AS planned_s,
           (SELECT max(id) FROM event WHERE event.run_id = r.id) AS last_event_id,
           p.*, c.*
      FROM run r
      JOIN experiment e ON e.id = r.experiment_id
      JOIN host h ON h.id = r.host_id
     CROSS JOIN LATERAL (
           SELECT count(*) AS total,
                  count(*) FILTER (WHERE state = 'done') AS done,
                  count(*) FILTER (WHERE state = 'failed') AS failed,
                  count(*) FILTER (WHERE state = 'cancelled') AS cancelled,
                  count(*) FILTER (WHERE state = 'spared') AS spared,
                  count(*) FILTER (WHERE state = 'running') AS running,
                  count(*) FILTER (WHERE state = 'queued') AS queued,
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


def read_views(session: Session, run_ids: Sequence[str]) -> list[dict[str, Any]]:
    """The views of these runs, newest first, JSON-ready; unknown ids are left out."""
    return [_view(row) for row in session.execute(VIEW, {"ids": list(run_ids)})]


def _view(row: Row[Any]) -> dict[str, Any]:
    ended = row.state in RUN_ENDED
    return {
        "id": row.id,
        "experiment_id": row.experiment_id,
        "name": row.name,
        "title": row.title,
        "host": row.host,
        "origin": row.origin,
        "state": row.state,
        "seed": row.seed,
        "created_at": _rfc3339(row.created_at),
        "started_at": _rfc3339(row.started_at),
        "finished_at": _rfc3339(row.finished_at),
        "cancel_requested": row.cancel_requested,
        "progress": {
            "total": row.total,
            "done": row.done,
            "failed": row.failed,
            "cancelled": row.cancelled,
            "spared": row.spared,
            "running": row.running,
            "eta_s": None if ended else eta_s(row.queued, row.running_s, row.wall_s, row.planned_s),
        },
        "current": _current(row),
        "last_event_id": row.last_event_id,
        "restart_every": row.restart_every,
        "restart_reason": row.restart_reason,
    }


def _current(row: Row[Any]) -> dict[str, Any] | None:
    if row.trial_id is None:
        return None
    label = row.cell_id if row.label is None else row.label
    return {"trial_id": row.trial_id, "cell_id": row.cell_id, "label": label, "round": row.round}


def _rfc3339(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
