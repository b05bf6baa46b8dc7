"""Share links: a secret token gives read access to one finished result."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Share(Base):
    """One link. Only the SHA-256 of its token is stored.

    `snapshot` is the public result, JSON compressed with gzip: null in a link of an earlier release that was
    not opened since, and in a revoked link.
    """

    __tablename__ = "share"

    id: Mapped[str] = mapped_column(primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id"), index=True)
    token_sha256: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    snapshot: Mapped[bytes | None] = mapped_column(deferred=True)
