"""What the worker of an enrolled host reports about it, and what it has to know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from backend.core.topology.host_policy import HostPolicy
from backend.store.ids import Prefix, is_id
from backend.store.models import Host, Run, Trial
from backend.store.repositories.host_settings import read_policy


@dataclass(frozen=True)
class Orders:
    """What administrators decided about a host, and the database's time."""

    drained: bool
    policy: HostPolicy
    now: datetime


@dataclass(frozen=True)
class Report:
    """What a worker reports every few seconds; None leaves what is stored."""

    conditions: list[dict[str, Any]]
    disk: dict[str, Any] | None
    clock: dict[str, Any] | None


def announce(
    session: Session,
    host_id: str,
    capabilities: dict[str, Any],
    environment: dict[str, str],
    install_id: str,
    release: str,
    protocol: int,
    installed: str,
) -> Orders:
    """Store what a host can run and what its worker is, at the worker's start."""
    values = {
        "capabilities": capabilities,
        "environment": environment,
        "install_id": install_id,
        "release": release,
        "protocol": protocol,
        "installed": installed or None,
        "imported": False,
    }
    return _update(session, host_id, values)


def report(session: Session, host_id: str, release: str, protocol: int, given: Report) -> Orders:
    """Store that a host's worker runs, and what it reports."""
    values: dict[str, Any] = {"conditions": given.conditions, "release": release, "protocol": protocol}
    if given.disk is not None:
        values["disk"] = given.disk
    if given.clock is not None:
        values["clock"] = given.clock
    return _update(session, host_id, values)


def _update(session: Session, host_id: str, values: dict[str, Any]) -> Orders:
    row = session.execute(
        update(Host)
        .where(Host.id == host_id)
        .values(last_seen_at=func.clock_timestamp(), **values)
        .returning(Host.drained_at, Host.policy, Host.host_network, func.clock_timestamp().label("now"))
    ).one()
    return Orders(row.drained_at is not None, read_policy(row.policy, row.host_network), row.now)


def owns(session: Session, host_id: str, prefix: Prefix, object_id: str) -> bool:
    """Whether a run or a trial is one of this host's."""
    if not is_id(prefix, object_id):
        return False
    model = Run if prefix == "run" else Trial
    query = select(model.id).where(model.id == object_id, model.host_id == host_id)
    return session.scalar(query) is not None
