"""Reads the first page in a few queries; no plan and no result is computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.home.schemas import ActiveRun, Changes, Home, HomeHost, HomeQuestion, HomeRun, HomeVisit
from backend.api.presets.questions import questions
from backend.settings import Settings
from backend.store.repositories import (
    history_changes,
    home,
    host_queue,
    hosts,
    latest_answers,
    library_rows,
    run_view,
)
from backend.store.repositories.host_queue import NONE_OPEN
from backend.store.repositories.hosts import KnownHost
from backend.store.repositories.latest_answers import Latest
from backend.store.repositories.library_rows import LibraryRun
from backend.store.session import session_scope


def read(settings: Settings, caller: Actor, host: str | None = None) -> Home:
    """The page of the caller's team, with the questions of a host."""
    team, account = caller.team, caller.account_id
    with session_scope(settings) as session:
        since = home.last_visit(session, account, team)
        seen_at = history_changes.seen_at(session, account, team)
        changes = None if since is None else home.changes(session, team, since, seen_at)
        known = hosts.list_all(session)
        chosen = _host_of_questions(session, team, known, host)
        latest = _latest(session, team, chosen)
        recent = latest_answers.recent_runs(session, team)
        runs = _runs(session, account, recent, latest.values())
        return Home(
            hosts=_hosts(session, known),
            active=_active(session, team),
            open_runs=home.number_open(session, team),
            recent=tuple(runs[id_] for id_ in recent if id_ in runs),
            host=None if chosen is None else chosen.name,
            questions=tuple(
                HomeQuestion(
                    preset=name,
                    answer=runs.get(found.answer or ""),
                    without_answer=runs.get(found.without_answer or ""),
                    active=found.active,
                )
                for name, found in latest.items()
            ),
            changes=None if changes is None else Changes.model_validate(changes),
        )


def visit(settings: Settings, caller: Actor, visit_: HomeVisit) -> None:
    """Record a visit of the caller's account."""
    with session_scope(settings) as session:
        home.visit(session, caller.account_id, caller.team, visit_.all_seen)


def _host_of_questions(
    session: Session, team: str, known: Sequence[KnownHost], name: str | None
) -> KnownHost | None:
    """The host of this name, that of the team's newest run, one that is online, or any; None without one."""
    named = next((host for host in known if host.name == name), None)
    if named is not None:
        return named
    newest = latest_answers.host_of_newest_run(session, team)
    return min(known, key=lambda host: (host.id != newest, not host.online, host.name), default=None)


def _latest(session: Session, team: str, host: KnownHost | None) -> dict[str, Latest]:
    """The newest runs of each question on a host, by the name of the question's full preset."""
    if host is None:
        return {}
    known = questions()
    return dict(zip(known, latest_answers.latest(session, team, host.id, list(known.values())), strict=True))


def _runs(
    session: Session, account: str, recent: Iterable[str], latest: Iterable[Latest]
) -> dict[str, HomeRun]:
    """Every run that the page shows with its verdict, by id."""
    ids = {*recent, *(id_ for one in latest for id_ in (one.answer, one.without_answer) if id_ is not None)}
    rows = library_rows.read_rows(session, sorted(ids), account)
    lost = latest_answers.lost_trials(session, [row.id for row in rows if _may_be_measured_again(row)])
    return {
        row.id: HomeRun.model_validate(row).model_copy(update={"lost_trials": lost.get(row.id, 0)})
        for row in rows
    }


def _may_be_measured_again(run: LibraryRun) -> bool:
    """Whether lost trials can be the reason that a run has no answer."""
    return run.origin == "measured" and run.verdict is not None and not run.verdict.get("answered")


def _active(session: Session, team: str) -> tuple[ActiveRun, ...]:
    """The runs that have not ended, oldest first."""
    ids = home.open_runs(session, team)
    views = reversed(run_view.read_views(session, ids))
    authors = home.authors(session, ids)
    return tuple(
        ActiveRun.model_validate(run).model_copy(update={"author": authors.get(run.id, "")}) for run in views
    )


def _hosts(session: Session, known: Iterable[KnownHost]) -> tuple[HomeHost, ...]:
    open_ = host_queue.open_trials(session)
    return tuple(
        HomeHost(
            name=host.name,
            access=host.access,
            online=host.online,
            drained=host.drained_at is not None,
            last_seen_at=host.last_seen_at,
            queued_trials=open_.get(host.id, NONE_OPEN).queued,
            running_trials=open_.get(host.id, NONE_OPEN).running,
        )
        for host in known
    )
