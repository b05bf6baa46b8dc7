"""When accounts saw the first page of a team."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class HomeVisit(Base):
    """The last visit of an account in a team, and since when its changes are shown (the visit before)."""

    __tablename__ = "home_visit"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), primary_key=True)
    since: Mapped[datetime]
    seen_at: Mapped[datetime]
