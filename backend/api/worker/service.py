"""What the operations of a worker do: the trial queue of its own host, each call one short transaction."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from pydantic import ValidationError
from sqlalchemy.exc import DataError
from sqlalchemy.orm import Session

from backend.api.hosts.schemas import Capabilities
from backend.api.notifier import Notifier
from backend.api.worker.schemas import (
    Claim,
    ClaimRequest,
    Ending,
    HostAnnouncement,
    HostOrders,
    HostReport,
    MeasuredTrial,
    Recorded,
    ServedCellEntry,
    ServedCells,
    WorkerTrial,
)
from backend.api.worker.version import WorkerVersion
from backend.core.errors import Invalid, Refused
from backend.core.plan.claimed import Beat
from backend.core.sample.record import TrialRecord
from backend.settings import Settings
from backend.store.repositories import claims, enrolled_hosts, interim_analyses, runs, trial_sql, trials
from backend.store.repositories.enrolled_hosts import Orders, Report
from backend.store.repositories.host_tokens import EnrolledHost
from backend.store.session import session_scope, transaction
from backend.worker_protocol import release

ABORTED: Final = "aborted"
"""The outcome of an attempt that its worker gave up because it was stopped."""


def announce(
    settings: Settings, host: EnrolledHost, worker: WorkerVersion, given: HostAnnouncement
) -> HostOrders:
    """Store what the host can run. Raises Invalid for capabilities of another form."""
    try:
        Capabilities.model_validate(given.capabilities)
    except ValidationError as error:
        raise Invalid.at("/capabilities", "invalid", _first(error)) from None
    with session_scope(settings) as session:
        orders = enrolled_hosts.announce(
            session,
            host.host_id,
            given.capabilities,
            given.environment,
            given.install_id,
            worker.release,
            worker.protocol,
            "" if worker.installed is None else str(worker.installed),
        )
    return _orders(host, orders)


def report(settings: Settings, host: EnrolledHost, worker: WorkerVersion, given: HostReport) -> HostOrders:
    """Store that the worker runs, its conditions, disk and clock."""
    reported = Report(
        [condition.model_dump(mode="json") for condition in given.conditions],
        None if given.disk is None else given.disk.model_dump(),
        None if given.clock is None else given.clock.model_dump(),
    )
    with session_scope(settings) as session:
        orders = enrolled_hosts.report(session, host.host_id, worker.release, worker.protocol, reported)
    return _orders(host, orders)


def _orders(host: EnrolledHost, orders: Orders) -> HostOrders:
    return HostOrders(
        host_id=host.host_id,
        received_at=orders.now,
        drained=orders.drained,
        policy=orders.policy,
        release=release(),
    )


def take_over(settings: Settings, host: EnrolledHost) -> int:
    """End the leases of the host's earlier workers; returns how many there were."""
    with session_scope(settings) as session:
        return claims.end_leases(session, host.host_id)


def claim(settings: Settings, notifier: Notifier, host: EnrolledHost, given: ClaimRequest) -> Claim:
    """Claim the host's next trial, or give the answer of this key again."""
    worker = f"{host.host_name}/{host.token_prefix}"
    found = transaction(
        settings,
        lambda session: claims.claim(session, host.host_id, worker, given.key, given.environment, given.last),
    )
    if found.trial is None:
        return Claim(trial=None, first_of_run=False)
    if found.is_new:
        notifier.announce(found.trial.run_id)
    return Claim(trial=WorkerTrial.model_validate(asdict(found.trial)), first_of_run=found.first_of_run)


def add_environment(settings: Settings, run_id: str, environment: dict[str, str]) -> None:
    """Add facts of the host to a run."""
    with session_scope(settings) as session:
        runs.set_environment(session, run_id, environment)


def analyse(settings: Settings, notifier: Notifier, run_id: str) -> None:
    """Make the run's next interim analysis, if it is due."""
    transaction(settings, lambda session: interim_analyses.run_due(session, run_id))
    notifier.announce(run_id)


def served_cells(settings: Settings, run_id: str) -> ServedCells:
    """Every cell of which a run still has trials."""
    with session_scope(settings) as session:
        found = trials.open_cells(session, run_id)
    return ServedCells(
        cells=tuple(ServedCellEntry(levels=dict(cell.levels), replica=cell.replica) for cell in found)
    )


def heartbeat(settings: Settings, trial_id: str, fence: int) -> Beat:
    """Extend the lease; returns whether the attempt goes on."""
    with session_scope(settings) as session:
        return trials.heartbeat(session, trial_id, fence)


def record(settings: Settings, notifier: Notifier, trial_id: str, given: MeasuredTrial) -> Recorded:
    """Store a finished trial. Raises Refused for a payload that is no record of this attempt."""
    _check_record(trial_id, given)
    failure = None if given.failure is None else (given.failure.code, given.failure.detail)

    def store(session: Session) -> tuple[str, trials.Outcome]:
        outcome = trials.record(session, trial_id, given.fence, given.payload, given.sha256, failure)
        return trial_sql.run_of(session, trial_id), outcome

    try:
        run_id, outcome = transaction(settings, store)
    except DataError as error:
        raise _unrecordable(f"the database refuses the record: {error.orig}") from error
    if outcome == "recorded":
        notifier.announce(run_id)
    return Recorded(outcome=outcome)


def _check_record(trial_id: str, given: MeasuredTrial) -> None:
    try:
        record_ = TrialRecord.model_validate(given.payload)
    except ValidationError as error:
        raise _unrecordable(f"this is no record of a trial: {_first(error)}") from None
    if (record_.trial_id, record_.fence) != (trial_id, given.fence):
        raise _unrecordable(f"the record is of {record_.trial_id}, fence {record_.fence}")


def _unrecordable(detail: str) -> Refused:
    return Refused.at("/payload", "unrecordable", detail)


def _first(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, found['loc'])) or 'the document'}: {found['msg']}"


def end(settings: Settings, notifier: Notifier, trial_id: str, given: Ending) -> bool:
    """End an attempt without a record; returns False if it had ended, or lost its trial."""

    def write(session: Session) -> tuple[str, bool]:
        return trial_sql.run_of(session, trial_id), _end(session, trial_id, given)

    run_id, ended = transaction(settings, write)
    if ended:
        notifier.announce(run_id)
    return ended


def _end(session: Session, trial_id: str, given: Ending) -> bool:
    if given.kind == "cancelled":
        return trials.cancel_running(session, trial_id, given.fence)
    if given.kind == "fail":
        return trials.fail(session, trial_id, given.fence, given.code or "", given.detail)
    stored = trials.RELEASED if given.outcome == ABORTED else given.outcome or ""
    return trials.requeue(session, trial_id, given.fence, stored, given.detail, given.counts)
