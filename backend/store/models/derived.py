"""What was computed from ended runs, kept so that it is not computed again."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Derived(Base):
    """One computed document of an ended run: its "result" (gzip), its "figures", its
    "centres", or its point in a "history".

    Figures are what a comparison with the run takes of it, centres what a comparison of other runs takes.

    It counts while the run's last event and last exclusion are `event_id` and `exclusion`, and the program
    that reads it is that of `revision`; else it is computed again. Losing a row loses nothing.
    """

    __tablename__ = "derived"
    __table_args__ = (CheckConstraint("kind IN ('result', 'centres', 'figures', 'history')", name="kind"),)

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(BigInteger)
    exclusion: Mapped[int] = mapped_column(BigInteger)
    revision: Mapped[str]
    body: Mapped[bytes]
    made_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
