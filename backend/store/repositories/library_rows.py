"""Runs as lists show them: without their trials, with the verdict that was kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from backend.core.plan.states import Origin, RunState

EXCERPT: Final = 280
"""Characters of a note that lists contain."""


@dataclass(frozen=True)
class ExclusionReason:
    """A reason for which trials of a run are excluded, and how many."""

    reason: str
    trials: int


@dataclass(frozen=True)
class LibraryRun:
    """A run in a list. `note` is the beginning of its note, `verdict` a RunVerdict of the core as JSON."""

    id: str
    experiment_id: str
    name: str
    title: str
    host: str
    origin: Origin
    state: RunState
    created_at: datetime
    finished_at: datetime | None
    group_id: str | None
    author: str
    tags: list[str]
    note: str
    starred: bool
    archived: bool
    verdict: dict[str, Any] | None
    verdict_due: bool
    exclusions: tuple[ExclusionReason, ...]


_ROWS: Final = text(f"""
    SELECT r.id, r.experiment_id, e.name, e.title, h.name AS host, r.origin, r.state, r.created_at,
           r.finished_at, r.group_id, n.author, r.tags, left(r.note, {EXCERPT}) AS note,
           EXISTS (SELECT FROM run_star s WHERE s.run_id = r.id AND s.account_id = :account_id) AS starred,
           n.archived_at IS NOT NULL AS archived, n.verdict, n.verdict_due, n.excluded
      FROM run_entry n
      JOIN run r ON r.id = n.run_id
      JOIN experiment e ON e.id = r.experiment_id
      JOIN host h ON h.id = r.host_id
     WHERE n.run_id = ANY(:ids)
""")
_REASONS: Final = text("""
    SELECT run_id, reason FROM (
           SELECT DISTINCT ON (trial_id) run_id, action, reason FROM exclusion
            WHERE run_id = ANY(:ids) ORDER BY trial_id, id DESC) last
     WHERE action = 'excluded' ORDER BY run_id, reason
""")


def read_rows(session: Session, run_ids: Sequence[str], account_id: str) -> list[LibraryRun]:
    """These runs in this order, as an account sees them; unknown ids are left out."""
    rows = {
        row["id"]: dict(row)
        for row in session.execute(_ROWS, {"ids": list(run_ids), "account_id": account_id}).mappings()
    }
    reasons = _reasons(session, [run_id for run_id, row in rows.items() if row.pop("excluded")])
    return [
        LibraryRun(**rows[run_id], exclusions=reasons.get(run_id, ())) for run_id in run_ids if run_id in rows
    ]


def _reasons(session: Session, run_ids: Sequence[str]) -> dict[str, tuple[ExclusionReason, ...]]:
    if not run_ids:
        return {}
    counts: dict[str, Counter[str]] = {}
    for row in session.execute(_REASONS, {"ids": list(run_ids)}):
        counts.setdefault(row.run_id, Counter())[row.reason] += 1
    return {
        run_id: tuple(ExclusionReason(reason, trials) for reason, trials in found.most_common())
        for run_id, found in counts.items()
    }
