"""CPU profiles of cells: requested when a run ends, claimed by its host's worker, kept with the run.

A host has one worker, so a profile that a worker claims is taken by no other: one that is still running has
lost its worker. Every call may be repeated; an attempt with an older fence changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.core.plan.claimed import replica_in
from backend.core.plan.profiled import ATTEMPTS, ProfileRequest, chosen_cells
from backend.core.topology.two_hosts import is_between_hosts
from backend.store.ids import is_id
from backend.store.models import CellProfile, Experiment, Run, Trial
from backend.store.repositories import usage

OPEN: Final = ("waiting", "running")
TWO_HOSTS: Final = "the client of this cell runs on another host, and a profile is of one host"

CLAIM = text("""
    WITH next AS (
        SELECT p.run_id, p.cell_id FROM cell_profile p
         WHERE p.host_id = :host_id AND p.state IN ('waiting', 'running')
         ORDER BY p.created_at, p.run_id, p.seq LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE cell_profile SET state = 'running', attempts = cell_profile.attempts + 1 FROM next
     WHERE cell_profile.run_id = next.run_id AND cell_profile.cell_id = next.cell_id
    RETURNING cell_profile.run_id, cell_profile.cell_id, cell_profile.attempts, cell_profile.levels,
              cell_profile.replica
""")
END = text("""
    UPDATE cell_profile SET state = :state, profile = :profile, reason_code = :code, reason = :reason,
           ended_at = clock_timestamp()
     WHERE run_id = :run_id AND cell_id = :cell_id AND host_id = :host_id AND attempts = :fence
       AND state = 'running'
    RETURNING run_id
""").bindparams(bindparam("profile", type_=JSONB(none_as_null=True)))


@dataclass(frozen=True)
class StoredProfile:
    """The profile of one cell as stored; `state` is "not_requested" where the experiment asks for none."""

    state: str
    reason_code: str | None = None
    reason: str | None = None
    profile: dict[str, Any] | None = None
    ended_at: datetime | None = None


def request(session: Session, run_id: str) -> int:
    """Request the profiles of an ended run whose experiment asks for them; returns how many.

    Only of cells with a recorded trial. The caller holds the run's lock.
    """
    wanted = session.execute(
        select(Run.plan, Run.host_id, Run.client_host_id)
        .join(Experiment, Experiment.id == Run.experiment_id)
        .where(Run.id == run_id, Run.origin == "measured", Experiment.definition["profile"].as_boolean())
    ).one_or_none()
    if wanted is None:
        return 0
    cells: dict[str, dict[str, Any]] = {cell["id"]: cell for cell in wanted.plan["cells"]}
    rows = session.execute(
        select(Trial.cell_id, Trial.levels)
        .where(Trial.run_id == run_id, Trial.state == "done")
        .order_by(Trial.seq)
    )
    levels = {row.cell_id: row.levels for row in rows}
    measured = [(id_, bool(cell.get("is_baseline"))) for id_, cell in cells.items() if id_ in levels]
    every = wanted.plan.get("restart_every")
    values = [
        {
            "run_id": run_id,
            "cell_id": cell_id,
            "host_id": wanted.host_id,
            "seq": seq,
            "levels": levels[cell_id],
            "replica": replica_in(cell_id, levels[cell_id], every),
            **_beginning(levels[cell_id], wanted.client_host_id),
        }
        for seq, cell_id in enumerate(chosen_cells(measured), 1)
    ]
    if values:
        session.execute(insert(CellProfile), values)
    return len(values)


def _beginning(levels: dict[str, Any], client_host_id: str | None) -> dict[str, Any]:
    if client_host_id is not None and is_between_hosts(levels):
        return {"state": "not_taken", "reason_code": "two_hosts", "reason": TWO_HOSTS}
    return {"state": "waiting", "reason_code": None, "reason": None}


def claim(session: Session, host_id: str) -> ProfileRequest | None:
    """The next profile that the host's worker should take, or None.

    One that has lost its worker ATTEMPTS times is not taken.
    """
    lost = update(CellProfile).where(
        CellProfile.host_id == host_id, CellProfile.state == "running", CellProfile.attempts >= ATTEMPTS
    )
    detail = f"the worker ended {ATTEMPTS} times while it took the profile"
    session.execute(
        lost.values(state="not_taken", reason_code="lost", reason=detail, ended_at=func.clock_timestamp())
    )
    row = session.execute(CLAIM, {"host_id": host_id}).one_or_none()
    return None if row is None else ProfileRequest(*row)


def is_wanted(session: Session, host_id: str, run_id: str, cell_id: str, fence: int) -> bool:
    """Whether an attempt goes on: false after a cancel, the run's deletion or another claim."""
    query = select(CellProfile.run_id).where(
        CellProfile.run_id == run_id,
        CellProfile.cell_id == cell_id,
        CellProfile.host_id == host_id,
        CellProfile.attempts == fence,
        CellProfile.state == "running",
    )
    return session.scalar(query) is not None


def end(
    session: Session,
    host_id: str,
    request_: tuple[str, str, int],
    profile: dict[str, Any] | None,
    reason: tuple[str, str] | None = None,
) -> bool:
    """End an attempt (run, cell, fence) with its profile, or with why none was taken: a code and a sentence.

    False: the attempt is no longer the cell's.
    """
    run_id, cell_id, fence = request_
    code, detail = reason if reason is not None else (None, None)
    ended = session.execute(
        END,
        {
            "run_id": run_id,
            "cell_id": cell_id,
            "host_id": host_id,
            "fence": fence,
            "state": "not_taken" if profile is None else "taken",
            "profile": profile,
            "code": code,
            "reason": detail,
        },
    ).one_or_none()
    if ended is not None:
        usage.set_stored_bytes(session, run_id)
    return ended is not None


def cancel(session: Session, run_id: str) -> int:
    """End the profiles of a run that were not taken yet; returns how many there were."""
    ended = session.execute(
        update(CellProfile)
        .where(CellProfile.run_id == run_id, CellProfile.state.in_(OPEN))
        .values(
            state="not_taken",
            reason_code="cancelled",
            reason="cancelled after the run had ended",
            ended_at=func.clock_timestamp(),
        )
        .returning(CellProfile.cell_id)
    )
    return len(ended.all())


def read(session: Session, run_id: str, cell_id: str) -> StoredProfile:
    """The profile of a cell of a run in any state. Raises NotFound for an unknown run or cell."""
    run = (
        session.execute(
            select(Run.plan, Run.finished_at, Run.origin, Experiment.definition["profile"].as_boolean())
            .join(Experiment, Experiment.id == Run.experiment_id)
            .where(Run.id == run_id)
        ).one_or_none()
        if is_id("run", run_id)
        else None
    )
    if run is None:
        raise NotFound("there is no such run")
    if cell_id not in {cell["id"] for cell in run.plan["cells"]}:
        raise NotFound("the run has no such cell")
    found = session.get(CellProfile, (run_id, cell_id))
    if found is not None:
        return StoredProfile(found.state, found.reason_code, found.reason, found.profile, found.ended_at)
    if run.origin != "measured" or not run[3]:
        return StoredProfile("not_requested")
    if run.finished_at is None:
        return StoredProfile("waiting")
    return StoredProfile("not_taken", "not_chosen", _not_chosen(session, run_id))


def _not_chosen(session: Session, run_id: str) -> str:
    taken = session.scalar(select(func.count()).where(CellProfile.run_id == run_id)) or 0
    if not taken:
        return "the run was cancelled, or ended before this release could take profiles"
    return f"the cell has no recorded trial, is an A/A duplicate, or is not one of the {taken} chosen cells"
