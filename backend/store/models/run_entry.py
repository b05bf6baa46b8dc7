"""What lists and searches show of a run, beside the run."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from backend.store.models.base import Base


class RunEntry(Base):
    """One run in the library. `searchable` and `terms` are derived from run, experiment, host and verdict.

    `searchable` has name, title, note, tags, host and author in lower case. `terms` are texts such as
    "path:bridge_ip" and "tag:ci". `verdict` is a RunVerdict of the core, null until it was computed;
    `verdict_due`: the run has ended, and its verdict is missing or older than its exclusions. `excluded` is
    the number of trials that are excluded now. `author` is the name at the start of the run.
    """

    __tablename__ = "run_entry"
    __table_args__ = (
        Index(None, "team_id", "created_at", "run_id"),
        Index(None, "terms", postgresql_using="gin"),
        Index("ix_run_entry_verdict_due", "created_at", postgresql_where=text("verdict_due")),
    )

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id"))
    created_at: Mapped[datetime]
    author_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    author: Mapped[str] = mapped_column(server_default="")
    archived_at: Mapped[datetime | None]
    searchable: Mapped[str]
    terms: Mapped[list[str]] = mapped_column(ARRAY(Text))
    verdict: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    verdict_due: Mapped[bool] = mapped_column(server_default="false")
    excluded: Mapped[int] = mapped_column(server_default="0")
