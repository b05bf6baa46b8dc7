"""Results of ended groups of runs: found only while they are what would be computed now."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.core.plan.states import RUN_ENDED
from backend.store.ids import is_id

# The version of each run as `result_rows.version` has it: the start of a trial does not change a result.
_VERSIONS: Final = text("""
    SELECT r.id, r.state,
           coalesce((SELECT e.id FROM event e
                      WHERE e.run_id = r.id AND NOT (e.kind = 'trial' AND e.data->>'state' = 'running')
                      ORDER BY e.id DESC LIMIT 1), 0) AS event_id,
           coalesce((SELECT max(x.id) FROM exclusion x WHERE x.run_id = r.id), 0) AS exclusion
      FROM run r
     WHERE r.group_id = :group_id
     ORDER BY r.id
""")
_FIND: Final = text("""
    SELECT body FROM derived_of_group
     WHERE group_id = :group_id AND metric = :metric AND made_from = :made_from AND revision = :revision
""")
# A group that was deleted meanwhile keeps nothing.
_KEEP: Final = text("""
    INSERT INTO derived_of_group (group_id, metric, made_from, revision, body)
    SELECT id, :metric, :made_from, :revision, :body FROM run_group WHERE id = :group_id FOR KEY SHARE
    ON CONFLICT (group_id, metric) DO UPDATE
       SET made_from = excluded.made_from, revision = excluded.revision,
           body = excluded.body, made_at = excluded.made_at
""")


@dataclass(frozen=True)
class GroupVersion:
    """From what a group's result is computed: a digest of its runs, their last events and exclusions."""

    digest: str
    ended: bool
    runs: int


def version(session: Session, group_id: str) -> GroupVersion:
    """The version of a group's result. Raises NotFound."""
    rows = session.execute(_VERSIONS, {"group_id": group_id}).all() if is_id("grp", group_id) else []
    if not rows:
        raise NotFound("there is no such group of runs")
    parts = "\n".join(f"{row.id} {row.event_id} {row.exclusion}" for row in rows)
    ended = all(row.state in RUN_ENDED for row in rows)
    return GroupVersion(hashlib.sha256(parts.encode()).hexdigest(), ended, len(rows))


def ended_group_of(session: Session, run_id: str) -> str | None:
    """The group of a run, if all of its runs have ended."""
    group_id = session.scalar(text("SELECT group_id FROM run WHERE id = :id"), {"id": run_id})
    return group_id if group_id is not None and version(session, group_id).ended else None


def find(session: Session, group_id: str, metric: str, made_from: str, revision: str) -> bytes | None:
    """The kept result in a metric, "" for the experiment's first, that was computed from exactly this."""
    values = {"group_id": group_id, "metric": metric, "made_from": made_from, "revision": revision}
    found: bytes | None = session.scalar(_FIND, values)
    return found


def keep(session: Session, group_id: str, metric: str, made_from: str, revision: str, body: bytes) -> None:
    """Keep the result of an ended group in place of an earlier one.

    The commit does not wait for the disk: what a crash loses is computed again.
    """
    values = {"group_id": group_id, "metric": metric, "made_from": made_from, "revision": revision}
    session.execute(text("SET LOCAL synchronous_commit = off"))
    session.execute(_KEEP, values | {"body": body})
