"""What was computed from ended groups of runs, kept so that it is not computed again."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class DerivedOfGroup(Base):
    """The result of an ended group in one metric (JSON, gzip).

    It counts while the versions of the group's runs have the digest `made_from`, and the program that reads
    it is that of `revision`; else it is computed again. Losing a row loses nothing.
    """

    __tablename__ = "derived_of_group"

    group_id: Mapped[str] = mapped_column(ForeignKey("run_group.id", ondelete="CASCADE"), primary_key=True)
    metric: Mapped[str] = mapped_column(primary_key=True)
    made_from: Mapped[str]
    revision: Mapped[str]
    body: Mapped[bytes]
    made_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
