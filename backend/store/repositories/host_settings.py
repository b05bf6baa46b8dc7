"""What administrators of the installation decide about a host: drained or not, policy, labels."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import case, func, select, update
from sqlalchemy.orm import Session, aliased

from backend.core.errors import NotFound
from backend.core.topology.host_policy import HostPolicy
from backend.store.models import Host, Run, Trial

OPEN_STATES = ("queued", "running")


@dataclass(frozen=True)
class OpenLevels:
    """Trials of one run on a host that have not ended and have the same levels."""

    run_id: str
    team_id: str
    levels: dict[str, Any]
    client_host: str | None
    trials: int


def read_policy(limits: Mapping[str, Any], host_network: bool) -> HostPolicy:
    """A policy from a host's two columns. The policy has both for workers, which are sent it alone."""
    return HostPolicy.model_validate({**limits, "host_network": host_network})


def policy_of(session: Session, host_id: str) -> HostPolicy:
    """The policy of a host. Raises NotFound."""
    row = session.execute(select(Host.policy, Host.host_network).where(Host.id == host_id)).one_or_none()
    if row is None:
        raise NotFound("there is no such host")
    return read_policy(row.policy, row.host_network)


def drain(session: Session, name: str, account_id: str) -> None:
    """Let a host claim no new trial. Of one that is drained already, who and when stay. Raises NotFound."""
    first = Host.drained_at.is_(None)
    _update(
        session,
        name,
        drained_at=func.coalesce(Host.drained_at, func.clock_timestamp()),
        drained_by=case((first, account_id), else_=Host.drained_by),
    )


def resume(session: Session, name: str) -> None:
    """Let a host claim trials again. Raises NotFound."""
    _update(session, name, drained_at=None, drained_by=None)


def version_of(policy: HostPolicy) -> str:
    """What differs where two policies do."""
    text = json.dumps(policy.model_dump(mode="json", exclude_none=True), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def lock_policy(session: Session, name: str) -> HostPolicy:
    """The policy of a host, which nobody changes until the end of the transaction. Raises NotFound."""
    found = select(Host.policy, Host.host_network).where(Host.name == name).with_for_update()
    row = session.execute(found).one_or_none()
    if row is None:
        raise NotFound("there is no such host")
    return read_policy(row.policy, row.host_network)


def set_policy(session: Session, name: str, policy: HostPolicy) -> None:
    """Replace the policy of a host. Raises NotFound."""
    limits = policy.model_dump(mode="json", exclude_none=True)
    _update(session, name, policy=limits, host_network=policy.host_network)


def set_host_network(session: Session, name: str, is_open: bool) -> None:
    """Open a host to plans that use its network or its own Docker daemon, or close it. Raises NotFound."""
    network = func.jsonb_build_object("host_network", is_open)
    _update(session, name, policy=Host.policy.concat(network), host_network=is_open)


def set_labels(session: Session, name: str, labels: Sequence[str]) -> None:
    """Replace the labels of a host. Raises NotFound."""
    _update(session, name, labels=sorted(set(labels)))


def open_levels(session: Session, name: str) -> list[OpenLevels]:
    """The levels of a host's trials that have not ended, by run, oldest run first."""
    client = aliased(Host)
    rows = session.execute(
        select(
            Trial.run_id,
            Run.team_id,
            Trial.levels,
            client.name.label("client_host"),
            func.count().label("trials"),
        )
        .join(Run, Run.id == Trial.run_id)
        .join(Host, Host.id == Trial.host_id)
        .outerjoin(client, client.id == Run.client_host_id)
        .where(Host.name == name, ~Host.imported, Trial.state.in_(OPEN_STATES))
        .group_by(Trial.run_id, Run.team_id, Run.created_at, Trial.levels, client.name)
        .order_by(Run.created_at, Trial.run_id)
    )
    return [OpenLevels(**row._mapping) for row in rows]


def _update(session: Session, name: str, **values: Any) -> None:
    changed = session.execute(
        update(Host).where(Host.name == name, ~Host.imported).values(**values).returning(Host.id)
    ).scalar_one_or_none()
    if changed is None:
        raise NotFound("there is no such host")
