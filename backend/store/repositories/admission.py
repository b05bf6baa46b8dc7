"""Whether a host may start trials now."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from backend.store.models import Host
from backend.store.repositories.host_settings import read_policy


def takes_trials(session: Session, host_id: str) -> bool:
    """Whether a host is not drained, and the hours of its policy are now."""
    query = select(Host.policy, Host.drained_at, func.clock_timestamp().label("now"))
    row = session.execute(query.where(Host.id == host_id)).one_or_none()
    if row is None or row.drained_at is not None:
        return False
    hours = read_policy(row.policy, True).hours
    return hours is None or hours.opens_at(row.now) is None
