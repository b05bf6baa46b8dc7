"""Checks a team's quotas inside the transaction that uses them, and reads their use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy.orm import Session

from backend.api.quotas.rules import (
    QUOTAS,
    UNITS,
    Demand,
    Limits,
    QuotaName,
    check,
    check_plan,
    level,
    limits_of,
)
from backend.api.quotas.schemas import (
    LargeRun,
    LargestRuns,
    OwnLimits,
    QuotaUse,
    StorageReport,
    StoredTable,
    StoredTeam,
    TeamQuota,
    TeamQuotas,
    UsageReport,
)
from backend.core.errors import NotFound
from backend.core.plan.model import Plan
from backend.settings import Settings
from backend.store.ids import is_id
from backend.store.repositories import team_quotas, teams, usage
from backend.store.repositories.usage import Usage
from backend.store.session import session_scope

STORE: Final = Demand()


def reserve_runs(session: Session, settings: Settings, team_id: str, plans: Sequence[Plan]) -> None:
    """Admit runs together before they are queued in this transaction; others of the team wait until its end.

    Raises QuotaExceeded for their sum, and Invalid for a plan that never fits.
    """
    limits = _limits(session, settings, team_id)
    for plan in plans:
        cells = [cell for cell in plan.cells if cell.infeasible is None]
        check_plan(limits, len(cells), max((_seconds(cell.levels) for cell in cells), default=0.0))
    reserve(session, settings, team_id, demand_of(plans))


def check_runs(session: Session, settings: Settings, team_id: str, plans: Sequence[Plan]) -> None:
    """Raise QuotaExceeded if runs alone exceed a quota, whatever else the team uses; admits nothing."""
    check(_limits(session, settings, team_id), Usage(0, 0, 0.0, 0.0, 0), demand_of(plans))


def demand_of(plans: Sequence[Plan]) -> Demand:
    """What runs of these plans add to a team's use."""
    trials = sum(len(plan.trials) for plan in plans)
    return Demand(trials, len(plans), sum(plan.estimate.seconds for plan in plans))


def reserve(session: Session, settings: Settings, team_id: str, demand: Demand = STORE) -> None:
    """Admit a demand; without one, only whether more may be stored. Raises QuotaExceeded."""
    usage.lock(session, team_id)
    check(_limits(session, settings, team_id), usage.read(session, team_id), demand)


def _limits(session: Session, settings: Settings, team_id: str) -> Limits:
    return limits_of(settings, team_quotas.read(session, team_id))


def limit(settings: Settings, team_id: str, quota: QuotaName) -> int:
    """The limit of one quota of a team."""
    with session_scope(settings) as session:
        return _limits(session, settings, team_id)[quota]


def _seconds(levels: object) -> float:
    assert isinstance(levels, dict)
    return float(levels.get("duration_s", 0)) + float(levels.get("warm_up_s", 0))


def report(settings: Settings, team_id: str, open_streams: int) -> UsageReport:
    """Limits and present use of a team."""
    with session_scope(settings) as session:
        used = usage.read(session, team_id)
        limits = _limits(session, settings, team_id)
    uses: dict[str, float] = {
        "queued_trials": used.queued_trials,
        "active_runs": used.active_runs,
        "host_seconds_per_day": round(used.host_seconds + used.planned_seconds, 1),
        "stored_bytes": used.stored_bytes,
        "open_streams": open_streams,
    }
    return UsageReport(data=tuple(_use(name, limits[name], uses.get(name)) for name in QUOTAS))


def _use(name: QuotaName, most: int, used: float | None) -> QuotaUse:
    return QuotaUse(quota=name, limit=most, used=used, unit=UNITS[name], level=level(most, used))


def largest_runs(settings: Settings, team_id: str, number: int) -> LargestRuns:
    """The ended runs of a team that store most."""
    with session_scope(settings) as session:
        found = usage.largest_runs(session, team_id, number)
    return LargestRuns(data=tuple(LargeRun.model_validate(run) for run in found))


def storage(settings: Settings) -> StorageReport:
    """What the database takes on its disk, by table and by team."""
    with session_scope(settings) as session:
        tables, stored = usage.by_table(session), usage.by_team(session)
        limits = {team.id: _limits(session, settings, team.id)["stored_bytes"] for team in stored}
        return StorageReport(
            database_bytes=usage.database_bytes(session),
            tables=tuple(StoredTable(name=table.name, bytes=table.bytes) for table in tables),
            teams=tuple(
                StoredTeam(id=team.id, name=team.name, bytes=team.bytes, limit=limits[team.id])
                for team in stored
            ),
        )


def report_team(settings: Settings, team_id: str, open_streams: int) -> TeamQuotas:
    """The quotas of any team, with the limits that it has of its own. Raises NotFound."""
    with session_scope(settings) as session:
        teams.read(session, _team(team_id))
        own = team_quotas.read(session, team_id)
    defaults = limits_of(settings, {})
    uses = report(settings, team_id, open_streams).data
    return TeamQuotas(
        data=tuple(
            TeamQuota(**vars(use), own=own.get(use.quota), default=defaults[use.quota]) for use in uses
        )
    )


def set_own(settings: Settings, team_id: str, limits: OwnLimits) -> None:
    """Give a team exactly these limits of its own. Raises NotFound."""
    own = {name: value for name, value in limits.model_dump().items() if value is not None}
    with session_scope(settings) as session:
        teams.lock(session, _team(team_id))
        team_quotas.replace(session, team_id, own)


def _team(team_id: str) -> str:
    if not is_id("tem", team_id):
        raise NotFound("there is no such team")
    return team_id
