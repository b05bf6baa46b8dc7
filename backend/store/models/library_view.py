"""Searches of the library that somebody saved."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class LibraryView(Base):
    """A named search: of one account, or with `shared` of its team."""

    __tablename__ = "library_view"
    __table_args__ = (Index(None, "team_id", "account_id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    account_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    shared: Mapped[bool]
    name: Mapped[str]
    query: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
