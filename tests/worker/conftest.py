"""The worker on the fake engine: real processes and real counters, no Docker."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from backend.core.definition.factors import FACTORS, Level, applicable
from backend.core.errors import EngineUnavailable, HostFault, ServerLost, Unavailable
from backend.core.plan.claimed import Beat, ClaimedTrial
from backend.core.plan.restarts import ServedCell
from backend.core.topology.deployment import server_spec
from backend.core.topology.paths import PATHS
from backend.core.workload.target import Target
from backend.settings import Settings
from worker.engine import templates
from worker.engine.fake import FakeEngine, FakeTool
from worker.host.reaper import remove_cgroup
from worker.host.spool import Spooled
from worker.sample.cgroup import ClientGroup, find_hierarchy
from worker.topology.clients import ClientLocation
from worker.topology.deployment import Deployment
from worker.topology.engine_pool import EngineHandle
from worker.topology.trial_setup import TrialSetup
from worker.workload.hooks import NO_HOOKS, Hooks

FIXTURES = Path(__file__).parents[1] / "fixtures" / "pgbench"
CGROUP = f"plmtest-fake-{os.getpid()}"
"""Unique to this test session: several may run on one machine."""


UNLIMITED = {"wait_for_quiet_s": 0, "max_other_cores": None, "max_steal": None, "retakes": 0}
"""No limits of noise: other tests do not wait for a quiet host."""


def pytest_configure(config: pytest.Config) -> None:
    """PostgreSQL and Redis for the tests of this folder."""
    config.pluginmanager.import_plugin("tests.service_fixtures")


@dataclass(frozen=True)
class FakeTrial(ClaimedTrial):
    """A claimed trial of one second with a warm-up of one second."""

    trial_id: str = "trl_0123456789abcdef"
    run_id: str = "run_0123456789abcdef"
    cell_id: str = "c1"
    round: int = 1
    fence: int = 1
    attempts: int = 1
    levels: dict[str, Any] = field(
        default_factory=lambda: applicable(
            {name: factor.default for name, factor in FACTORS.items()}
            | {"path": "container_address", "duration_s": 1, "warm_up_s": 1}
        )
    )
    experiment: dict[str, Any] = field(default_factory=lambda: {"quality": UNLIMITED})


@dataclass
class FakeTrialQueue:
    """Keeps every call; `answer` is the result of a heartbeat."""

    answer: Beat = "ok"
    away: bool = False
    records: list[Spooled] = field(default_factory=list)
    endings: list[tuple[str, ...]] = field(default_factory=list)
    counted: list[bool] = field(default_factory=list)
    windows: list[tuple[float, float]] = field(default_factory=list)

    def heartbeat(self, trial: ClaimedTrial) -> Beat:
        return self.answer

    def record(self, record: Spooled) -> str:
        if self.away:
            raise Unavailable("the database does not answer")
        self.records.append(record)
        return "recorded"

    def fail(self, trial: ClaimedTrial, code: str, detail: str) -> None:
        self.endings.append(("fail", code, detail))

    def requeue(self, trial: ClaimedTrial, outcome: str, detail: str, counts: bool = True) -> None:
        self.endings.append(("requeue", outcome, detail))
        self.counted.append(counts)

    def cancelled(self, trial: ClaimedTrial) -> None:
        self.endings.append(("cancelled",))

    def window(self, begins_in_s: float, seconds: float) -> None:
        self.windows.append((begins_in_s, seconds))

    def cells(self, run_id: str) -> list[ServedCell]:
        return [ServedCell(FakeTrial().levels)]


def fake_handle(engine: FakeEngine, key: str = "on", cgroup: str = f"/{CGROUP}") -> EngineHandle:
    """A fake engine in the namespaces of this process."""
    netns = "/proc/self/ns/net"
    return EngineHandle(key, engine, os.getpid(), netns, cgroup, "198.18.1.1", versions={"docker": "0"})


class Clock:
    """A clock that advances only by waiting."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class FakeTestbed:
    """One server on the fake engine, created on first use."""

    engine: FakeEngine
    made: Deployment | None = None
    discarded: int = 0
    renewed: int = 0
    prepared: list[tuple[str, int]] = field(default_factory=list)
    tools: Mapping[str, str] = field(default_factory=lambda: {"pgbench": "pgbench (PostgreSQL) 15.20"})

    def handle(self) -> EngineHandle:
        return fake_handle(self.engine)

    def prepare(
        self, run_id: str, block: int, cells: Callable[[], Iterable[ServedCell]], hooks: Hooks
    ) -> None:
        assert list(cells())
        self.prepared.append((run_id, block))

    def setup(self, levels: Mapping[str, Level], *, replica: int = 0, hooks: Hooks = NO_HOOKS) -> TrialSetup:
        hierarchy = find_hierarchy()
        if self.made is None:
            spec = server_spec(levels, replica)
            self.made = Deployment(self.handle(), spec, "bench:test", 20001, hierarchy, hooks)
        if not self.made.runs():
            self.renew(levels, replica)
            raise ServerLost("the postgres server has ended between two trials", before=True)
        self.made.ensure_database(int(levels["scale"]), hooks)
        path = PATHS[str(levels["path"])]
        client = self.engine.create(templates.client("bench:test", "plimsoll-client-host", "host"))
        return TrialSetup(
            path=path,
            deployment=self.made,
            client=ClientLocation(self.engine, client, self.made.handle),
            target=Target("198.18.64.2", 5432),
            reverse_proxies=(),
            reverse_proxy=None,
            client_group=ClientGroup(hierarchy, f"/{CGROUP}"),
            hierarchy=hierarchy,
            remote_pid=None,
        )

    def renew(self, levels: Mapping[str, Level], replica: int) -> None:
        self.renewed += 1
        if self.made is not None:
            self.made.remove()
        self.made = None

    def discard(self, levels: Mapping[str, Level]) -> None:
        self.discarded += 1
        self.made = None

    def missing(self, levels: Mapping[str, Level], replica: int) -> HostFault | None:
        if not self.engine.answers():
            return EngineUnavailable("the engine on does not answer")
        lost = self.made is not None and not self.made.runs()
        return ServerLost("the postgres server has ended") if lost else None


@pytest.fixture
def settings(worker_settings: Settings) -> Settings:
    """The worker's own role of the database."""
    return worker_settings


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEngine]:
    # The process that stands for a server never listens.
    monkeypatch.setattr("worker.topology.deployment.LISTEN_LIMIT_S", 0.0)
    if os.geteuid() != 0:
        pytest.skip("control groups can only be made by root")
    fake = FakeEngine(
        tmp_path,
        {
            "psql": FakeTool(stdout="1\n"),
            "pgbench": FakeTool(
                stdout=(FIXTURES / "15-live.stdout").read_text(),
                stderr=(FIXTURES / "15-live.stderr").read_text(),
            ),
            "sh": FakeTool(stdout=(FIXTURES / "15-sampled.histogram").read_text()),
        },
    )
    yield fake
    fake.remove_everything()
    remove_cgroup(CGROUP)


@pytest.fixture
def testbed(engine: FakeEngine) -> FakeTestbed:
    return FakeTestbed(engine)


@pytest.fixture
def queue() -> FakeTrialQueue:
    return FakeTrialQueue()
