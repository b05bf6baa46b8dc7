"""Claims by a key that the worker makes: an answer that was lost is given again, and claims nothing more.

A host's row has the keys of its last claims, and its lock serialises the host's claims. It is taken before
the run's lock; nobody who holds a run's lock takes it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from backend.core.plan.claimed import ClaimedTrial
from backend.store.models import Host, Trial
from backend.store.repositories import runs, trials

KEPT_KEYS: Final = 8
"""Claims of a host whose keys are known: its one worker waits for each answer before it claims again."""


@dataclass(frozen=True)
class KeyedClaim:
    """What a key has claimed; `first_of_run`: this claim stored the run's environment first.

    `is_new`: it was claimed now, not by an earlier request of this key.
    """

    trial: ClaimedTrial | None
    first_of_run: bool = False
    is_new: bool = False


def claim(
    session: Session,
    host_id: str,
    worker: str,
    key: str,
    environment: dict[str, str],
    last: Collection[str] = (),
) -> KeyedClaim:
    """Claim the host's next trial as `trials.claim` does, and store the environment with its run.

    A key that claimed before gets the same trial and fence while that attempt holds its trial, and then none.
    """
    known: list[Any] = session.execute(
        select(Host.recent_claims).where(Host.id == host_id).with_for_update(key_share=True)
    ).scalar_one()
    for entry in known:
        if entry["key"] == key:
            return _again(session, host_id, entry)
    trial = trials.claim(session, host_id, worker, last)
    if trial is None:
        return KeyedClaim(None)
    first = runs.set_environment(session, trial.run_id, environment)
    entry = {"key": key, "trial_id": trial.trial_id, "fence": trial.fence, "first": first}
    _keep(session, host_id, [*known, entry][-KEPT_KEYS:])
    return KeyedClaim(trial, first, is_new=True)


def end_leases(session: Session, host_id: str) -> int:
    """Expire the leases of a host's earlier workers (`trials.end_leases`); their keys claim nothing more."""
    known: list[Any] = session.execute(
        select(Host.recent_claims).where(Host.id == host_id).with_for_update(key_share=True)
    ).scalar_one()
    _keep(session, host_id, [{"key": entry["key"]} for entry in known])
    return trials.end_leases(session, host_id)


def _keep(session: Session, host_id: str, claims: list[dict[str, Any]]) -> None:
    session.execute(update(Host).where(Host.id == host_id).values(recent_claims=claims))


def _again(session: Session, host_id: str, entry: dict[str, Any]) -> KeyedClaim:
    """The trial of an earlier claim, its lease extended; none if the attempt has lost it or ended."""
    if "fence" not in entry:
        return KeyedClaim(None)
    trial_id, fence = str(entry["trial_id"]), int(entry["fence"])
    if trials.heartbeat(session, trial_id, fence) == "stale":
        return KeyedClaim(None)
    trial = session.get(Trial, trial_id, populate_existing=True)
    if trial is None or trial.host_id != host_id:
        return KeyedClaim(None)
    until = runs.get(session, trial.run_id).next_interim_round
    found = trials.as_claimed(session, trial.run_id, trial, until)
    return KeyedClaim(found, bool(entry["first"]))
