"""Share links: a secret token gives read access to the result of one run."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Share(Base):
    """One link. Only the SHA-256 of its token is stored.

    `kind`: "private" (the token is in the URL's fragment) or "unfurl" (in its path). `mode`: "snapshot" shows
    the result as it was when the link was made, "live" as it is when the link is opened. `snapshot` is that
    SharedResult, JSON compressed with gzip: null in a live, revoked or expired link, and in one of an earlier
    release that was not opened since. `last_used_at` is at most a minute too early.
    """

    __tablename__ = "share"
    __table_args__ = (
        CheckConstraint("kind IN ('private', 'unfurl')", name="kind"),
        CheckConstraint("mode IN ('snapshot', 'live')", name="mode"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), index=True)
    token_sha256: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str] = mapped_column(server_default="private")
    mode: Mapped[str] = mapped_column(server_default="snapshot")
    title: Mapped[str | None]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp(), index=True)
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    opens: Mapped[int] = mapped_column(server_default="0")
    snapshot: Mapped[bytes | None] = mapped_column(deferred=True)
