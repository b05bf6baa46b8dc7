"""Checks that the database answers and is migrated."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.store.models import Base


def check_schema(session: Session) -> None:
    """Select every column that this version needs; raises the driver's error if one is missing."""
    for table in Base.metadata.sorted_tables:
        session.execute(select(*table.columns).limit(0))
