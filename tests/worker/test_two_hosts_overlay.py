"""Both sides of a trial on an overlay of two hosts: who forms and leaves the swarm, where its secret is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from backend.core.plan.client_session import ClientSession
from backend.settings import Settings
from backend.store.repositories import runs
from tests.worker.two_hosts import (
    CLIENT,
    LEVELS,
    LIMIT_S,
    SECRET,
    SERVER,
    Two,
    both,
    json_of,
    two_in,
    wait_for_phase,
    while_measuring,
)
from worker.engine.fake import FakeEngine, FakeTool
from worker.trial import client_side, session_side

OVERLAY = {**LEVELS, "path": "overlay"}


@pytest.fixture
def two(
    settings: Settings,
    owner_settings: Settings,
    engine: FakeEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Two]:
    monkeypatch.setattr(session_side, "SIGN_OF_LIFE_S", 0.2)
    monkeypatch.setattr(client_side, "own_addresses", lambda _netns: (CLIENT,))
    with two_in(tmp_path, settings, owner_settings, engine, OVERLAY) as made:
        yield made


def test_the_client_joins_the_servers_swarm_and_both_leave(two: Two) -> None:
    said = phases_of(two)
    _, served = both(two)
    assert served == "served", two.ended()
    assert two.server_bed.swarm == ["begin", "leave"]
    assert two.client_bed.swarm == ["join", "leave"]
    with_secret = {phase for phase, document in said if SECRET in json_of(document)}
    assert with_secret == {"offered"}, "the only phase that says it"
    assert two.queued.sql("SELECT phase, document FROM client_session") == [("ended", {})]


def test_the_secret_is_in_no_record_event_or_log(two: Two, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    both(two)
    stored = [two.queued.sql(f"SELECT row_to_json(t) FROM {table} t")
              for table in ("result", "event", "attempt", "trial", "client_session")]  # fmt: skip
    assert SECRET not in json.dumps(stored, default=str)
    assert SECRET not in caplog.text


def test_a_swarm_that_is_not_joined_fails_the_trial_and_is_left(two: Two) -> None:
    two.client_bed.no_swarm = f"{CLIENT} does not join the swarm at {SERVER}:2377: timed out"
    assert both(two) == ("failed", "failed")
    ((code, detail),) = two.queued.sql(
        "SELECT failure_code, failure_detail FROM trial WHERE state = 'failed'"
    )
    assert code == "no_swarm"
    assert "on the client host bench-2" in detail
    assert two.server_bed.swarm == ["begin", "leave"]
    assert two.client_bed.swarm == ["join", "leave"]


def test_no_reply_on_an_overlay_names_the_ports_of_a_swarm(two: Two) -> None:
    two.client_bed.engine.tools["psql"] = FakeTool(stderr="timeout expired\n", exit_code=2)
    assert both(two) == ("failed", "failed")
    ((detail,),) = two.queued.sql("SELECT failure_detail FROM trial WHERE state = 'failed'")
    assert "open this host and TCP 2377 and 7946 and UDP 7946 and 4789 between the hosts" in detail
    assert two.client_bed.swarm == ["join", "leave"]


def test_a_cancelled_run_leaves_the_swarm_on_both_hosts(two: Two) -> None:
    two.client_bed.engine.tools["pgbench"] = FakeTool(seconds=LIMIT_S)
    measuring = while_measuring(two)
    two.queued.call(runs.cancel, two.queued.run_id)
    assert [part.result(LIMIT_S) for part in measuring] == ["cancel", "ended"]
    assert two.server_bed.swarm[-1] == two.client_bed.swarm[-1] == "leave"


def test_a_client_host_that_is_silent_leaves_no_swarm_at_the_servers(two: Two) -> None:
    with ThreadPoolExecutor(1) as threads:
        measured = threads.submit(two.measure)
        request = two.request()
        two.client.move_session(request.trial_id, request.fence, "accepted", {"addresses": [CLIENT]})
        wait_for_phase(two, "offered")
        two.queued.sql("UPDATE client_session SET client_seen_at = clock_timestamp() - interval '1 h'")
        assert measured.result(LIMIT_S) == "requeued"
    assert two.server_bed.swarm == ["begin", "leave"]
    assert two.queued.sql("SELECT phase, document FROM client_session") == [("ended", {})]


def phases_of(two: Two) -> list[tuple[Any, Any]]:
    """What either side says from now on, by phase."""
    said: list[tuple[Any, Any]] = []
    for queue in (two.server, two.client):
        real = queue.move_session

        def move(trial_id: str, fence: int, phase: Any = None, document: Any = None, reason: str = "",
                 real: Callable[..., ClientSession] = real) -> ClientSession:  # fmt: skip
            if phase is not None:
                said.append((phase, document))
            return real(trial_id, fence, phase, document, reason)

        setattr(queue, "move_session", move)  # noqa: B010 - a method of one object
    return said
