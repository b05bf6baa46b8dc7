"""Quotas that a team has instead of the installation's."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class TeamQuota(Base):
    """The limit of one quota of one team; a quota without a row has the limit of the settings."""

    __tablename__ = "team_quota"
    __table_args__ = (CheckConstraint("value >= 0", name="value"),)

    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), primary_key=True)
    quota: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[int] = mapped_column(BigInteger)
