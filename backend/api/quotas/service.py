"""Checks a team's quotas inside the transaction that uses them, and reads their use."""

from __future__ import annotations

from typing import Final

from sqlalchemy.orm import Session

from backend.api.quotas.rules import QUOTAS, UNITS, Demand, check, check_plan, limit_of
from backend.api.quotas.schemas import QuotaUse, UsageReport
from backend.core.plan.model import Plan
from backend.settings import Settings
from backend.store.repositories import usage
from backend.store.session import session_scope

STORE: Final = Demand()


def reserve_run(session: Session, settings: Settings, team_id: str, plan: Plan) -> None:
    """Admit a run before it is queued in this transaction; others of the team wait until its end.

    Raises QuotaExceeded, and Invalid for a plan that never fits.
    """
    cells = [cell for cell in plan.cells if cell.infeasible is None]
    check_plan(settings, len(cells), max((_seconds(cell.levels) for cell in cells), default=0.0))
    reserve(session, settings, team_id, Demand(len(plan.trials), 1, plan.estimate.seconds))


def reserve(session: Session, settings: Settings, team_id: str, demand: Demand = STORE) -> None:
    """Admit a demand; without one, only whether more may be stored. Raises QuotaExceeded."""
    usage.lock(session, team_id)
    check(settings, usage.read(session, team_id), demand)


def _seconds(levels: object) -> float:
    assert isinstance(levels, dict)
    return float(levels.get("duration_s", 0)) + float(levels.get("warm_up_s", 0))


def report(settings: Settings, team_id: str, open_streams: int) -> UsageReport:
    """Limits and present use of a team."""
    with session_scope(settings) as session:
        used = usage.read(session, team_id)
    uses: dict[str, float] = {
        "queued_trials": used.queued_trials,
        "active_runs": used.active_runs,
        "host_seconds_per_day": round(used.host_seconds + used.planned_seconds, 1),
        "stored_bytes": used.stored_bytes,
        "open_streams": open_streams,
    }
    return UsageReport(
        data=tuple(
            QuotaUse(quota=name, limit=limit_of(settings, name), used=uses.get(name), unit=UNITS[name])
            for name in QUOTAS
        )
    )
