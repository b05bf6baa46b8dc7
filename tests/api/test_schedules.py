"""Schedules: what is due is started once, and every time that was missed has a reason."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.schedules.starting import start_next
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, browser_headers
from tests.api.client import DOCUMENT, Worker, problem_of

URL = "/api/v1/schedules"
DAILY = {"cron": "0 2 * * *", "time_zone": "Europe/Berlin", "hosts": ["bench-1"]}


def experiment(api: TestClient) -> str:
    created = api.post("/api/v1/experiments", json={**DOCUMENT, "rounds": 2})
    assert created.status_code in (200, 201), created.text
    found: str = created.json()["id"]
    return found


def schedule(api: TestClient, **fields: Any) -> dict[str, Any]:
    answer = api.post(f"/api/v1/experiments/{experiment(api)}/schedules", json=DAILY | fields)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def at(value: str) -> datetime:
    return datetime.fromisoformat(value)


def log(api: TestClient, schedule_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(f"{URL}/{schedule_id}/times").json()["data"]
    return found


def test_a_schedule_starts_a_run_when_it_is_due(api: TestClient, worker: Worker, settings: Settings) -> None:
    made = schedule(api)
    first, second = (at(time) for time in made["next_times"][:2])
    assert made["enabled"] and len(made["next_times"]) == 5 and second - first < timedelta(hours=26)
    assert start_next(settings, first - timedelta(seconds=1)) is None
    (started,) = start_next(settings, first + timedelta(seconds=5)) or []
    assert start_next(settings, first + timedelta(seconds=5)) is None
    run = api.get(f"/api/v1/runs/{started.run_id}").json()
    assert (run["schedule_id"], run["state"], run["host"]) == (made["id"], "queued", "bench-1")
    (row,) = log(api, made["id"])
    assert (row["outcome"], row["run_id"], row["late"], row["times"]) == ("started", run["id"], False, 1)
    (listed,) = api.get(URL, params={"experiment_id": made["experiment_id"]}).json()["data"]
    assert listed["last"]["run_id"] == run["id"] and at(listed["next_times"][0]) > datetime.now(UTC)


def test_a_time_is_missed_while_the_previous_run_continues(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    made = schedule(api)
    first, second, third = (at(time) for time in made["next_times"][:3])
    (started,) = start_next(settings, first) or []
    assert start_next(settings, second) == []
    row = log(api, made["id"])[0]
    assert (row["outcome"], row["reason"], row["run_id"]) == ("missed", "still_running", started.run_id)
    worker.finish()
    assert len(start_next(settings, third) or []) == 1


def test_after_an_absence_the_last_time_is_made_up_for_and_the_others_are_missed(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    made = schedule(api)
    times = [at(time) for time in made["next_times"]]
    assert len(start_next(settings, times[3] + timedelta(hours=1)) or []) == 1
    assert start_next(settings, times[3] + timedelta(hours=1)) is None
    started, missed = log(api, made["id"])
    assert (started["outcome"], started["late"], at(started["due_at"])) == ("started", True, times[3])
    assert (missed["reason"], missed["times"], at(missed["due_at"])) == ("server_away", 3, times[0])


def test_a_time_zone_that_the_system_no_longer_knows_pauses_its_schedule_only(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    gone, other = schedule(api), schedule(api, cron="1 2 * * *")
    with session_scope(settings) as session:
        session.execute(
            text("UPDATE schedule SET time_zone = 'Mars/Olympus' WHERE id = :id"), {"id": gone["id"]}
        )
    now = at(other["next_times"][0])
    assert start_next(settings, now) == []
    assert len(start_next(settings, now) or []) == 1
    listed = {one["id"]: one for one in api.get(URL).json()["data"]}
    assert not listed[gone["id"]]["enabled"] and listed[other["id"]]["enabled"]
    (row,) = log(api, gone["id"])
    assert row["reason"] == "refused" and "Mars/Olympus" in row["detail"]
    assert row["detail_message"] == {"id": "reasons:zoneGonePaused", "figures": {"zone": "Mars/Olympus"}}
    resumed = api.patch(f"{URL}/{gone['id']}", json={"enabled": True})
    assert problem_of(resumed, 422, "invalid")["errors"][0]["pointer"] == "/time_zone"


def test_two_servers_start_one_run(api: TestClient, worker: Worker, settings: Settings) -> None:
    made = schedule(api)
    now = at(made["next_times"][0])
    with ThreadPoolExecutor(4) as pool:
        found = [one for one in pool.map(lambda _: start_next(settings, now), range(4)) if one]
    assert len(found) == 1 and len(log(api, made["id"])) == 1


def test_a_host_that_is_drained_is_left_out_with_a_reason(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    other = Worker(settings)
    other.announce("bench-2")
    made = schedule(api, hosts=["bench-1", "bench-2"])
    with session_scope(settings) as session:
        session.execute(text("UPDATE host SET drained_at = now() WHERE name = 'bench-2'"))
    first, second = (at(time) for time in made["next_times"][:2])
    assert [one.host for one in start_next(settings, first) or []] == ["bench-1"]
    started, missed = log(api, made["id"])
    assert started["group_id"].startswith("grp_")
    assert (missed["reason"], missed["host"]) == ("host_drained", "bench-2")
    worker.finish()
    with session_scope(settings) as session:
        session.execute(text("UPDATE host SET drained_at = now()"))
    assert start_next(settings, second) == []
    assert {row["host"] for row in log(api, made["id"])[:2]} == {"bench-1", "bench-2"}


def test_who_lost_the_right_starts_nothing_until_it_is_saved_again(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    made = schedule(api)
    first, second = (at(time) for time in made["next_times"][:2])
    with session_scope(settings) as session:
        session.execute(text("UPDATE schedule SET account_id = NULL"))
    assert start_next(settings, first) == []
    assert log(api, made["id"])[0]["reason"] == "no_rights"
    assert api.patch(f"{URL}/{made['id']}", json={"cron": "0 3 * * *"}).status_code == 200
    assert len(start_next(settings, second + timedelta(hours=2)) or []) == 1


def test_a_quota_that_is_used_up_is_the_reason(api: TestClient, worker: Worker, settings: Settings) -> None:
    made = schedule(api)
    small = settings.model_copy(update={"quota_queued_trials": 1})
    assert start_next(small, at(made["next_times"][0])) == []
    row = log(api, made["id"])[0]
    assert (row["outcome"], row["reason"]) == ("missed", "quota") and row["detail"]


def test_a_client_host_is_removed_by_null_and_kept_where_it_is_left_out(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    Worker(settings).announce("bench-2")
    url = f"{URL}/{schedule(api, client_host='bench-2')['id']}"
    assert api.patch(url, json={"cron": "0 3 * * *"}).json()["client_host"] == "bench-2"
    changed = api.patch(url, json={"client_host": None}).json()
    assert (changed["client_host"], changed["cron"], changed["hosts"]) == (None, "0 3 * * *", ["bench-1"])
    assert api.get(url).json()["client_host"] is None


def test_pause_and_resume(api: TestClient, worker: Worker, settings: Settings) -> None:
    made = schedule(api)
    paused = api.patch(f"{URL}/{made['id']}", json={"enabled": False}).json()
    assert not paused["enabled"] and paused["next_times"] == []
    assert start_next(settings, at(made["next_times"][4])) is None
    resumed = api.patch(f"{URL}/{made['id']}", json={"enabled": True}).json()
    assert resumed["next_times"] == made["next_times"]
    assert api.delete(f"{URL}/{made['id']}").status_code == 204
    problem_of(api.get(f"{URL}/{made['id']}"), 404, "not_found")


@pytest.mark.parametrize(
    ("fields", "pointer", "code"),
    [
        ({"cron": "0 25 * * *"}, "/cron", "bad_cron"),
        ({"cron": "*/5 * * * *"}, "/cron", "too_often"),
        ({"cron": "0 0 30 2 *"}, "/cron", "never_due"),
        ({"time_zone": "Mars/Olympus"}, "/time_zone", "unknown_zone"),
        ({"time_zone": "../../etc/passwd"}, "/time_zone", "unknown_zone"),
        ({"hosts": ["nowhere"]}, "/hosts/0", "unknown_host"),
        ({"host_label": "quiet"}, "/hosts", "missing"),
        ({"client_host": "bench-1"}, "/client_host", "same_host"),
    ],
)
def test_bad_fields_are_named(
    api: TestClient, worker: Worker, fields: dict[str, Any], pointer: str, code: str
) -> None:
    answer = api.post(f"/api/v1/experiments/{experiment(api)}/schedules", json=DAILY | fields)
    assert answer.status_code == 422, answer.text
    assert [(one["pointer"], one["code"]) for one in answer.json()["errors"]] == [(pointer, code)]


def test_the_next_times_of_an_expression(api: TestClient) -> None:
    found = api.post(f"{URL}:preview", json={"cron": "30 2 * * *", "time_zone": "Asia/Shanghai"}).json()
    assert len(found["next_times"]) == 5 and all("T18:30:00" in time for time in found["next_times"])


def test_a_viewer_reads_schedules_and_changes_none(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    made = schedule(api)
    viewer = browser_headers(settings, add_account(settings, "viewer"))
    assert api.get(f"{URL}/{made['id']}", headers=viewer).status_code == 200
    assert api.patch(f"{URL}/{made['id']}", json={"enabled": False}, headers=viewer).status_code == 403
