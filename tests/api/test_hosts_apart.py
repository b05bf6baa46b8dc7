"""No lock and no queue of one host delays another: a group takes no longer than its slowest host.

A lock that hosts share ends in an error after `lock_timeout` here; nothing is timed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.run_groups import service
from backend.api.run_groups.schemas import RunGroupStart
from backend.queue import queue_name
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import claims, interim_analyses, trials
from backend.store.session import session_scope
from tests.accounts import add_account
from tests.api.client import Worker
from tests.api.test_run_groups import HOSTS, experiment_id, start, workers  # noqa: F401  a fixture
from tests.records import trial_record
from tests.services import RedisServer


@contextmanager
def impatient(settings: Settings) -> Iterator[Session]:
    """A transaction that waits for no lock."""
    with session_scope(settings) as session:
        session.execute(text("SET LOCAL lock_timeout = '2s'"))
        yield session


def do_everything(session: Session, host_id: str) -> None:
    """Claim as over HTTPS, report, record, analyse, claim directly and fail."""
    claimed = claims.claim(session, host_id, "worker", f"key-{host_id}", {"kernel": "6.12"}).trial
    assert claimed is not None
    assert trials.heartbeat(session, claimed.trial_id, claimed.fence) == "ok"
    payload = trial_record(claimed)
    assert trials.record(session, claimed.trial_id, claimed.fence, payload, "0" * 64, None) == "recorded"
    interim_analyses.run_due(session, claimed.run_id)
    other = trials.claim(session, host_id, host_id)
    assert other is not None
    assert trials.fail(session, other.trial_id, other.fence, "tool_failed", "exit code 1")


def test_hosts_hold_no_lock_that_another_host_or_a_start_needs(
    api: TestClient,
    settings: Settings,
    workers: dict[str, Worker],  # noqa: F811
) -> None:
    """All of it succeeds while the transactions of the other hosts are open, a further group's start too."""
    start(api, hosts=HOSTS)
    group = experiment_id(api)
    with ExitStack() as open_:
        for worker in workers.values():
            do_everything(open_.enter_context(impatient(settings)), worker.host_id)
        queue_group(open_.enter_context(impatient(settings)), settings, group)


def test_a_start_of_a_group_holds_no_lock_that_a_host_needs(
    api: TestClient,
    settings: Settings,
    workers: dict[str, Worker],  # noqa: F811
) -> None:
    start(api, hosts=HOSTS)
    group = experiment_id(api)
    with session_scope(settings) as opened:
        queue_group(opened, settings, group)
        for worker in workers.values():
            with impatient(settings) as session:
                do_everything(session, worker.host_id)
    assert len(api.get("/api/v1/run-groups").json()["data"]) == 2


def queue_group(session: Session, settings: Settings, experiment: str) -> None:
    """What a start does in its transaction, which the caller ends."""
    account = add_account(settings)
    caller = Actor("session", "ses_1", account, "Ada", DEFAULT_TEAM, {DEFAULT_TEAM: "admin"})
    service.queue_start(session, settings, caller, experiment, RunGroupStart(hosts=HOSTS))


def test_each_host_is_woken_by_a_queue_of_its_own(
    api: TestClient,
    workers: dict[str, Worker],  # noqa: F811
    redis_server: RedisServer,
) -> None:
    """Nobody reads the first host's queue; the messages for the others arrive in theirs all the same."""
    start(api, hosts=HOSTS)
    first = {name: redis_server.client().llen(queue_name(name)) for name in HOSTS}
    assert min(first.values()) >= 1
    for name in HOSTS[1:]:
        redis_server.client().delete(queue_name(name))
    start(api, hosts=HOSTS)
    again = {name: redis_server.client().llen(queue_name(name)) for name in HOSTS}
    assert again == {HOSTS[0]: 2 * first[HOSTS[0]]} | {name: first[name] for name in HOSTS[1:]}
