"""Reads the first page in a few queries; no plan and no result is computed."""

from __future__ import annotations

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.home.schemas import Changes, Home, HomeHost, HomeVisit
from backend.api.library.schemas import LibraryRun
from backend.api.runs.schemas import Run
from backend.settings import Settings
from backend.store.repositories import history_changes, home, host_queue, hosts, library_rows, run_view
from backend.store.repositories.host_queue import NONE_OPEN
from backend.store.session import session_scope


def read(settings: Settings, caller: Actor) -> Home:
    """The page of the caller's team."""
    team, account = caller.team, caller.account_id
    with session_scope(settings) as session:
        since = home.last_visit(session, account, team)
        active = run_view.read_views(session, home.open_runs(session, team))
        recent = library_rows.read_rows(session, home.recent_runs(session, team), account)
        seen_at = history_changes.seen_at(session, account, team)
        changes = None if since is None else home.changes(session, team, since, seen_at)
        return Home(
            hosts=_hosts(session),
            active=tuple(Run.model_validate(run) for run in reversed(active)),
            recent=tuple(map(LibraryRun.model_validate, recent)),
            changes=None if changes is None else Changes.model_validate(changes),
        )


def visit(settings: Settings, caller: Actor, visit_: HomeVisit) -> None:
    """Record a visit of the caller's account."""
    with session_scope(settings) as session:
        home.visit(session, caller.account_id, caller.team, visit_.all_seen)


def _hosts(session: Session) -> tuple[HomeHost, ...]:
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
        for host in hosts.list_all(session)
    )
