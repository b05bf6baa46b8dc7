"""What was computed from ended runs: found only while it is what would be computed now."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import text
from sqlalchemy.orm import Session

Kind = Literal["result", "centres", "figures", "history"]
# A run's version is read with the same conditions as `result_rows.version`, from indices.
_FIND_ALL: Final = text("""
    SELECT r.id, h.name AS host, r.started_at, v.event_id, v.exclusion, d.body
      FROM run r
      JOIN host h ON h.id = r.host_id
     CROSS JOIN LATERAL (
           SELECT coalesce((SELECT max(e.id) FROM event e WHERE e.run_id = r.id), 0) AS event_id,
                  coalesce((SELECT max(x.id) FROM exclusion x WHERE x.run_id = r.id), 0) AS exclusion) v
      LEFT JOIN derived d ON d.run_id = r.id AND d.kind = :kind AND d.revision = :revision
           AND d.event_id = v.event_id AND d.exclusion = v.exclusion
     WHERE r.id = ANY(:ids)
""")
_FIND: Final = text("""
    SELECT body FROM derived
     WHERE run_id = :run_id AND kind = :kind AND revision = :revision
       AND event_id = :event_id AND exclusion = :exclusion
""")
# A run that was deleted meanwhile keeps nothing. A later state of a run is not replaced by an earlier one.
_KEEP: Final = text("""
    INSERT INTO derived (run_id, kind, event_id, exclusion, revision, body)
    SELECT id, :kind, :event_id, :exclusion, :revision, :body FROM run WHERE id = :run_id FOR KEY SHARE
    ON CONFLICT (run_id, kind) DO UPDATE
       SET event_id = excluded.event_id, exclusion = excluded.exclusion, revision = excluded.revision,
           body = excluded.body, made_at = excluded.made_at
     WHERE (derived.event_id, derived.exclusion) <= (excluded.event_id, excluded.exclusion)
""")


@dataclass(frozen=True)
class Made:
    """From what a document was computed: the run's last event and exclusion, and by which program."""

    event_id: int
    exclusion: int
    revision: str


@dataclass(frozen=True)
class RunDocument:
    """A run with its host and start, and its document; None where it has to be computed, as `made` says."""

    run_id: str
    host: str
    started_at: datetime | None
    made: Made
    body: bytes | None


def find(session: Session, run_id: str, kind: Kind, made: Made) -> bytes | None:
    """The document of a run that was computed from exactly this."""
    found: bytes | None = session.scalar(_FIND, {"run_id": run_id, "kind": kind, **vars(made)})
    return found


def find_all(session: Session, run_ids: Collection[str], kind: Kind, revision: str) -> list[RunDocument]:
    """The documents of these runs as they are now, in no order; a run that has not ended has none."""
    values = {"ids": list(run_ids), "kind": kind, "revision": revision}
    return [
        RunDocument(row.id, row.host, row.started_at, Made(row.event_id, row.exclusion, revision), row.body)
        for row in session.execute(_FIND_ALL, values)
    ]


def keep(session: Session, run_id: str, kind: Kind, made: Made, body: bytes) -> None:
    """Store a document of an ended run in place of an earlier one.

    The commit does not wait for the disk: what a crash loses is computed again.
    """
    session.execute(text("SET LOCAL synchronous_commit = off"))
    session.execute(_KEEP, {"run_id": run_id, "kind": kind, "body": body, **vars(made)})
