"""Hosts, their capabilities and conditions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import and_, case, exists, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, NotFound
from backend.core.topology.host_policy import HostPolicy
from backend.store.ids import new_id
from backend.store.models import Account, Experiment, Host, HostToken, Run
from backend.store.repositories.host_settings import read_policy

Access = Literal["server", "joined", "revoked"]
"""How a host's worker reports: as the server's own, with a token, or no longer."""
ONLINE_S = 60
"""A host is online if its worker was seen within so many seconds."""


@dataclass(frozen=True)
class KnownHost:
    """One host.

    `conditions` are the faults that its worker reported, oldest first: `part`, `since`, `until` (null: it
    continues), `reason`, `effect`. `drained_by` is the name of the account that drained it, `limits` the
    stored policy, `now` the database's time.
    """

    id: str
    name: str
    access: Access
    online: bool
    last_seen_at: datetime
    capabilities: dict[str, Any]
    environment: dict[str, Any]
    conditions: list[dict[str, Any]]
    host_network: bool
    labels: list[str]
    drained_at: datetime | None
    drained_by: str | None
    limits: dict[str, Any]
    disk: dict[str, Any] | None
    clock: dict[str, Any] | None
    release: str | None
    protocol: int | None
    installed: str | None
    measured: dict[str, Any] | None
    now: datetime

    @property
    def left(self) -> bool:
        """Whether the host left or its token was revoked: its worker can claim nothing."""
        return self.access == "revoked"

    @property
    def policy(self) -> HostPolicy:
        """What runs may do on the host."""
        return read_policy(self.limits, self.host_network)

    @property
    def opens_at(self) -> datetime | None:
        """When the hours of its policy begin; None where they are now, or where there are none."""
        hours = self.policy.hours
        return None if hours is None else hours.opens_at(self.now)


@dataclass(frozen=True)
class EndedRun:
    """A run and when it ended."""

    id: str
    finished_at: datetime


def newest_run_of_both_engines(session: Session, host_id: str, team_id: str) -> EndedRun | None:
    """A team's newest complete run on a host that has cells in a lab engine and in the host's own."""
    row = session.execute(
        select(Run.id, Run.finished_at)
        .join(Experiment, Experiment.id == Run.experiment_id)
        .where(
            Run.host_id == host_id,
            Run.team_id == team_id,
            Run.state == "done",
            Run.origin == "measured",
            Experiment.definition["factors"]["engine"].contains(["lab", "host"]),
        )
        .order_by(Run.finished_at.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else EndedRun(row.id, row.finished_at)


def announce(session: Session, name: str, capabilities: dict[str, Any], environment: dict[str, Any]) -> str:
    """Store a host's capabilities and environment at the start of its worker; returns its id.

    Raises Conflict for the name of an enrolled host, whose worker reports over HTTPS.
    """
    values = {
        "capabilities": capabilities,
        "environment": environment,
        "last_seen_at": func.clock_timestamp(),
        "imported": False,
    }
    host_id: str | None = session.execute(
        insert(Host)
        .values(id=new_id("hst"), name=name, **values)
        .on_conflict_do_update(index_elements=[Host.name], set_=values, where=Host.protocol.is_(None))
        .returning(Host.id)
    ).scalar_one_or_none()
    if host_id is None:
        detail = f"an enrolled host has the name {name}: set PLIMSOLL_HOST_NAME to another one"
        raise Conflict(detail, "host_name_taken")
    return host_id


def imported_host(session: Session, name: str) -> str:
    """The id of the host of this name; an unknown one is stored as `imported`."""
    session.execute(
        insert(Host)
        .values(
            id=new_id("hst"),
            name=name,
            capabilities={},
            environment={},
            imported=True,
            last_seen_at=func.clock_timestamp(),
        )
        .on_conflict_do_nothing(index_elements=[Host.name])
    )
    return session.execute(select(Host.id).where(Host.name == name)).scalar_one()


def update_last_seen(
    session: Session,
    host_id: str,
    conditions: list[dict[str, Any]] | None = None,
    disk: dict[str, int] | None = None,
) -> None:
    """Update when the host's worker was last seen, its conditions and its disk (None: unchanged)."""
    values: dict[str, Any] = {"last_seen_at": func.clock_timestamp()}
    if conditions is not None:
        values["conditions"] = conditions
    if disk is not None:
        values["disk"] = disk
    session.execute(update(Host).where(Host.id == host_id).values(**values))


def find(session: Session, name: str) -> KnownHost:
    """The host of this name. Raises NotFound."""
    for host in list_all(session):
        if host.name == name:
            return host
    raise NotFound("there is no such host")


def list_all(session: Session) -> list[KnownHost]:
    """All hosts that a worker has announced, by name."""
    seen = Host.last_seen_at > func.clock_timestamp() - text(f"interval '{ONLINE_S} s'")
    own = exists().where(HostToken.host_id == Host.id)
    # Seen after its token ended: the server's own worker has the name now.
    ended = own.where(HostToken.revoked_at >= Host.last_seen_at)
    access = case((own.where(HostToken.revoked_at.is_(None)), "joined"), (ended, "revoked"), else_="server")
    rows = session.execute(
        select(
            Host.id,
            Host.name,
            access.label("access"),
            and_(seen, access != "revoked").label("online"),
            Host.last_seen_at,
            Host.capabilities,
            Host.environment,
            Host.conditions,
            Host.host_network,
            Host.labels,
            Host.drained_at,
            Account.name.label("drained_by"),
            Host.policy.label("limits"),
            Host.disk,
            Host.clock,
            Host.release,
            Host.protocol,
            Host.installed,
            Host.measured,
            func.clock_timestamp().label("now"),
        )
        .outerjoin(Account, Account.id == Host.drained_by)
        .where(~Host.imported)
        .order_by(Host.name)
    )
    return [KnownHost(**row._mapping) for row in rows]
