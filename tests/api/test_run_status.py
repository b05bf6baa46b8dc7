"""Lines about a followed run: each wait and its end once, no silence of half a minute."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from backend.cli import waits
from backend.cli.run_status import RunStatus

START = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
RUN = {
    "progress": {},
    "host": "bench-1",
    "client_host": None,
    "state": "running",
    "current": {"cell_id": "c1", "label": "published loopback"},
}
RUNNING = {"trial_id": "trl_1", "cell_id": "c1", "round": 2, "state": "running"}
HOST: dict[str, Any] = {
    "name": "bench-1",
    "online": True,
    "last_seen_at": "2026-11-20T11:55:00Z",
    "conditions": [],
}
PHASE = {"trial_id": "trl_1", "cell_id": "c1", "phase": "waiting", "reasons": ["a"]}
NAME = "published loopback, round 2: "


class Followed:
    """A run that is followed with a tick a second; `said` has the lines with their second."""

    def __init__(self) -> None:
        self.second = 0
        self.said: list[tuple[int, str]] = []
        self.status = RunStatus(START)

    @property
    def now(self) -> datetime:
        return START + timedelta(seconds=self.second)

    def see(self, kind: str, data: Any) -> list[str]:
        lines = self.status.apply(kind, data, self.now)
        self.said += [(self.second, line) for line in lines]
        return lines

    def tick(self, seconds: int = 1) -> None:
        for _ in range(seconds):
            self.second += 1
            self.see("tick", None)
            if self.status.is_due(self.now):
                self.said.append((self.second, self.status.status(self.now)))
                self.status.said(self.now)


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Followed]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield Followed()
    time.tzset()


@pytest.fixture
def measured(followed: Followed) -> Followed:
    """In its first trial."""
    followed.see("trial", RUNNING)
    followed.see("run", RUN)
    return followed


def test_a_terminal_is_never_silent_for_half_a_minute(followed: Followed) -> None:
    followed.tick(100)
    followed.see("trial", RUNNING)
    followed.see("run", RUN)
    followed.tick(100)
    for _ in range(100):
        followed.see("phase", PHASE)
        followed.tick(2)
    followed.see("phase", PHASE | {"phase": "warming_up", "reasons": []})
    followed.tick(100)
    for _ in range(100):
        followed.see("live", {"rate": 1.0})
        followed.tick()
    followed.see("lost", {})
    followed.tick(100)
    seconds = [0, *(second for second, _ in followed.said), followed.second]
    assert max(later - earlier for earlier, later in pairwise(seconds)) < 30
    assert len(seconds) < 30, "nor is a line repeated more often than needed"


def test_the_lines_of_one_trial(measured: Followed) -> None:
    measured.tick(30)
    for _ in range(20):
        measured.see("phase", PHASE | {"since": "2026-11-20T12:00:20Z"})
        measured.tick(2)
    measured.see("phase", PHASE | {"phase": "warming_up", "reasons": []})
    measured.tick(5)
    measured.see("live", {"rate": 1.0})
    measured.tick(30)
    assert measured.said == [
        (28, f"{NAME}is prepared, for 28 s."),
        (30, f"{NAME}Waits for a quiet host: a. Since 12:00:20."),
        (58, f"{NAME}Waits for a quiet host: a. Since 12:00:20, for 38 s."),
        (70, f"{NAME}goes on after 50 s."),
        (98, f"{NAME}is measured, for 23 s."),
    ]


def test_a_wait_whose_reasons_change_is_one_wait(measured: Followed) -> None:
    assert measured.see("phase", PHASE)
    measured.tick(2)
    assert not measured.see("phase", PHASE | {"reasons": ["b", "c"]})
    measured.tick(28)
    assert measured.said[-1] == (28, f"{NAME}Waits for a quiet host: b; c. Since 12:00:00, for 28 s.")


def test_a_repeated_take_is_said_with_its_reason(measured: Followed) -> None:
    (line,) = measured.see("phase", PHASE | {"phase": "repeating"})
    assert line == f"{NAME}The host disturbed this trial; it is measured again: a. Since 12:00:00."
    assert measured.see("phase", PHASE) == [f"{NAME}Waits for a quiet host: a. Since 12:00:00."]
    assert measured.see("live", {"rate": 1.0}) == [f"{NAME}goes on after 0 s."]


def test_a_phase_of_a_later_release_is_named(measured: Followed) -> None:
    (line,) = measured.see("phase", PHASE | {"phase": "cooling_down"})
    assert line == f"{NAME}Cooling down: a. Since 12:00:00."


def test_a_trial_that_ends_takes_its_wait_with_it(measured: Followed) -> None:
    measured.see("phase", PHASE)
    assert measured.see("trial", RUNNING | {"state": "cancelled"}) == []
    assert measured.status.wait_line(measured.now) is None


def test_a_stream_that_is_resumed_goes_on(measured: Followed) -> None:
    (line,) = measured.see("lost", {})
    assert (
        line
        == f"{NAME}The event stream was interrupted; it is being resumed where it stopped. Since 12:00:00."
    )
    measured.tick(3)
    assert measured.see("lost", {}) == [] and measured.status.hosts_to_ask(measured.now) == ()
    assert measured.see("live", {"rate": 1.0}) == [f"{NAME}goes on after 3 s."]


def test_hosts_are_read_only_while_nothing_is_seen_of_a_trial(measured: Followed) -> None:
    reads = []
    for second in range(60):
        if second < 20:
            measured.see("live", {"rate": 1.0})
        measured.tick()
        if measured.status.hosts_to_ask(measured.now) == ("bench-1",):
            reads.append(measured.second)
    assert reads == [34, 44, 54]
    measured.see("trial", RUNNING | {"state": "done"})
    measured.tick(3)
    assert measured.status.hosts_to_ask(measured.now) == (), "not twice in ten seconds"
    measured.tick(7)
    assert measured.status.hosts_to_ask(measured.now) == ("bench-1",)


def test_a_pause_lets_a_running_trial_end(measured: Followed) -> None:
    drained = HOST | {"pause": {"code": "drained", "since": "2026-11-20T11:00:00Z", "by": "Grace"}}
    assert measured.see("hosts", [drained]) == []
    measured.see("trial", RUNNING | {"state": "done"})
    (line,) = measured.see("hosts", [drained])
    assert line.startswith("bench-1 was drained by Grace at 11:00:00: ")
    measured.tick(5)
    assert measured.see("hosts", [HOST]) == ["The run goes on after 60 min."]


def test_hours_of_a_host_and_a_clock_that_is_ahead(followed: Followed) -> None:
    closed = HOST | {"pause": {"code": "outside_hours", "since": None, "opens_at": "2026-11-21T20:00:00Z"}}
    (line,) = followed.see("hosts", [closed])
    assert line.startswith("bench-1 starts trials again at 2026-11-21 20:00:00: its policy has hours. The ")
    ahead = waits.of_phase(PHASE | {"since": "2026-11-20T12:00:30Z"}, followed.now)
    assert ahead.seconds(followed.now) == 0
