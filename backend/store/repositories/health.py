"""Whether the database answers and is migrated."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.orm import Session


def answer(session: Session) -> None:
    """Read something that only a migrated database has; raises what the driver raises."""
    session.execute(text("SELECT 1 FROM run LIMIT 1"))
