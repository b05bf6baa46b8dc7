"""Both sides of a trial on two hosts, on fake engines and the real trial queue."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from backend.core.sample.record import OutsideReadings
from backend.settings import Settings
from backend.store.repositories import runs
from tests.worker.conftest import UNLIMITED
from tests.worker.two_hosts import (
    CLIENT,
    LEVELS,
    LIMIT_S,
    SERVER,
    Two,
    both,
    json_of,
    two_in,
    while_measuring,
)
from worker.engine.fake import FakeEngine, FakeTool
from worker.sample.outside import OutsideMeter
from worker.trial import client_side, session_side
from worker.trial.client_side import ServedTrial
from worker.trial.execute import execute_trial


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
    with two_in(tmp_path, settings, owner_settings, engine) as made:
        yield made


def test_a_trial_on_two_hosts_is_recorded_with_both_ends(two: Two) -> None:
    measured, served = both(two)
    assert served == "served", two.ended()
    record = two.record()
    other = record.client_host
    assert other is not None
    assert measured in ("done", "failed"), "the fake engine's devices prove no path"
    assert other.name == "bench-2"
    assert (other.server_link.address, other.link.address) == (SERVER, CLIENT)
    assert other.excess_seconds >= 0, "the server's window contains the client's"
    assert record.window.seconds == pytest.approx(other.seconds + other.excess_seconds, abs=1e-5)
    assert record.cpu.roles["client"] == other.cpu.roles["client"]
    assert record.cpu.capacity == pytest.approx(
        (os.cpu_count() or 1) * (record.window.seconds + other.seconds), rel=0.01
    )
    assert [command.purpose for command in record.commands] == ["warm_up", "measure", "collect"]
    assert SERVER in record.commands[1].argv
    assert record.facts["speed server host lo"] == "10000 Mbit/s"
    assert record.facts["mtu server host lo"] == "1500"
    assert two.server_bed.links == [[CLIENT]]
    assert two.queued.sql("SELECT phase, document FROM client_session") == [("ended", {})]


def test_both_hosts_pass_the_quiet_gate_and_the_record_says_which_was_not_quiet(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = UNLIMITED | {"wait_for_quiet_s": 1, "max_other_cores": 0.5}
    two.queued.sql("UPDATE experiment SET definition = jsonb_set(definition, '{quality}', "
                   "CAST(:limits AS jsonb))", limits=json_of(limits))  # fmt: skip
    passed: list[str] = []
    real = OutsideMeter.sample

    def sample(meter: OutsideMeter) -> OutsideReadings:
        """The host of the session's own thread is never quiet: the client's, which gates first."""
        passed.append(two.queued.sql("SELECT phase FROM client_session")[0][0])
        other = 0.9 if passed[-1] == "offered" else 0.0
        return real(meter).model_copy(update={"other_cores": other, "pressure": None})

    monkeypatch.setattr(OutsideMeter, "sample", sample)
    both(two)
    assert set(passed) == {"offered", "ready"}, "the client host before the server's"
    quality = two.record().quality
    assert quality is not None
    assert quality.waited_seconds >= 1
    (reason,) = quality.not_quiet
    assert reason.startswith("on bench-2: ")


def test_live_samples_of_the_client_name_the_trial(two: Two) -> None:
    text = "progress: 1.0 s, 812.4 tps, lat 1.22 ms stddev 0.3\n"
    normal = two.client_bed.engine.tools["pgbench"]
    two.client_bed.engine.tools["pgbench"] = replace(normal, stderr=text, seconds=2.2)
    both(two)
    ((trial_id, run_id, cell_id),) = two.queued.sql(
        "SELECT t.id, t.run_id, t.cell_id FROM trial t JOIN client_session s ON s.trial_id = t.id"
    )
    assert {shown[0] for shown in two.shown} == {ServedTrial(trial_id, run_id, cell_id)}
    assert two.shown[0][1:] == (1.0, 812.4)


def test_a_client_host_that_is_drained_meanwhile_gives_the_trial_back(two: Two) -> None:
    with ThreadPoolExecutor(1) as threads:
        measured = threads.submit(two.measure)
        two.request()
        two.queued.sql("UPDATE host SET drained_at = now() WHERE id = :id", id=two.client.host_id)
        assert measured.result(LIMIT_S) == "requeued"
    ((outcome, detail),) = two.ended()
    assert outcome == "client_host_lost"
    assert "it starts no trial now" in detail
    assert two.server.claim({}) is None, "the run waits for its client host"


def test_a_failed_command_of_the_client_fails_the_trial(two: Two) -> None:
    two.client_bed.engine.tools["pgbench"] = FakeTool(stderr="no such table\n", exit_code=1)
    measured, served = both(two)
    assert (measured, served) == ("failed", "failed")
    ((code, detail),) = two.queued.sql(
        "SELECT failure_code, failure_detail FROM trial WHERE state = 'failed'"
    )
    assert code == "tool_failed"
    assert "on the client host bench-2" in detail
    assert "no such table" in detail


def test_no_reply_names_both_ends_before_any_load(two: Two) -> None:
    two.client_bed.engine.tools["psql"] = FakeTool(stderr="timeout expired\n", exit_code=2)
    assert both(two) == ("failed", "failed")
    ((code, detail),) = two.queued.sql(
        "SELECT failure_code, failure_detail FROM trial WHERE state = 'failed'"
    )
    assert code == "no_reply"
    assert f"{SERVER}:20001" in detail
    assert CLIENT in detail
    assert "timeout expired" not in detail, "what answered may be another program than the server"
    assert not any("pgbench" in command for command in two.client_bed.engine.commands)


def test_a_server_on_the_client_hosts_own_address_is_refused(two: Two) -> None:
    two.client_bed.local = True
    assert both(two) == ("failed", "failed")
    assert two.queued.sql("SELECT failure_code FROM trial WHERE state = 'failed'") == [("no_route",)]


def test_a_cancelled_run_ends_the_client(two: Two) -> None:
    two.client_bed.engine.tools["pgbench"] = FakeTool(seconds=LIMIT_S)
    measuring = while_measuring(two)
    two.queued.call(runs.cancel, two.queued.run_id)
    assert [part.result(LIMIT_S) for part in measuring] == ["cancel", "ended"]
    assert two.queued.run()["state"] == "cancelled"


def test_a_client_host_that_stops_gives_the_trial_back(two: Two) -> None:
    two.client_bed.engine.tools["pgbench"] = FakeTool(seconds=LIMIT_S)
    measuring = while_measuring(two)
    two.aborting.set()
    assert [part.result(LIMIT_S) for part in measuring] == ["requeued", "ended"]
    ((outcome, detail),) = two.ended()
    assert outcome == "client_host_lost"
    assert "worker stops" in detail
    assert two.queued.sql("SELECT max(attempts) FROM trial") == [(0,)], "no fault of the trial"


def test_a_client_host_that_is_silent_is_given_up(two: Two) -> None:
    with ThreadPoolExecutor(1) as threads:
        measured = threads.submit(two.measure)
        request = two.request()
        two.client.move_session(request.trial_id, request.fence, "accepted", {"addresses": [CLIENT]})
        two.queued.sql("UPDATE client_session SET client_seen_at = clock_timestamp() - interval '1 h'")
        assert measured.result(LIMIT_S) == "requeued"
    assert two.ended()[0][0] == "client_host_lost"


def test_of_two_hosts_that_wait_for_each_other_one_gives_way(two: Two) -> None:
    back = two.queued.another_run()
    two.queued.sql("UPDATE run SET host_id = :host, client_host_id = :other WHERE id = :run",
                   host=two.client.host_id, other=two.server.host_id, run=back)  # fmt: skip
    two.queued.sql("UPDATE trial SET host_id = :host, levels = CAST(:levels AS jsonb) WHERE run_id = :run",
                   host=two.client.host_id, levels=json_of(LEVELS), run=back)  # fmt: skip
    theirs = two.client.claim({})
    assert theirs is not None
    two.client.request_client(theirs.trial_id, theirs.fence, {"levels": LEVELS})
    first_is_server = two.server.host_id < two.client.host_id
    if first_is_server:
        mine = two.server.claim({})
        assert mine is not None
        two.server.request_client(mine.trial_id, mine.fence, {"levels": LEVELS})
        assert execute_trial(theirs, two.client_bed, two.client, two.spool, lambda *_: None,
                             threading.Event(), sessions=two.client) == "requeued"  # fmt: skip
    else:
        assert two.measure() == "requeued"
    assert two.ended()[0][0] == "client_host_busy"
