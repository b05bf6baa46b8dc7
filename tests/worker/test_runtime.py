"""The worker finds its trials despite outages of Redis and the database, and lost messages."""

from __future__ import annotations

import io
import json
import logging
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from redis.client import PubSub

from backend.core.errors import EngineUnavailable, StorageFull
from backend.logs.configuration import formatter
from backend.queue import live_channel, make_celery, queue_name, wake
from backend.settings import Settings
from backend.store import invariants
from backend.store.repositories import hosts
from tests.services import PostgresServer, RedisServer
from tests.store.queued_run import QueuedRun, queue_run
from tests.worker.conftest import FakeTestbed
from tests.worker.test_interim_analyses import RuntimeTestbed, made_up
from worker import reports
from worker import runtime as runtime_module
from worker.host.locks import measuring
from worker.live import LiveSamples
from worker.runtime import LONGEST_PAUSE_S, POLL_S, WorkerRuntime
from worker.trial import measuring_turn
from worker.trial.breaker import FIRST_PAUSE_S
from worker.trial.measuring_turn import MeasuringTurn
from worker.trial_queue import StoreTrialQueue

LIMIT_S = 60.0
"""A condition that is not met by then never will be."""


@pytest.fixture
def queued(owner_settings: Settings) -> QueuedRun:
    return queue_run(owner_settings)


@pytest.fixture
def runtime(
    settings: Settings, queued: QueuedRun, testbed: FakeTestbed, monkeypatch: pytest.MonkeyPatch
) -> Iterator[WorkerRuntime]:
    """A worker that records its trials without measuring them; its threads do not run yet."""
    monkeypatch.setattr(runtime_module, "execute_trial", made_up)
    found = WorkerRuntime(settings, settings.var_dir)
    found._testbed = RuntimeTestbed(testbed.engine)  # type: ignore[assignment]  # stands in for the lab's
    found._queue.announce({}, {})
    yield found
    found.close()


def done(queued: QueuedRun) -> int:
    return int(queued.sql("SELECT count(*) FROM trial WHERE state = 'done'")[0][0])


class Turns:
    """The trials' thread of a runtime, and a condition that each of its turns notifies."""

    def __init__(self, runtime: WorkerRuntime, monkeypatch: pytest.MonkeyPatch) -> None:
        self._changed = threading.Condition()
        turn = runtime.turn

        def noted() -> float:
            pause_s = turn()
            with self._changed:
                self._changed.notify_all()
            return pause_s

        monkeypatch.setattr(runtime, "turn", noted)

    def until(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, LIMIT_S)


def test_without_redis_the_run_continues_and_the_outage_is_reported(
    runtime: WorkerRuntime, queued: QueuedRun, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Turns(runtime, monkeypatch)
    redis_server.stop()
    try:
        runtime.reports.check_services()
        runtime._threads[0].start()
        turns.until(lambda: done(queued) == 4)
    finally:
        redis_server.start()
    (reported,) = runtime.conditions.as_json()
    assert reported["part"] == "redis" and reported["until"] is None and "runs go on" in reported["effect"]
    runtime.reports.check_services()
    assert runtime.conditions.as_json()[0]["until"]
    assert queued.run()["state"] == "done" and queued.call(invariants.violations) == []


def test_an_idle_worker_finds_a_run_that_no_message_announced(
    runtime: WorkerRuntime, queued: QueuedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Turns(runtime, monkeypatch)
    runtime._threads[0].start()
    turns.until(lambda: done(queued) == 4)
    queued.another_run()
    turns.until(lambda: done(queued) == 8)


def test_a_message_wakes_an_idle_worker_at_once(runtime: WorkerRuntime, queued: QueuedRun) -> None:
    while runtime.turn() != POLL_S:
        pass
    runtime.wake()
    assert runtime._woken.is_set()


def test_an_outage_of_the_database_costs_one_log_line_and_growing_pauses(
    runtime: WorkerRuntime, queued: QueuedRun, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    postgres.stop()
    try:
        with caplog.at_level(logging.WARNING):
            pauses = [runtime.turn() for _ in range(8)]
    finally:
        postgres.start()
    assert pauses == [0.25, 0.5, 1, 2, 4, 8, 8, 8] and pauses[-1] == LONGEST_PAUSE_S
    lines = [record.message for record in caplog.records if record.name == "worker.host.conditions"]
    assert len(lines) == 1 and lines[0].startswith("database: ")
    assert "Traceback" not in caplog.text
    assert runtime.turn() == 0 and done(queued) == 1
    (reported,) = runtime.conditions.as_json()
    assert reported["part"] == "database" and reported["until"] is not None


def test_an_unexpected_error_ends_neither_thread(
    runtime: WorkerRuntime,
    queued: QueuedRun,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(runtime._queue, "claim", lambda *_: 1 / 0)
        assert [runtime.turn() for _ in range(3)] == [0.25, 0.5, 1]
    assert caplog.text.count("Traceback") == 1
    assert runtime.conditions.as_json()[0]["reason"] == "ZeroDivisionError: division by zero"
    assert runtime.turn() == 0 and done(queued) == 1
    assert runtime.conditions.as_json()[0]["until"]


def test_no_error_ends_the_heartbeat(runtime: WorkerRuntime, monkeypatch: pytest.MonkeyPatch) -> None:
    said = threading.Semaphore(0)

    def broken(*_: object) -> None:
        said.release()
        raise ZeroDivisionError

    monkeypatch.setattr(reports, "HEARTBEAT_S", 0.01)
    monkeypatch.setattr(runtime._queue, "seen", broken)
    runtime._threads[1].start()
    for _ in range(3):
        assert said.acquire(timeout=LIMIT_S)
    assert runtime._threads[1].is_alive()


def test_a_full_disk_claims_nothing(
    runtime: WorkerRuntime, queued: QueuedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise StorageFull("only 3 MiB are free")

    with monkeypatch.context() as patched:
        patched.setattr(runtime._spool, "check_room", full)
        assert runtime.turn() > 0
    assert queued.sql("SELECT DISTINCT state FROM trial") == [("queued",)]
    assert runtime.conditions.as_json()[0]["part"] == "storage"
    assert runtime.turn() == 0 and done(queued) == 1


def test_a_failing_host_ends_no_run(
    runtime: WorkerRuntime, queued: QueuedRun, testbed: FakeTestbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each trial has the same fault: claiming pauses, reports it, and continues when the host works again."""
    now = [100.0]
    monkeypatch.setattr(runtime._breaker, "_clock", lambda: now[0])

    def broken(*_: Any, **__: Any) -> None:
        raise EngineUnavailable("dockerd is gone")

    monkeypatch.setattr(runtime_module, "execute_trial", carry_out_really)
    monkeypatch.setattr(RuntimeTestbed, "setup", broken)
    for _ in range(30):
        now[0] += runtime.turn()
    assert queued.sql("SELECT DISTINCT state FROM trial") == [("queued",)]
    assert max(attempts for (attempts,) in queued.sql("SELECT attempts FROM trial")) == 2
    runtime._queue.seen(runtime.conditions.as_json())
    (host,) = queued.call(hosts.list_all)
    assert host.conditions[0]["part"] == "host" and host.conditions[0]["until"] is None
    assert "engine_lost: dockerd is gone; the next trial is tried in" in host.conditions[0]["reason"]
    assert runtime.turn() >= FIRST_PAUSE_S, "nothing is claimed within the pause"
    monkeypatch.setattr(runtime_module, "execute_trial", recovered)
    now[0] += 1000
    while runtime.turn() != POLL_S:
        pass
    assert queued.run()["state"] == "done" and queued.run()["progress"]["done"] == 4
    assert runtime.conditions.as_json()[0]["until"]
    assert queued.call(invariants.violations) == []


carry_out_really = runtime_module.execute_trial


def recovered(*arguments: Any) -> str:
    """A trial that succeeds, and reports it to the breaker."""
    arguments[6].succeeded()
    return made_up(*arguments)


JUNK = (
    "no json",
    "17",
    "[]",
    "{}",
    '{"properties": {}}',
    '{"properties": {"delivery_tag": "x"}, "body": 5}',
    "\xff",
)


def test_an_invalid_message_does_not_end_the_consumer(settings: Settings, redis_server: RedisServer) -> None:
    """A real Celery consumer on a real Redis: an invalid message is dropped, the next one arrives."""
    app = make_celery(settings)
    app.conf.task_default_queue = queue_name(settings.host_name)
    came = threading.Event()

    @app.task(name="plimsoll.trial")  # type: ignore[untyped-decorator]  # Celery ships no annotations
    def trial(*_: Any, **__: Any) -> None:
        came.set()

    for line in JUNK:
        redis_server.client().lpush(queue_name(settings.host_name), line.encode("latin-1"))
    assert wake(app, settings.host_name, 1)
    options: dict[str, Any] = {"pool": "solo", "without_gossip": True, "without_mingle": True}
    worker = app.Worker(without_heartbeat=True, hostname="test@plimsoll", **options)
    consumer = threading.Thread(target=worker.start, daemon=True)
    consumer.start()
    try:
        assert came.wait(LIMIT_S)
        assert consumer.is_alive()
    finally:
        worker.stop()
        consumer.join(LIMIT_S)


def test_entries_of_a_trial_name_it_and_its_run(runtime: WorkerRuntime, queued: QueuedRun) -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(as_text=False))
    logger = logging.getLogger("worker.runtime")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        assert runtime.one_trial() == "done"
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)
    ((trial_id,),) = queued.sql("SELECT id FROM trial WHERE state = 'done'")
    (entry,) = map(json.loads, stream.getvalue().splitlines())
    assert (entry["run_id"], entry["trial_id"]) == (queued.run_id, trial_id)


def test_runs_that_wait_for_another_installation_say_so(
    runtime: WorkerRuntime,
    queued: QueuedRun,
    settings: Settings,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measuring_turn, "FIRST_AFTER_S", 0.05)
    monkeypatch.setattr(measuring_turn, "SHOWN_EVERY_S", 0.05)
    with redis_server.client().pubsub(ignore_subscribe_messages=True) as live:
        live.subscribe(live_channel(queued.run_id))
        thread = threading.Thread(target=runtime.turn)
        with measuring(settings.var_dir):
            thread.start()
            messages = [json.loads(message["data"]) for message in islice(_received(live), 2)]
            assert done(queued) == 0
        thread.join(LIMIT_S)
    assert done(queued) == 1
    assert [message["phase"] for message in messages] == ["other_installation"] * 2
    assert messages[0]["since"] == messages[1]["since"]
    first = queued.sql("SELECT id, cell_id FROM trial ORDER BY seq LIMIT 1")[0]
    assert (messages[0]["trial_id"], messages[0]["cell_id"]) == first


def _received(live: PubSub) -> Iterator[dict[str, Any]]:
    while True:
        if (message := live.get_message(timeout=LIMIT_S)) is not None:
            yield message


def test_a_start_that_waits_for_another_installation_says_so(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring_turn, "FIRST_AFTER_S", 0.0)
    said: list[str] = []
    reported = threading.Event()

    def report(line: str) -> None:
        said.append(line)
        reported.set()

    turn = MeasuringTurn((tmp_path,), StoreTrialQueue(settings), LiveSamples(settings), report)

    def start() -> None:
        with turn.hold_at_start():
            said.append("starts")

    with measuring(tmp_path):
        thread = threading.Thread(target=start)
        thread.start()
        assert reported.wait(LIMIT_S)
    thread.join(LIMIT_S)
    waits = "Waits for another installation of Plimsoll, which measures on this host. So far 0 s."
    assert said == [waits, "starts"]
