"""Lists histories, with the changes that an account has not seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict

from backend.api.histories.schemas import HistoryList, HistorySummary, ShownChange
from backend.core.statistics.change_points import FEWEST_RUNS
from backend.settings import Settings
from backend.store.repositories import histories, history_changes
from backend.store.repositories.histories import ListedHistory
from backend.store.session import session_scope


def list_all(
    settings: Settings, account_id: str, team_id: str, experiment_id: str | None = None
) -> HistoryList:
    """The histories of a team, or of one of its experiments, for an account."""
    with session_scope(settings) as session:
        listed = histories.of_team(session, team_id, experiment_id)
        shown = history_changes.changes_since(session, team_id, None, experiment_id)
        seen_at = history_changes.seen_at(session, account_id, team_id)
    of_history: dict[tuple[str, str], list[ShownChange]] = {}
    for one in shown:
        change = ShownChange(
            **asdict(one), metric_label=one.metric_label, seen=seen_at is not None and one.shown_at <= seen_at
        )
        of_history.setdefault((one.experiment_id, one.host), []).append(change)
    found = [_summary(one, of_history.get((one.experiment_id, one.host), [])) for one in listed]
    found.sort(key=lambda one: one.unseen == 0)
    return HistoryList(data=tuple(found), unseen=sum(one.unseen for one in found), seen_at=seen_at)


def _summary(one: ListedHistory, changes: Sequence[ShownChange]) -> HistorySummary:
    return HistorySummary(
        experiment_id=one.experiment_id,
        name=one.name,
        title=one.title,
        host=one.host,
        runs=one.runs,
        runs_missing=max(0, FEWEST_RUNS - one.runs),
        last_run_at=one.last_run_at,
        changes=len(changes),
        unseen=sum(not change.seen for change in changes),
        largest=max(changes, key=lambda own: (not own.seen, _size(own)), default=None),
    )


def _size(change: ShownChange) -> float:
    """The size on the scale of ratios; a change from or to zero is beyond every one."""
    return math.inf if change.ratio is None else abs(math.log(change.ratio))


def mark_seen(settings: Settings, account_id: str, team_id: str) -> None:
    """Mark all changes of the team as seen by the account."""
    with session_scope(settings) as session:
        history_changes.mark_seen(session, account_id, team_id)
