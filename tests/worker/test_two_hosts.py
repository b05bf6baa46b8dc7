"""Both sides of a trial on two hosts, on fake engines and the real trial queue."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from backend.core.definition.factors import FACTORS, Level, applicable
from backend.core.errors import TrialFailed
from backend.core.plan.client_session import ClientRequest
from backend.core.plan.restarts import ServedCell
from backend.core.sample.record import LinkEnd, OutsideReadings, TrialRecord
from backend.core.topology.deployment import server_spec
from backend.core.topology.paths import PATHS
from backend.core.workload.target import Target
from backend.settings import Settings
from backend.store.repositories import runs
from tests.store.queued_run import QueuedRun, queue_run
from tests.worker.conftest import CGROUP, UNLIMITED, FakeTestbed
from worker.engine import templates
from worker.engine.fake import FakeEngine, FakeTool
from worker.host.spool import Spool
from worker.sample.cgroup import AbsentGroup, ClientGroup, find_hierarchy
from worker.sample.outside import OutsideMeter
from worker.sample.route import Route
from worker.topology.deployment import Deployment
from worker.topology.trial_setup import OtherEnd, TrialSetup
from worker.topology.two_hosts import ClientPlace, HostLink
from worker.trial import client_side, session_side
from worker.trial.client_side import ServedTrial, serve_client
from worker.trial.execute import execute_trial
from worker.trial_queue import StoreTrialQueue
from worker.workload.hooks import NO_HOOKS, Hooks

LIMIT_S = 40.0
LEVELS = applicable(
    {name: factor.default for name, factor in FACTORS.items()}
    | {"path": "published_remote", "engine": "host", "duration_s": 1, "warm_up_s": 1}
)
SERVER, CLIENT = "198.18.9.1", "198.18.9.2"


@dataclass(frozen=True)
class FakePlace(ClientPlace):
    """A client's place whose route to the server is given."""

    local: bool = False

    def route_to(self, address: str) -> Route:
        if self.local:
            raise TrialFailed("no_route", "the server's address is one of the client host's own")
        return Route("lo", CLIENT, local=False)


@dataclass
class TwoHostsFake(FakeTestbed):
    """Either host's testbed on the fake engine; `provisioning` is called when the server is to start."""

    local: bool = False
    provisioning: Callable[[], None] = lambda: None
    links: list[Sequence[str]] = field(default_factory=list)

    def prepare(
        self, run_id: str, block: int, cells: Callable[[], Iterable[ServedCell]], hooks: Hooks
    ) -> None:
        assert list(cells()) == [], "no server for a client on this host is started"

    def link_to(self, addresses: Sequence[str]) -> HostLink:
        self.links.append(addresses)
        return HostLink(LinkEnd(device="lo", address=SERVER, mtu=1500, speed_mbit=10_000), CLIENT)

    def reached_setup(
        self, levels: Mapping[str, Level], link: HostLink, *, replica: int = 0, hooks: Hooks = NO_HOOKS
    ) -> TrialSetup:
        self.provisioning()
        hierarchy = find_hierarchy()
        if self.made is None:
            spec = replace(server_spec(levels, replica), address=link.end.address)
            self.made = Deployment(self.handle(), spec, "bench:test", 20001, hierarchy, hooks)
        return TrialSetup(
            path=PATHS[str(levels["path"])],
            deployment=self.made,
            client=None,
            target=Target(SERVER, 20001),
            reverse_proxies=(),
            reverse_proxy=None,
            client_group=AbsentGroup(),
            hierarchy=hierarchy,
            remote_pid=None,
            other_end=OtherEnd(link.peer, link.end.device),
        )

    def client_place(self, levels: Mapping[str, Level]) -> ClientPlace:
        hierarchy = find_hierarchy()
        container = self.engine.create(templates.client("bench:test", "plimsoll-client-host", "host"))
        group = ClientGroup(hierarchy, f"/{CGROUP}")
        return FakePlace(self.handle(), container, group, hierarchy, {"pgbench": "15"}, local=self.local)


@dataclass
class Two:
    """A run of bench-1 with bench-2 as its client host, and both workers' parts."""

    queued: QueuedRun
    server: StoreTrialQueue
    client: StoreTrialQueue
    server_bed: TwoHostsFake
    client_bed: TwoHostsFake
    spool: Spool
    aborting: threading.Event = field(default_factory=threading.Event)
    shown: list[tuple[ServedTrial, float, float]] = field(default_factory=list)

    def measure(self) -> str:
        trial = self.server.claim({})
        assert trial is not None
        assert trial.client_host == "bench-2"
        return execute_trial(
            trial, self.server_bed, self.server, self.spool, lambda *_: None, threading.Event(),
            sessions=self.server,
        )  # fmt: skip

    def request(self) -> ClientRequest:
        waited = threading.Event()
        for _ in range(int(LIMIT_S / 0.02)):
            if (found := self.client.next_client_request()) is not None:
                return found
            waited.wait(0.02)
        raise AssertionError("the server's host has requested no client")

    def serve(self) -> str:
        return serve_client(self.request(), self.client_bed, self.client, self.aborting, live=self.show)

    def show(self, trial: ServedTrial, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        self.shown.append((trial, t, rate))

    def ended(self) -> list[tuple[Any, ...]]:
        return self.queued.sql("SELECT outcome, detail FROM attempt WHERE entry = 'ended' ORDER BY fence")

    def record(self) -> TrialRecord:
        ((payload,),) = self.queued.sql("SELECT payload FROM result")
        return TrialRecord.model_validate(payload)


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
    queued = queue_run(owner_settings)
    client = StoreTrialQueue(settings.model_copy(update={"host_name": "bench-2"}))
    client.announce({}, {})
    server = StoreTrialQueue(settings.model_copy(update={"host_name": "bench-1"}))
    server.announce({}, {})
    queued.sql("UPDATE run SET client_host_id = :host", host=client.host_id)
    queued.sql("UPDATE trial SET levels = CAST(:levels AS jsonb)", levels=_json(LEVELS))
    queued.sql(
        "UPDATE experiment SET definition = jsonb_set(definition, '{quality}', CAST(:limits AS jsonb))",
        limits=_json(UNLIMITED),
    )
    other = tmp_path / "client"
    other.mkdir()
    elsewhere = FakeEngine(other, dict(engine.tools))
    yield Two(
        queued, server, client, TwoHostsFake(engine), TwoHostsFake(elsewhere), Spool(tmp_path / "spool")
    )
    elsewhere.remove_everything()


def _json(value: Any) -> str:
    return json.dumps(value)


def both(two: Two) -> tuple[str, str]:
    with ThreadPoolExecutor(2) as threads:
        measured, served = threads.submit(two.measure), threads.submit(two.serve)
        return measured.result(LIMIT_S), served.result(LIMIT_S)


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
    assert [command.purpose for command in record.commands] == ["warm_up", "measure"]
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
                   "CAST(:limits AS jsonb))", limits=_json(limits))  # fmt: skip
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
    assert not any("pgbench" in command for command in two.client_bed.engine.commands)


def test_a_server_on_the_client_hosts_own_address_is_refused(two: Two) -> None:
    two.client_bed.local = True
    assert both(two) == ("failed", "failed")
    assert two.queued.sql("SELECT failure_code FROM trial WHERE state = 'failed'") == [("no_route",)]


def test_a_cancelled_run_ends_the_client(two: Two) -> None:
    two.client_bed.engine.tools["pgbench"] = FakeTool(seconds=LIMIT_S)
    measuring = _while_measuring(two)
    two.queued.call(runs.cancel, two.queued.run_id)
    assert [part.result(LIMIT_S) for part in measuring] == ["cancel", "ended"]
    assert two.queued.run()["state"] == "cancelled"


def test_a_client_host_that_stops_gives_the_trial_back(two: Two) -> None:
    two.client_bed.engine.tools["pgbench"] = FakeTool(seconds=LIMIT_S)
    measuring = _while_measuring(two)
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
                   host=two.client.host_id, levels=_json(LEVELS), run=back)  # fmt: skip
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


def _while_measuring(two: Two) -> list[Future[str]]:
    """Both sides in threads of their own; returns when the client's window is open."""
    threads = ThreadPoolExecutor(2)
    parts = [threads.submit(two.measure), threads.submit(two.serve)]
    threads.shutdown(wait=False)
    waited = threading.Event()
    for _ in range(int(LIMIT_S / 0.05)):
        if two.queued.sql("SELECT phase FROM client_session") == [("warming",)]:
            return parts
        waited.wait(0.05)
    raise AssertionError("the client has not begun")
