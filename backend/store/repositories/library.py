"""Searches of runs by their entries: text, terms and states; and the terms that exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import ColumnElement, Select, false, func, literal, not_, or_, select, text, tuple_
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session
from sqlalchemy.types import Text

from backend.core.errors import NotFound
from backend.core.plan.states import RUN_ENDED
from backend.store.ids import is_id
from backend.store.models import Run, RunEntry, RunStar

Field = Literal["text", "term", "is", "has", "state", "author", "group", "experiment", "after", "before"]
COUNTED: Final = 1000
"""Matches are counted up to this number."""


@dataclass(frozen=True)
class Condition:
    """One condition of a search: the field has one of the values, in lower case; `*` is any text.

    Values of `term` are such as "path:bridge_ip". `after` and `before` have a time, `after` includes it.
    """

    field: Field
    values: tuple[str, ...]
    negated: bool = False
    at: datetime | None = None


@dataclass(frozen=True)
class Matches:
    """A page of the runs that match, newest first, and how many match; None on a later page."""

    ids: list[str]
    total: int | None


def search(
    session: Session,
    team_id: str,
    account_id: str,
    conditions: Sequence[Condition],
    limit: int,
    after_id: str | None,
) -> Matches:
    """The newest runs of a team that meet all conditions, older than `after_id`.

    Archived runs match only where a condition names them. Raises NotFound for an unknown `after_id`.
    """
    query = select(RunEntry.run_id).where(RunEntry.team_id == team_id)
    if any(_reads_run(condition) for condition in conditions):
        query = query.join(Run, Run.id == RunEntry.run_id)
    for condition in conditions:
        query = query.where(_clause(condition, account_id))
    if not any(one.field == "is" and "archived" in one.values for one in conditions):
        query = query.where(RunEntry.archived_at.is_(None))
    page = query.order_by(RunEntry.created_at.desc(), RunEntry.run_id.desc()).limit(limit)
    if after_id is None:
        return Matches(list(session.scalars(page)), _count(session, query))
    last = session.get(RunEntry, after_id) if is_id("run", after_id) else None
    if last is None or last.team_id != team_id:
        raise NotFound("there is no such run")
    older = tuple_(RunEntry.created_at, RunEntry.run_id) < (last.created_at, last.run_id)
    return Matches(list(session.scalars(page.where(older))), None)


def _reads_run(condition: Condition) -> bool:
    """Whether a condition is on the run itself, whose rows are many times as wide as entries."""
    of_entry = condition.field in ("text", "term", "author", "after", "before")
    return not of_entry and not set(condition.values) <= {"starred", "archived", "excluded", "verdict"}


def _count(session: Session, query: Select[str]) -> int:
    return session.scalar(select(func.count()).select_from(query.limit(COUNTED).subquery())) or 0


def _clause(condition: Condition, account_id: str) -> ColumnElement[bool]:
    if condition.field in ("after", "before"):
        is_after = condition.field == "after"
        return RunEntry.created_at >= condition.at if is_after else RunEntry.created_at < condition.at
    found = or_(*(_one(condition.field, value, account_id) for value in condition.values))
    return not_(found) if condition.negated else found


def _one(field: Field, value: str, account_id: str) -> ColumnElement[bool]:
    match field:
        case "text":
            found = RunEntry.searchable.like(f"%{_pattern(value)}%")
            return or_(found, RunEntry.run_id == value) if is_id("run", value) else found
        case "term":
            return _term(value)
        case "state":
            return Run.state == value
        case "author":
            if value == "me":
                return func.coalesce(RunEntry.author_id == account_id, false())
            return func.lower(RunEntry.author).like(f"%{_pattern(value)}%")
        case "group":
            return func.coalesce(Run.group_id == value, false())
        case "experiment":
            return Run.experiment_id == value
        case "is":
            return _is(value, account_id)
        case _:
            return _has(value)


def _term(value: str) -> ColumnElement[bool]:
    if "*" not in value:
        return RunEntry.terms.contains(literal([value], ARRAY(Text)))
    term = func.unnest(RunEntry.terms).column_valued("term")
    return select(1).where(term.like(_pattern(value))).correlate(RunEntry).exists()


def _is(value: str, account_id: str) -> ColumnElement[bool]:
    match value:
        case "starred":
            mine = RunStar.account_id == account_id
            return select(1).where(RunStar.run_id == RunEntry.run_id, mine).exists()
        case "archived":
            return RunEntry.archived_at.is_not(None)
        case "imported" | "measured":
            return Run.origin == value
        case "grouped":
            return Run.group_id.is_not(None)
        case "excluded":
            return RunEntry.excluded > 0
        case "active":
            return Run.finished_at.is_(None)
        case _:
            return Run.finished_at.is_not(None)


def _has(value: str) -> ColumnElement[bool]:
    if value == "note":
        return Run.note != ""
    return Run.tags != text("'[]'::jsonb") if value == "tag" else RunEntry.verdict.is_not(None)


def _pattern(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return escaped.replace("*", "%")


_TERMS: Final = text("""
    SELECT term, count(*) AS runs
      FROM run_entry n, unnest(n.terms) term
     WHERE n.team_id = :team_id AND n.archived_at IS NULL AND term LIKE :pattern
     GROUP BY term ORDER BY count(*) DESC, term LIMIT :limit
""")


@dataclass(frozen=True)
class KnownTerm:
    """A term of a team's runs, and how many have it."""

    term: str
    runs: int


def terms(session: Session, team_id: str, part: str, limit: int) -> list[KnownTerm]:
    """The terms of a team's runs that contain a text, those of most runs first.

    With a colon in the text, those that begin with it.
    """
    pattern = f"{_pattern(part)}%" if ":" in part else f"%{_pattern(part)}%"
    rows = session.execute(_TERMS, {"team_id": team_id, "pattern": pattern, "limit": limit})
    return [KnownTerm(row.term, row.runs) for row in rows]


_ARCHIVE: Final = text("""
    UPDATE run_entry SET archived_at = CASE WHEN :archived THEN coalesce(archived_at, clock_timestamp()) END
     WHERE run_id = ANY(:ids)
""")
_TAG: Final = text("""
    UPDATE run SET tags = (
           SELECT coalesce(jsonb_agg(tag ORDER BY tag), '[]') FROM (
                  SELECT tag FROM jsonb_array_elements_text(tags) tag WHERE tag <> ALL(:removed)
                   UNION SELECT unnest(CAST(:added AS text[]))) wanted(tag))
     WHERE id = ANY(:ids)
    RETURNING id, jsonb_array_length(tags) AS number
""")
_STAR: Final = text("""
    INSERT INTO run_star (account_id, run_id) SELECT :account_id, unnest(CAST(:ids AS text[]))
    ON CONFLICT DO NOTHING
""")
_UNSTAR: Final = text("DELETE FROM run_star WHERE account_id = :account_id AND run_id = ANY(:ids)")


def lock_runs(session: Session, team_id: str, ids: Sequence[str]) -> dict[str, bool]:
    """Lock these runs of a team, in the order of their ids; whether each has ended."""
    query = select(Run.id, Run.state).where(Run.team_id == team_id, Run.id.in_(list(ids)))
    rows = session.execute(query.order_by(Run.id).with_for_update())
    return {row.id: row.state in RUN_ENDED for row in rows}


def archive(session: Session, ids: Sequence[str], archived: bool) -> None:
    """Archive runs, or take them out of the archive."""
    session.execute(_ARCHIVE, {"ids": list(ids), "archived": archived})


def change_tags(
    session: Session, ids: Sequence[str], added: Sequence[str], removed: Sequence[str]
) -> dict[str, int]:
    """Add tags to runs and remove others; returns the number of tags of each."""
    values = {"ids": list(ids), "added": list(added), "removed": list(removed)}
    return {row.id: row.number for row in session.execute(_TAG, values)}


def star(session: Session, ids: Sequence[str], account_id: str, starred: bool) -> None:
    """Star runs for an account, or remove its stars."""
    session.execute(_STAR if starred else _UNSTAR, {"ids": list(ids), "account_id": account_id})
