"""Both hosts of a trial, on fake engines and the real trial queue."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from backend.core.definition.factors import FACTORS, Level, applicable
from backend.core.errors import TrialFailed
from backend.core.plan.client_session import ClientRequest
from backend.core.plan.restarts import ServedCell
from backend.core.sample.record import LinkEnd, TrialRecord
from backend.core.topology.deployment import server_spec
from backend.core.topology.host_policy import HostPolicy
from backend.core.topology.paths import PATHS
from backend.core.workload.target import Target
from backend.settings import Settings
from tests.store.queued_run import QueuedRun, queue_run
from tests.worker.conftest import CGROUP, UNLIMITED, FakeTestbed
from worker.engine import templates
from worker.engine.fake import FakeEngine
from worker.host.spool import Spool
from worker.sample.cgroup import AbsentGroup, ClientGroup, find_hierarchy
from worker.sample.route import Route
from worker.topology.deployment import Deployment
from worker.topology.overlay_end import End, Tunnel
from worker.topology.trial_setup import OtherEnd, TrialSetup
from worker.topology.two_hosts import ClientPlace, HostLink
from worker.trial.client_side import ServedTrial, serve_client
from worker.trial.execute import execute_trial
from worker.trial_queue import StoreTrialQueue
from worker.workload.hooks import NO_HOOKS, Hooks

LIMIT_S = 60.0
LEVELS = applicable(
    {name: factor.default for name, factor in FACTORS.items()}
    | {"path": "published_remote", "engine": "host", "duration_s": 1, "warm_up_s": 1}
)
SERVER, CLIENT = "198.18.9.1", "198.18.9.2"
BOTH_NAMED = HostPolicy(partners=("bench-1",))


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
    overlay: list[Tunnel | str] = field(default_factory=list)
    no_overlay: str = ""

    def prepare(
        self, run_id: str, block: int, cells: Callable[[], Iterable[ServedCell]], hooks: Hooks
    ) -> None:
        assert list(cells()) == [], "no server for a client on this host is started"

    def link_to(self, addresses: Sequence[str]) -> HostLink:
        self.links.append(addresses)
        return HostLink(LinkEnd(device="lo", address=SERVER, mtu=1500, speed_mbit=10_000), CLIENT)

    def reached_setup(
        self,
        levels: Mapping[str, Level],
        link: HostLink,
        *,
        vxlan: int | None = None,
        replica: int = 0,
        hooks: Hooks = NO_HOOKS,
    ) -> TrialSetup:
        self.provisioning()
        hierarchy = find_hierarchy()
        if self.made is None:
            spec = replace(server_spec(levels, replica), address=link.end.address)
            self.made = Deployment(self.handle(), spec, "bench:test", 20001, hierarchy, hooks)
        if vxlan is not None:
            self._make(Tunnel(vxlan, link.end.address, link.peer))
            self.made.on_overlay(End.SERVER.address, self.folder)
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
        network = "none" if levels["path"] == "overlay" else "host"
        container = self.engine.create(templates.client("bench:test", f"plimsoll-client-{network}", network))
        group = ClientGroup(hierarchy, f"/{CGROUP}")
        return FakePlace(self.handle(), container, group, hierarchy, {"pgbench": "15"}, local=self.local)

    def on_overlay(self, place: ClientPlace, tunnel: Tunnel) -> ClientPlace:
        self._make(tunnel)
        return replace(place, overlay_netns=self.folder)

    def _make(self, tunnel: Tunnel) -> None:
        self.overlay.append(tunnel)
        if self.no_overlay:
            raise TrialFailed("no_vxlan", self.no_overlay)

    def leave_overlay(self) -> None:
        self.overlay.append("leave")

    @property
    def folder(self) -> Path:
        """In the place of the overlay's namespace, which cannot be read."""
        return self.engine.folder


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
    client_policy: HostPolicy = BOTH_NAMED

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
        return serve_client(
            self.request(), self.client_bed, self.client, self.aborting, self.client_policy, live=self.show
        )

    def show(self, trial: ServedTrial, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        self.shown.append((trial, t, rate))

    def ended(self) -> list[tuple[Any, ...]]:
        return self.queued.sql("SELECT outcome, detail FROM attempt WHERE entry = 'ended' ORDER BY fence")

    def record(self) -> TrialRecord:
        ((payload,),) = self.queued.sql("SELECT payload FROM result")
        return TrialRecord.model_validate(payload)


@contextmanager
def two_in(
    folder: Path,
    settings: Settings,
    owner_settings: Settings,
    engine: FakeEngine,
    levels: Mapping[str, Level] = LEVELS,
) -> Iterator[Two]:
    """A queued run whose trials have these levels, with both hosts."""
    queued = queue_run(owner_settings)
    client = StoreTrialQueue(settings.model_copy(update={"host_name": "bench-2"}))
    client.announce({}, {})
    server = StoreTrialQueue(settings.model_copy(update={"host_name": "bench-1"}))
    server.announce({}, {})
    queued.sql("UPDATE run SET client_host_id = :host", host=client.host_id)
    queued.sql("UPDATE trial SET levels = CAST(:levels AS jsonb)", levels=json_of(levels))
    queued.sql(
        "UPDATE experiment SET definition = jsonb_set(definition, '{quality}', CAST(:limits AS jsonb))",
        limits=json_of(UNLIMITED),
    )
    other = folder / "client"
    other.mkdir()
    elsewhere = FakeEngine(other, dict(engine.tools))
    yield Two(queued, server, client, TwoHostsFake(engine), TwoHostsFake(elsewhere), Spool(folder / "spool"))
    elsewhere.remove_everything()


def json_of(value: Any) -> str:
    """JSON, as SQL takes it."""
    return json.dumps(value)


def both(two: Two) -> tuple[str, str]:
    """How one trial ended on the server's host, and on the client's."""
    with ThreadPoolExecutor(2) as threads:
        measured, served = threads.submit(two.measure), threads.submit(two.serve)
        return measured.result(LIMIT_S), served.result(LIMIT_S)


def while_measuring(two: Two) -> list[Future[str]]:
    """Both sides in threads of their own; returns when the client warms up."""
    threads = ThreadPoolExecutor(2)
    parts = [threads.submit(two.measure), threads.submit(two.serve)]
    threads.shutdown(wait=False)
    wait_for_phase(two, "warming")
    return parts


def wait_for_phase(two: Two, phase: str) -> None:
    """Wait until the client session is in this phase."""
    waited = threading.Event()
    for _ in range(int(LIMIT_S / 0.05)):
        if two.queued.sql("SELECT phase FROM client_session") == [(phase,)]:
            return
        waited.wait(0.05)
    raise AssertionError(f"the session is not {phase} in time")
