"""Signed-in browsers."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class BrowserSession(Base):
    """One signed-in browser. Only the SHA-256 of its cookie is stored.

    `team_id` is the team that the browser works in. `second_factor_at` is when a code of the account's second
    factor was accepted in this session. `device_sha256` is of a second cookie, which stays in the browser
    when the session ends and opens nothing: wrong passwords from such a browser are counted apart.
    """

    __tablename__ = "browser_session"

    id: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), index=True)
    team_id: Mapped[str | None] = mapped_column(ForeignKey("team.id", ondelete="SET NULL"))
    token_sha256: Mapped[str] = mapped_column(unique=True)
    method: Mapped[str]
    address: Mapped[str]
    client: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    last_used_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    second_factor_at: Mapped[datetime | None]
    device_sha256: Mapped[str | None] = mapped_column(index=True)
