"""The quiet hours of a host, from policy to claim: what meets them waits, and says until when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.schedules.starting import start_next
from backend.settings import Settings
from backend.store import invariants
from tests.api.client import Worker, start_run
from tests.api.http_worker import HttpWorker
from tests.api.test_schedules import at, log, schedule

ALWAYS = {"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "opens": "00:00", "closes": "24:00"}


@pytest.fixture(autouse=True)
def sound(settings: Settings) -> Any:
    """After each test, no trial is lost or doubled."""
    yield
    assert invariants.check(settings) == []


def quiet() -> dict[str, Any]:
    """Hours that begin in three days, so that the test is outside of them at any time of the day."""
    return {
        "days": [f"{datetime.now(UTC) + timedelta(days=3):%a}".lower()],
        "opens": "20:00",
        "closes": "23:00",
    }


def set_hours(api: TestClient, above: dict[str, str], host: str, window: dict[str, Any]) -> dict[str, Any]:
    policy = {"hours": {"time_zone": "UTC", "windows": [window]}}
    answer = api.put(f"/api/v1/hosts/{host}/policy", json=policy, headers=above)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def pause_of(api: TestClient, host: str) -> dict[str, Any] | None:
    """What the API says of a host in its list, which the pages of runs and hosts read."""
    listed = {one["name"]: one["pause"] for one in api.get("/api/v1/hosts").json()["data"]}
    assert listed[host] == api.get(f"/api/v1/hosts/{host}").json()["pause"]
    found: dict[str, Any] | None = listed[host]
    return found


def state(api: TestClient, run_id: str) -> str:
    return str(api.get(f"/api/v1/runs/{run_id}").json()["state"])


def finish(far: HttpWorker) -> int:
    """Measure what the host may claim; returns how many trials that were."""
    ended = 0
    while (trial := far.claim()["trial"]) is not None:
        assert far.outcome(trial) == "recorded"
        ended += 1
    return ended


def test_a_scheduled_run_waits_for_the_hours_of_its_host_and_says_so(
    api: TestClient, far: HttpWorker, installation: dict[str, str], settings: Settings
) -> None:
    made = schedule(api, hosts=["far-1"])
    closed = set_hours(api, installation, "far-1", quiet())
    (started,) = start_next(settings, at(made["next_times"][0])) or []
    paused = pause_of(api, "far-1")
    assert paused == closed["pause"] and paused is not None and paused["code"] == "outside_hours"
    assert timedelta(days=2) < at(paused["opens_at"]) - datetime.now(UTC) < timedelta(days=4)
    (row,) = log(api, made["id"])
    assert (row["outcome"], row["run_id"], row["waits_until"]) == (
        "started",
        started.run_id,
        paused["opens_at"],
    )
    assert far.claim()["trial"] is None
    assert state(api, started.run_id) == "queued"
    host = api.get("/api/v1/hosts/far-1").json()
    assert (host["queued_trials"], host["running_trials"]) == (6, 0)

    set_hours(api, installation, "far-1", ALWAYS)
    assert pause_of(api, "far-1") is None
    assert finish(far) == 6 and state(api, started.run_id) == "done"


def test_a_running_trial_ends_in_quiet_hours_and_the_next_one_waits(
    api: TestClient, far: HttpWorker, installation: dict[str, str]
) -> None:
    run = start_run(api)
    trial = far.must_claim()
    set_hours(api, installation, "far-1", quiet())
    assert far.beat(trial) == "ok" and far.outcome(trial) == "recorded"
    assert far.claim()["trial"] is None and far.claim(last=[trial["trial_id"]])["trial"] is None
    progress = api.get(f"/api/v1/runs/{run['id']}").json()["progress"]
    assert (state(api, run["id"]), progress["done"], progress["running"]) == ("running", 1, 0)
    set_hours(api, installation, "far-1", ALWAYS)
    assert finish(far) == 5 and state(api, run["id"]) == "done"


def test_quiet_hours_hold_only_the_host_that_has_them(
    api: TestClient, worker: Worker, far: HttpWorker, installation: dict[str, str], settings: Settings
) -> None:
    """Of a schedule on two hosts one starts at once, so that its row names no time to wait for."""
    made = schedule(api, hosts=["bench-1", "far-1"])
    set_hours(api, installation, "bench-1", quiet())
    started = {one.host: one.run_id for one in start_next(settings, at(made["next_times"][0])) or []}
    (row,) = log(api, made["id"])
    assert row["outcome"] == "started" and row["waits_until"] is None
    assert (pause_of(api, "bench-1") or {})["code"] == "outside_hours" and pause_of(api, "far-1") is None
    with pytest.raises(AssertionError):
        worker.claim()
    assert finish(far) == 6
    assert (state(api, started["bench-1"]), state(api, started["far-1"])) == ("queued", "done")
    set_hours(api, installation, "bench-1", ALWAYS)
    assert worker.claim().run_id == started["bench-1"]
