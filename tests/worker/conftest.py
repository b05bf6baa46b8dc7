"""The worker on the fake engine: real processes and real counters, no Docker."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from backend.core.definition.factors import Level
from backend.core.errors import Unavailable
from worker.engine.fake import FakeEngine, FakeTool
from worker.host.reaper import remove_cgroup
from worker.host.spool import Spooled
from worker.trial.carry_out import Beat, Claimed
from worker.trial.provision import Deployment

FIXTURES = Path(__file__).parents[1] / "fixtures" / "pgbench"
CGROUP = "plmtest-fake"


@dataclass(frozen=True)
class FakeTrial:
    """A claimed trial of one second without warm-up."""

    trial_id: str = "trl_0123456789abcdef"
    run_id: str = "run_0123456789abcdef"
    cell_id: str = "c1"
    round: int = 1
    fence: int = 1
    levels: Mapping[str, Level] = field(
        default_factory=lambda: {
            "path": "container_address",
            "userland_proxy": True,
            "clients": 5,
            "threads": 1,
            "protocol": "prepared",
            "scale": 5,
            "duration_s": 1,
            "warm_up_s": 1,
        }
    )


@dataclass
class FakeBook:
    """Notes every booking; `answer` is what a heartbeat hears."""

    answer: Beat = "ok"
    away: bool = False
    records: list[Spooled] = field(default_factory=list)
    endings: list[tuple[str, ...]] = field(default_factory=list)

    def heartbeat(self, trial: Claimed) -> Beat:
        return self.answer

    def record(self, record: Spooled) -> str:
        if self.away:
            raise Unavailable("the database does not answer")
        self.records.append(record)
        return "recorded"

    def fail(self, trial: Claimed, code: str, detail: str) -> None:
        self.endings.append(("fail", code, detail))

    def requeue(self, trial: Claimed, outcome: str, detail: str) -> None:
        self.endings.append(("requeue", outcome, detail))

    def cancelled(self, trial: Claimed) -> None:
        self.endings.append(("cancelled",))


@dataclass
class FakeBenches:
    """One deployment on the fake engine, made when it is first asked for."""

    engine: FakeEngine
    made: Deployment | None = None
    discarded: int = 0

    def deployment(self, userland_proxy: bool) -> Deployment:
        if self.made is None:
            self.made = Deployment(
                self.engine,
                image="bench:test",
                engine_pid=os.getpid(),
                engine_cgroup=f"/{CGROUP}",
                netns="plmtest-none",
                host_address="198.18.1.1",
                userland_proxy=userland_proxy,
            )
        return self.made

    def discard(self, userland_proxy: bool) -> None:
        self.discarded += 1
        self.made = None


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[FakeEngine]:
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
        },
    )
    yield fake
    fake.remove_everything()
    remove_cgroup(CGROUP)


@pytest.fixture
def benches(engine: FakeEngine) -> FakeBenches:
    return FakeBenches(engine)


@pytest.fixture
def book() -> FakeBook:
    return FakeBook()
