"""What a team may have queued, running and stored, and the answer when that is used up."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.quotas import rules
from backend.api.quotas.open_streams import OpenStreams
from backend.core.errors import QuotaExceeded
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.session import session_scope
from tests.accounts import OTHER_TEAM, add_account, add_team, authorization, browser_headers, signed_in
from tests.api.client import BASE, DOCUMENT, Worker, problem_of, start_run

LARGE = DOCUMENT | {
    "name": "large",
    "factors": {"path": ["same_container", "published_loopback"], "duration_s": 1, "warm_up_s": 0},
    "rounds": 1000,
}


def limited(settings: Settings, **limits: int) -> TestClient:
    changed = {f"quota_{name}": value for name, value in limits.items()}
    app = create_app(settings.model_copy(update=changed))
    return TestClient(app, base_url=BASE, client=("127.0.0.1", 1), headers=signed_in(settings))


def store(api: TestClient, document: dict[str, Any] = DOCUMENT) -> str:
    answer = api.post("/api/v1/experiments", json=document)
    assert answer.status_code in (200, 201), answer.text
    return str(answer.json()["id"])


def usage(api: TestClient) -> dict[str, tuple[int, float | None]]:
    found = api.get("/api/v1/usage")
    assert found.status_code == 200, found.text
    return {row["quota"]: (row["limit"], row["used"]) for row in found.json()["data"]}


def rows(settings: Settings, statement: str) -> int:
    with session_scope(settings) as session:
        return int(session.execute(text(statement)).scalar_one())


def test_twenty_posts_of_a_long_run_meet_a_quota(settings: Settings, worker: Worker) -> None:
    with limited(settings, host_seconds_per_day=10**7) as api:
        experiment = store(api, LARGE)
        answers = [api.post(f"/api/v1/experiments/{experiment}/runs", json={}) for _ in range(20)]
        assert Counter(answer.status_code for answer in answers) == {202: 3, 429: 17}
        refused = problem_of(answers[-1], 429, "quota_exceeded")
        assert refused["detail"] == (
            "the team may have 10,000 queued trials and has 9,000, and this request adds 3,000: "
            "wait until trials have run, cancel a run, or start a smaller one (queued_trials)"
        )
        assert answers[-1].headers["retry-after"] == "60"
        assert rows(settings, "SELECT count(*) FROM trial") == 9_000
        assert usage(api)["queued_trials"] == (10_000, 9_000)


def test_a_cancelled_run_frees_its_queued_trials_but_not_its_bytes(api: TestClient, worker: Worker) -> None:
    run = start_run(api)["id"]
    before = usage(api)
    assert before["queued_trials"][1] == 6 and before["active_runs"][1] == 1
    assert api.post(f"/api/v1/runs/{run}:cancel", json={}).status_code == 202
    after = usage(api)
    assert after["queued_trials"][1] == after["active_runs"][1] == 0
    assert after["stored_bytes"][1] >= before["stored_bytes"][1] > 4 * 600  # type: ignore[operator]


def test_another_teams_use_does_not_count(api: TestClient, worker: Worker, settings: Settings) -> None:
    add_team(settings)
    headers = browser_headers(settings, add_account(settings, "admin", OTHER_TEAM, "Eve"))
    other = TestClient(create_app(settings), base_url=BASE, headers=headers)
    start_run(api)
    assert usage(api)["active_runs"][1] == 1
    assert {name: used for name, (_, used) in usage(other).items() if used} == {}
    start_run(other)
    assert usage(api)["active_runs"][1] == usage(other)["active_runs"][1] == 1


def test_two_submissions_at_once_do_not_pass_together(settings: Settings, worker: Worker) -> None:
    with limited(settings, active_runs=3) as api, ThreadPoolExecutor(8) as pool:
        experiments = [store(api, DOCUMENT | {"seed": seed}) for seed in range(8)]
        together = threading.Barrier(8)

        def start(experiment: str) -> int:
            together.wait(60)
            return api.post(f"/api/v1/experiments/{experiment}/runs", json={}).status_code

        assert Counter(pool.map(start, experiments)) == {202: 3, 429: 5}
    assert rows(settings, "SELECT count(*) FROM run") == 3


def test_host_seconds_used_and_planned(settings: Settings, worker: Worker) -> None:
    with limited(settings, host_seconds_per_day=60) as api:
        run = start_run(api)
        planned = usage(api)["host_seconds_per_day"][1]
        assert planned is not None and 0 < planned <= 60
        document = DOCUMENT | {"factors": DOCUMENT["factors"] | {"duration_s": 10}, "name": "longer"}
        answer = api.post(f"/api/v1/experiments/{store(api, document)}/runs", json={})
        assert "host time in 24 h" in problem_of(answer, 429, "quota_exceeded")["detail"]
        worker.finish()
        seconds = "SELECT extract(epoch FROM sum(finished_at - started_at)) * 1000 FROM trial"
        used = usage(api)["host_seconds_per_day"][1]
        assert used == pytest.approx(rows(settings, seconds) / 1000, abs=0.06)
        with session_scope(settings) as session:
            for table in ("trial", "run"):
                session.execute(
                    text(
                        f"UPDATE {table} SET started_at = started_at - interval '25 h', "
                        "finished_at = finished_at - interval '25 h'"
                    )
                )
        assert usage(api)["host_seconds_per_day"][1] == 0
        assert api.get(f"/api/v1/runs/{run['id']}").json()["state"] == "done"


def test_stored_bytes_refuse_what_stores_more(settings: Settings, worker: Worker) -> None:
    with limited(settings, stored_bytes=20_000) as api:
        experiment = store(api)
        run = start_run(api)["id"]
        hook = api.post("/api/v1/webhooks", json={"url": "https://8.8.8.8/"}).json()["id"]
        worker.finish()
        assert usage(api)["stored_bytes"][1] > 20_000  # type: ignore[operator]
        for url, body in (
            (f"experiments/{experiment}/runs", {}),
            ("experiments", DOCUMENT | {"seed": 99}),
            (f"runs/{run}/shares", {}),
            (f"webhooks/{hook}:test", None),
        ):
            refused = problem_of(api.post(f"/api/v1/{url}", json=body), 429, "quota_exceeded")
            assert "delete runs or experiments" in refused["detail"]
        # A live link stores no result, and what is stored already costs nothing.
        assert api.post(f"/api/v1/runs/{run}/shares", json={"mode": "live"}).status_code == 201
        assert api.post("/api/v1/experiments", json=DOCUMENT).status_code == 200


def test_a_plan_that_never_fits_is_invalid(settings: Settings, worker: Worker) -> None:
    with limited(settings, cells_per_plan=1, seconds_per_trial=5) as api:
        document = DOCUMENT | {"factors": DOCUMENT["factors"] | {"duration_s": 10}}
        answer = api.post(f"/api/v1/experiments/{store(api, document)}/runs", json={})
        assert answer.status_code == 422
        fields = {field["pointer"]: field for field in answer.json()["errors"]}
        assert {field["code"] for field in fields.values()} == {"quota_exceeded"}
        assert fields["/factors"]["detail"] == "3 cells, at most 1 are allowed here; use fewer levels"
        assert "10 s" in fields["/factors/duration_s"]["detail"]


def test_open_streams_are_counted_until_they_end(settings: Settings, worker: Worker, served: str) -> None:
    with httpx2.Client(base_url=f"{served}/api/v1", headers=authorization(), timeout=60) as client:
        experiment = client.post("/experiments", json=DOCUMENT).json()["id"]
        run = client.post(f"/experiments/{experiment}/runs", json={}).json()["id"]

        def streams() -> float:
            found = client.get("/usage").json()["data"]
            return next(row["used"] for row in found if row["quota"] == "open_streams")

        with client.stream("GET", f"/runs/{run}/events") as first:
            received = first.iter_bytes()  # discarding it would close the stream
            next(received)
            assert streams() == 1
        for _ in range(200):
            if streams() == 0:
                break
            threading.Event().wait(0.05)
        assert streams() == 0
        assert client.get("/runs/run_0000000000000000/events").status_code == 404
        assert streams() == 0


def test_a_stream_too_many_is_refused() -> None:
    streams = OpenStreams()

    async def twice() -> None:
        async with streams.slot("a", 1):
            async with streams.slot("b", 1):
                assert (streams.of_team("a"), streams.of_team("b")) == (1, 1)
            with pytest.raises(QuotaExceeded, match="may have 1 open event streams and has 1"):
                async with streams.slot("a", 1):
                    pass
        assert streams.of_team("a") == 0

    asyncio.run(twice())


def test_the_results_of_frozen_links_count(api: TestClient, worker: Worker, settings: Settings) -> None:
    run = start_run(api)["id"]
    worker.finish()
    before = usage(api)["stored_bytes"][1]
    share = api.post(f"/api/v1/runs/{run}/shares", json={}).json()["id"]
    grown = usage(api)["stored_bytes"][1] - before  # type: ignore[operator]
    assert grown >= rows(settings, "SELECT length(snapshot) FROM share") > 1000
    assert api.delete(f"/api/v1/shares/{share}").status_code == 204
    assert usage(api)["stored_bytes"][1] - before < 500  # type: ignore[operator]


def test_a_limit_says_when_it_is_near_and_reached(settings: Settings, worker: Worker) -> None:
    assert [rules.level(100, used) for used in (None, 0, 74.9, 75, 99, 100, 101)] == [
        *("ok", "ok", "ok", "near", "near", "reached", "reached")
    ]
    start_run(TestClient(create_app(settings), base_url=BASE, headers=signed_in(settings)))
    worker.finish()
    for most, expected in ((10**9, "ok"), (4, "reached")):
        with limited(settings, stored_bytes=most) as api:
            found = {row["quota"]: row["level"] for row in api.get("/api/v1/usage").json()["data"]}
            assert found["stored_bytes"] == expected and found["cells_per_plan"] == "ok"


def test_a_run_under_way_ends_well_where_storage_is_used_up(settings: Settings, worker: Worker) -> None:
    """Its records are stored, and nothing new is admitted until something was deleted."""
    with limited(settings, stored_bytes=20_000) as api:
        run = start_run(api)
        worker.finish()
        found = api.get(f"/api/v1/runs/{run['id']}").json()
        assert (found["state"], found["progress"]["done"]) == ("done", found["progress"]["total"])
        again = f"/api/v1/experiments/{run['experiment_id']}/runs"
        problem_of(api.post(again, json={}), 429, "quota_exceeded")
        (largest,) = api.get("/api/v1/usage/largest-runs").json()["data"]
        assert api.delete(f"/api/v1/runs/{largest['id']}").status_code == 204
        assert api.post(again, json={}).status_code == 202


def test_the_largest_ended_runs_of_the_team(api: TestClient, worker: Worker, settings: Settings) -> None:
    add_team(settings)
    headers = browser_headers(settings, add_account(settings, "admin", OTHER_TEAM, "Eve"))
    other = TestClient(create_app(settings), base_url=BASE, headers=headers)
    start_run(other)
    small, large = (start_run(api) for _ in range(2))
    worker.finish()
    start_run(api)
    with session_scope(settings) as session:
        query = "UPDATE run SET stored_bytes = stored_bytes + 1000000 WHERE id = :id"
        session.execute(text(query), {"id": large["id"]})
    api.put(f"/api/v1/runs/{small['id']}/star")
    found = api.get("/api/v1/usage/largest-runs").json()["data"]
    assert [(run["id"], run["starred"]) for run in found] == [(large["id"], False), (small["id"], True)]
    assert found[0]["stored_bytes"] > 10**6 and found[0]["trials"] == large["progress"]["total"]
    assert found[0] | {"title": large["title"], "host": large["host"]} == found[0]
    one = api.get("/api/v1/usage/largest-runs?limit=1").json()["data"]
    assert [run["id"] for run in one] == [large["id"]]
    assert api.get("/api/v1/usage/largest-runs?limit=101").status_code == 422


def test_administrators_of_the_installation_see_what_takes_the_disk(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    add_team(settings)
    start_run(api)
    worker.finish()
    problem_of(api.get("/api/v1/storage"), 403, "forbidden")
    account = add_account(settings, None, name="Root", installation_admin=True)
    root = TestClient(create_app(settings), base_url=BASE, headers=browser_headers(settings, account))
    found = root.get("/api/v1/storage").json()
    sizes = [table["bytes"] for table in found["tables"]]
    assert {"result", "trial", "event"} < {table["name"] for table in found["tables"]}
    assert sizes == sorted(sizes, reverse=True) and found["database_bytes"] > sum(sizes)
    assert [(team["id"], team["bytes"] > 0) for team in found["teams"]] == [
        (DEFAULT_TEAM, True),
        (OTHER_TEAM, False),
    ]
    assert found["teams"][0]["limit"] == settings.quota_stored_bytes
