"""Commands that follow a run say what it waits for, since when, and that it goes on: in the page's words."""

from __future__ import annotations

import io
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from redis import Redis

from backend.cli import run_groups, run_status
from backend.cli.follow import follow
from backend.client.transport import Transport
from backend.queue import live_channel
from backend.settings import Settings
from scripts.starter.demo import PRESET, Demo
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Terminal
from tests.api.client import Worker, start_run
from tests.api.noisy_host import NoisyHost
from tests.api.test_run_groups import change_host, start
from tests.scripts.waiting import eventually
from tests.services import RedisServer
from worker.host.locks import measuring
from worker.live import LiveSamples
from worker.trial import measuring_turn
from worker.trial.measuring_turn import MeasuringTurn
from worker.trial_queue import StoreTrialQueue

TRIAL = r"[^\n]*, round 1: "
QUIET_WAIT = r"Waits for a quiet host: other processes: 0\.90 cores, limit 0\.15\. Since \d\d:\d\d:\d\d"
LIMIT_S = 60.0


@pytest.fixture
def watching(redis_server: RedisServer) -> Redis:
    """A user of Redis that may see who subscribes to what."""
    return redis_server.client()


@pytest.fixture
def client(served: str, token: dict[str, str]) -> Iterator[Transport]:
    with Transport(served, token["Authorization"].removeprefix("Bearer "), trust_env=False) as found:
        yield found


@pytest.fixture
def prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a minute of silence is half a second; the hosts are read at once."""
    monkeypatch.setattr(run_status, "SILENCE_S", 0.5)
    monkeypatch.setattr(run_status, "ASK_AFTER_S", 0.1)
    monkeypatch.setattr(run_status, "ASK_EVERY_S", 0.1)
    monkeypatch.setattr("backend.cli.run_feed.TICK_S", 0.05)


class Terminal80(io.StringIO):
    """A terminal; lines are rewritten in it."""

    def isatty(self) -> bool:
        return True


@contextmanager
def following(work: Callable[[], object]) -> Iterator[None]:
    """Run a command in the background; it has to end within the context's time limit."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    yield
    thread.join(LIMIT_S)
    assert not thread.is_alive()


def shows(out: io.StringIO, pattern: str) -> bool:
    """Whether the output has a line of this pattern, within the limit."""
    return eventually(lambda: re.search(f"^{pattern}$", out.getvalue(), re.M) is not None, LIMIT_S)


def test_a_wait_for_a_quiet_host_is_said_renewed_and_ended(
    api: TestClient, client: Transport, worker: Worker, prompt: None
) -> None:
    run_id, out = start_run(api)["id"], io.StringIO()
    quiet = threading.Event()
    host = NoisyHost(worker, quiet.is_set)
    with following(lambda: follow(client, run_id, out)):
        with following(host.run_one):
            assert shows(out, f"{TRIAL}{QUIET_WAIT}\\."), out.getvalue()
            assert shows(out, rf"{TRIAL}{QUIET_WAIT}, for \d+ s\.")
            assert "goes on" not in out.getvalue()
            quiet.set()
            assert shows(out, rf"{TRIAL}goes on after \d+ s\.")
        worker.finish()
    assert len(re.findall(f"^{TRIAL}{QUIET_WAIT}\\.$", out.getvalue(), re.M)) == 1
    again = "The host disturbed this trial; it is measured again: other processes: 0.90 cores, limit 0.15."
    assert again in out.getvalue()


def test_a_terminal_has_the_wait_in_its_progress_line(
    api: TestClient, client: Transport, worker: Worker, prompt: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    run_id, out = start_run(api)["id"], Terminal80()
    quiet = threading.Event()
    with following(lambda: follow(client, run_id, out)):
        with following(NoisyHost(worker, quiet.is_set).run_one):
            pattern = rf"\r0/6 trials · running · [^\r\n]* · {TRIAL}{QUIET_WAIT}, for \d+ s\."
            assert eventually(lambda: re.search(pattern, out.getvalue()) is not None, LIMIT_S)
            quiet.set()
        worker.finish()
    assert re.search(rf"\r{TRIAL}goes on after \d+ s\.\n", out.getvalue())


def test_no_progress_line_is_longer_than_the_terminal(
    api: TestClient, client: Transport, worker: Worker, prompt: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    run_id, out = start_run(api)["id"], Terminal80()
    with following(lambda: follow(client, run_id, out)):
        worker.finish()
    rewritten = [text for text in re.split(r"[\r\n]", out.getvalue()) if " trials · " in text]
    assert rewritten and max(map(len, rewritten)) < 40


def test_a_long_trial_is_named_while_it_is_measured(
    api: TestClient, client: Transport, worker: Worker, watching: Redis, prompt: None
) -> None:
    run_id, out = start_run(api)["id"], io.StringIO()
    with following(lambda: follow(client, run_id, out)):
        claimed = worker.claim()
        live = LiveSamples(worker.own)
        assert shows(out, rf"{TRIAL}is prepared, for \d+ s\.")
        assert eventually(lambda: watching.pubsub_numsub(live_channel(run_id))[0][1] > 0, LIMIT_S)
        live.publish_phase(claimed, "warming_up", ())
        assert shows(out, rf"{TRIAL}Warms up, not measured yet, for \d+ s\.")
        live.publish(claimed, 1.0, 9876.0, None)
        assert shows(out, rf"{TRIAL}is measured, for \d+ s\.")
        worker.record(claimed)
        worker.finish()


def test_a_worker_that_is_away_and_a_drained_host_are_said(
    api: TestClient, client: Transport, worker: Worker, settings: Settings, prompt: None
) -> None:
    change_host(settings, "bench-1", last_seen_at="clock_timestamp() - interval '5 min'")
    run_id, out = start_run(api)["id"], io.StringIO()
    with following(lambda: follow(client, run_id, out)):
        away = "The worker on bench-1 is unavailable since [0-9: -]+. The run continues when it is back; "
        assert shows(out, f"{away}recorded trials are kept\\.")
        assert shows(out, f"{away}recorded trials are kept, for 5 min\\.")
        change_host(settings, "bench-1", last_seen_at="clock_timestamp()", drained_at="clock_timestamp()")
        drained = "bench-1 was drained at [0-9: -]+: it starts no new trial until an administrator of the "
        drained += "installation resumes it. The trials of this run wait until then; recorded ones are kept"
        assert shows(out, rf"{drained}\.") and shows(out, rf"{drained}, for \d+ s\.")
        change_host(settings, "bench-1", drained_at="NULL")
        assert shows(out, r"The run goes on after .*")
        assert shows(out, r"Queued: bench-1 runs one trial at a time, for \d+ s\.")
        worker.finish()


def test_a_condition_of_the_worker_that_stops_trials_is_said(
    api: TestClient, client: Transport, worker: Worker, settings: Settings, prompt: None
) -> None:
    condition = (
        '[{"part": "storage", "since": "2026-11-20T11:00:00+00:00", "until": null, "reason": "disk full", '
        '"effect": "no trial is claimed until there is space for its record"}]'
    )
    change_host(settings, "bench-1", conditions=f"'{condition}'")
    run_id, out = start_run(api)["id"], io.StringIO()
    with following(lambda: follow(client, run_id, out)):
        assert shows(out, "bench-1: disk full. No trial is claimed until there is space for its record. .*")
        worker.finish()


def test_the_measurement_of_another_installation_is_said(
    api: TestClient,
    client: Transport,
    worker: Worker,
    tmp_path: Path,
    prompt: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measuring_turn, "FIRST_AFTER_S", 0.05)
    monkeypatch.setattr(measuring_turn, "SHOWN_EVERY_S", 0.1)
    run_id, out = start_run(api)["id"], io.StringIO()
    queue = StoreTrialQueue(worker.own)
    queue.host_id = worker.host_id
    turn = MeasuringTurn((tmp_path,), queue, LiveSamples(worker.own), print)

    def work() -> None:
        with turn.hold():
            worker.finish()

    wait = r"Waits for another installation of Plimsoll, which measures on this host\. Since [0-9:]+"
    with following(lambda: follow(client, run_id, out)):
        with measuring(tmp_path):
            thread = threading.Thread(target=work)
            thread.start()
            assert shows(out, rf"{wait}\.") and shows(out, rf"{wait}, for \d+ s\.")
        thread.join()
    assert re.search(r"^The run goes on after \d+ s\.$", out.getvalue(), re.M)


def test_a_group_says_it_for_each_host(
    api: TestClient, client: Transport, settings: Settings, prompt: None
) -> None:
    workers = [Worker(settings), Worker(settings)]
    for name, each in zip(("bench-a", "bench-b"), workers, strict=True):
        each.announce(name)
    group, out, quiet = (
        start(api, hosts=["bench-a", "bench-b"]).json()["id"],
        io.StringIO(),
        threading.Event(),
    )
    with following(lambda: run_groups.follow(client, group, out)):
        with following(NoisyHost(workers[1], quiet.is_set).run_one):
            assert shows(out, f"bench-b: {TRIAL}{QUIET_WAIT}\\."), out.getvalue()
            assert shows(out, r"bench-a: Queued: bench-a runs one trial at a time, for \d+ s\.")
            quiet.set()
        for each in workers:
            each.finish()
    assert shows(out, "bench-a: done") and shows(out, "bench-b: done")


def test_the_demo_says_it_too(
    served: str,
    token: dict[str, str],
    worker: Worker,
    prompt: None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    secret, quiet, shown = token["Authorization"].removeprefix("Bearer "), threading.Event(), io.StringIO()
    demo = Demo(served, secret, tmp_path / "demo.json", Terminal(), Stop())

    def printed(pattern: str) -> bool:
        shown.write(capsys.readouterr().out)
        return re.search(rf"^ +\d+ s  demo +{pattern}$", shown.getvalue(), re.M) is not None

    with following(demo.run):
        assert eventually(lambda: worker.open() > 0, LIMIT_S)
        with following(NoisyHost(worker, quiet.is_set).run_one):
            assert eventually(lambda: printed(rf"{TRIAL}{QUIET_WAIT}, for \d+ s\."), LIMIT_S), (
                shown.getvalue()
            )
            quiet.set()
        worker.finish()
    assert printed(f"{TRIAL}{QUIET_WAIT}\\.") and printed(rf"{TRIAL}goes on after \d+ s\.")
    assert demo.exit_code == 0 and demo.run_id is None


def test_a_demo_goes_on_with_the_run_of_an_earlier_start(
    served: str,
    token: dict[str, str],
    client: Transport,
    worker: Worker,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    secret = token["Authorization"].removeprefix("Bearer ")
    definition = next(p["definition"] for p in client.get("/presets")["data"] if p["name"] == PRESET)
    experiment = client.post_document("/experiments", json.dumps(definition).encode(), "application/json")
    earlier = client.post(f"/experiments/{experiment['id']}/runs")
    for _ in range(3):
        worker.record(worker.claim())
    demo = Demo(served, secret, tmp_path / "demo.json", Terminal(), Stop())
    with following(demo.run):
        assert eventually(lambda: demo.run_id is not None, LIMIT_S)
        worker.finish()
    shown = capsys.readouterr().out
    assert "an earlier start began this study; it goes on" in shown and f"run {earlier['id']}:" in shown
    assert "3 of 56 trials were recorded earlier" in shown
    assert re.findall(r"trial +(\d+)/56 ", shown) == [str(n) for n in range(4, 57)]
    assert [run["id"] for run in client.get("/runs")["data"]] == [earlier["id"]]
