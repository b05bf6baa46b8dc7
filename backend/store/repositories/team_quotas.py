"""Quotas that teams have instead of the installation's."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from backend.store.models import TeamQuota


def read(session: Session, team_id: str) -> dict[str, int]:
    """The limits that a team has of its own, by quota."""
    query = select(TeamQuota.quota, TeamQuota.value).where(TeamQuota.team_id == team_id)
    return {row.quota: row.value for row in session.execute(query)}


def replace(session: Session, team_id: str, limits: Mapping[str, int]) -> None:
    """Give a team exactly these limits of its own; the team's row must be locked."""
    session.execute(delete(TeamQuota).where(TeamQuota.team_id == team_id))
    if limits:
        rows = [{"team_id": team_id, "quota": quota, "value": value} for quota, value in limits.items()]
        session.execute(insert(TeamQuota), rows)
