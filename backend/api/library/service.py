"""Searches the library, completes terms, and changes several runs at once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.annotations.schemas import MAX_TAGS
from backend.api.library import query as grammar
from backend.api.library.schemas import (
    ChangedRuns,
    LibraryQuery,
    LibraryRun,
    LibraryRunList,
    LibraryTerm,
    LibraryTermList,
    RunChanges,
    TermProblem,
    TermQuery,
)
from backend.api.paging import read_rows
from backend.core.errors import Conflict, Invalid, NotFound
from backend.settings import Settings
from backend.store.repositories import library, library_rows, run_entries
from backend.store.repositories.library_rows import LibraryRun as StoredRun
from backend.store.session import session_scope

AGES: Final = ("24h", "7d", "4w", "26w")


def search(settings: Settings, caller: Actor, wanted: LibraryQuery) -> LibraryRunList:
    """One page of the caller's team's runs that match. Raises Invalid for an unknown cursor."""
    parsed = grammar.parse(wanted.q, datetime.now(UTC))
    totals: list[int | None] = []

    def read(session: Session, limit: int, after: str | None) -> list[StoredRun]:
        found = library.search(session, caller.team, caller.account_id, parsed.conditions, limit, after)
        totals.append(found.total)
        return library_rows.read_rows(session, found.ids, caller.account_id)

    rows, next_cursor = read_rows(settings, wanted, read)
    return LibraryRunList(
        data=tuple(map(LibraryRun.model_validate, rows)),
        next_cursor=next_cursor,
        total=totals[0],
        problems=tuple(map(TermProblem.model_validate, parsed.problems)),
    )


def terms(settings: Settings, caller: Actor, wanted: TermQuery) -> LibraryTermList:
    """What completes the typed part: keys, fixed values, and terms of the team's runs."""
    part = wanted.part.strip().lower().removeprefix("-")
    fixed = [LibraryTerm(term=term, runs=None) for term in _fixed(part)]
    with session_scope(settings) as session:
        known = library.terms(session, caller.team, part, wanted.limit) if part else []
    found = [LibraryTerm(term=one.term, runs=one.runs) for one in known]
    stored = {one.term for one in found}
    return LibraryTermList(data=(*(one for one in fixed if one.term not in stored), *found)[: wanted.limit])


def _fixed(part: str) -> list[str]:
    key, colon, value = part.partition(":")
    if not colon:
        return [f"{name}:" for name in grammar.KEYS if name.startswith(part)]
    values = AGES if key in ("after", "before") else grammar.CHOICES.get(key, ())
    return [f"{key}:{one}" for one in values if one.startswith(value)]


def change(settings: Settings, caller: Actor, changes: RunChanges) -> ChangedRuns:
    """Change runs of the caller's team, all or none of them. Raises NotFound, Conflict and Invalid."""
    ids = list(dict.fromkeys(changes.runs))
    with session_scope(settings) as session:
        ended = library.lock_runs(session, caller.team, ids)
        missing = [run_id for run_id in ids if run_id not in ended]
        if missing:
            raise NotFound(f"there is no run {missing[0]} in this team; nothing was changed")
        if changes.archived is not None:
            _archive(session, ended, changes.archived)
        if changes.add_tags or changes.remove_tags:
            _change_tags(session, ids, changes)
        if changes.starred is not None:
            library.star(session, ids, caller.account_id, changes.starred)
    return ChangedRuns(runs=len(ids))


def _archive(session: Session, ended: dict[str, bool], archived: bool) -> None:
    active = [run_id for run_id, has_ended in ended.items() if not has_ended]
    if archived and active:
        raise Conflict(f"{active[0]} has not ended: cancel it, or wait until it has; nothing was changed")
    library.archive(session, list(ended), archived)


def _change_tags(session: Session, ids: list[str], changes: RunChanges) -> None:
    numbers = library.change_tags(session, ids, changes.add_tags, changes.remove_tags)
    full = [run_id for run_id, number in numbers.items() if number > MAX_TAGS]
    if full:
        detail = f"{full[0]} would have more than {MAX_TAGS} tags: remove some first; nothing was changed"
        raise Invalid.at("/add_tags", "too_long", detail)
    run_entries.refresh(session, ids)
