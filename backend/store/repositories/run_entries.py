"""Entries of runs in the library, kept in the transaction of whatever changes their terms or verdicts.

Readers join them with `run`, which has the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.orm import Session

# SQL of an entry. Rows of run, experiment and host are r, e and h; the entry's own values are a.
SEARCHABLE: Final = """
    lower(concat_ws(E'\\n', e.name, e.title, h.name, nullif(r.note, ''), nullif(a.author, ''),
        (SELECT string_agg(tag, ' ') FROM jsonb_array_elements_text(r.tags) tag)))
"""
TERMS: Final = """
    ARRAY(
        SELECT lower(l.key || ':' || l.value)
          FROM jsonb_array_elements(r.plan -> 'cells') cell, jsonb_each_text(cell -> 'levels') l
         UNION SELECT lower('host:' || h.name)
         UNION SELECT 'tag:' || tag FROM jsonb_array_elements_text(r.tags) tag
         UNION SELECT lower('author:' || a.author) WHERE a.author <> ''
         UNION SELECT 'verdict:' || term FROM unnest(CAST(a.verdict_terms AS text[])) term)
"""
JOINED: Final = """
    JOIN experiment e ON e.id = r.experiment_id
    JOIN host h ON h.id = r.host_id
"""
_ADD: Final = text(f"""
    INSERT INTO run_entry (run_id, team_id, created_at, author_id, author, searchable, terms, verdict_due)
    SELECT r.id, r.team_id, r.created_at, a.id, a.author, {SEARCHABLE}, {TERMS}, r.finished_at IS NOT NULL
      FROM run r {JOINED}
     CROSS JOIN LATERAL (
           SELECT (SELECT id FROM account WHERE id = :author_id) AS id,
                  coalesce((SELECT name FROM account WHERE id = :author_id), '') AS author,
                  '{{}}' AS verdict_terms) a
     WHERE r.id = :run_id
""")
_REFRESH: Final = text(f"""
    UPDATE run_entry
       SET searchable = {SEARCHABLE}, terms = {TERMS}
      FROM run r {JOINED}
     CROSS JOIN LATERAL (
           SELECT n.author, ARRAY(SELECT substr(term, 9) FROM unnest(n.terms) term
                                   WHERE term LIKE 'verdict:%') AS verdict_terms
             FROM run_entry n WHERE n.run_id = r.id) a
     WHERE r.id = ANY(:run_ids) AND run_entry.run_id = r.id
""")
_KEEP: Final = text("""
    UPDATE run_entry
       SET verdict = CAST(:verdict AS jsonb), verdict_due = false,
           terms = ARRAY(SELECT term FROM unnest(terms) term WHERE term NOT LIKE 'verdict:%'
                          UNION ALL SELECT 'verdict:' || term FROM unnest(CAST(:terms AS text[])) term)
     WHERE run_id = :run_id
""")
_DUE: Final = text("SELECT run_id FROM run_entry WHERE verdict_due ORDER BY created_at DESC LIMIT 1")
_EXCLUSIONS_CHANGED: Final = text("""
    UPDATE run_entry SET verdict_due = true, excluded = (
           SELECT count(*) FROM (SELECT DISTINCT ON (x.trial_id) x.action FROM exclusion x
                                  WHERE x.run_id = :run_id ORDER BY x.trial_id, x.id DESC) last
            WHERE last.action = 'excluded')
     WHERE run_id = :run_id
""")


def add(session: Session, run_id: str, author_id: str | None) -> None:
    """Add the entry of a new run."""
    session.execute(_ADD, {"run_id": run_id, "author_id": author_id})


def refresh(session: Session, run_ids: Sequence[str]) -> None:
    """Derive the search terms of these runs again, after a change of their notes or tags."""
    session.execute(_REFRESH, {"run_ids": list(run_ids)})


def keep_verdict(session: Session, run_id: str, verdict: str | None, terms: Sequence[str]) -> None:
    """Store the verdict of an ended run as JSON; None if its result cannot be computed."""
    values: dict[str, Any] = {"run_id": run_id, "verdict": verdict, "terms": list(terms)}
    session.execute(_KEEP, values)


def next_due(session: Session) -> str | None:
    """The newest ended run whose verdict is missing or older than its exclusions."""
    found: str | None = session.scalar(_DUE)
    return found


def exclusions_changed(session: Session, run_id: str) -> None:
    """Count the excluded trials of a run again; its verdict is due. The caller holds the run's lock."""
    session.execute(_EXCLUSIONS_CHANGED, {"run_id": run_id})
