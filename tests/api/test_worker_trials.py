"""Trials by the worker protocol: claim, heartbeat, record and endings, each sent twice."""

from __future__ import annotations

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.security import MAX_RECORD_BYTES
from backend.api.worker import record_body
from backend.queue import connect, events_channel
from backend.settings import Settings
from backend.store import invariants
from backend.store.session import session_scope
from tests.api.client import DOCUMENT, problem_of, start_run
from tests.api.http_worker import WORKER, HttpWorker, record_of


@pytest.fixture
def run(api: TestClient, far: HttpWorker) -> dict[str, Any]:
    """A queued run of six trials on far-1: two cells and the A/A duplicate, twice."""
    return start_run(api)


@pytest.fixture(autouse=True)
def sound(settings: Settings) -> Any:
    """After each test, no trial is lost or doubled, and the log of attempts is complete."""
    yield
    assert invariants.check(settings) == []


def sql(settings: Settings, statement: str, **values: Any) -> list[Any]:
    with session_scope(settings) as session:
        found = session.execute(text(statement), values)
        return [tuple(row) for row in found] if found.returns_rows else []


def expire_leases(settings: Settings) -> None:
    sql(settings, "UPDATE trial SET lease_until = clock_timestamp() - interval '1 s' WHERE state = 'running'")


def test_a_run_from_claim_to_result(api: TestClient, far: HttpWorker, run: dict[str, Any]) -> None:
    assert far.ask("POST", "/take-over", {}) == {"trials": 0}
    cells = far.ask("GET", f"/runs/{run['id']}/cells")["cells"]
    assert sorted(cell["replica"] for cell in cells) == [0, 0, 1]  # the A/A duplicate has its own server
    firsts = []
    while (answer := far.claim())["trial"] is not None:
        trial = answer["trial"]
        firsts.append(answer["first_of_run"])
        assert trial["run_id"] == run["id"] and trial["fence"] == 1
        assert trial["experiment"]["factors"]["path"] == DOCUMENT["factors"]["path"]
        if answer["first_of_run"]:
            path = f"/runs/{run['id']}/environment"
            far.ask("PATCH", path, {"environment": {"leftovers": "none", "kernel": "later"}})
        assert far.beat(trial) == "ok"
        assert far.outcome(trial) == "recorded"
    assert firsts == [True, False, False, False, False, False]
    ended = api.get(f"/api/v1/runs/{run['id']}").json()
    assert ended["state"] == "done" and ended["host"] == "far-1"
    result = api.get(f"/api/v1/runs/{run['id']}/result").json()
    assert result["environment"]["leftovers"] == "none"
    assert result["environment"]["kernel"] == "6.1"  # the first value of a fact stays


def test_streams_are_woken_by_the_server(settings: Settings, far: HttpWorker, run: dict[str, Any]) -> None:
    subscription = connect(settings).pubsub(ignore_subscribe_messages=True)
    subscription.subscribe(events_channel(run["id"]))
    assert subscription.get_message(timeout=5) is None  # the confirmation, ignored

    def was_woken() -> bool:
        return subscription.get_message(timeout=60) is not None

    trial = far.must_claim()
    assert was_woken()
    far.outcome(trial)
    assert was_woken()
    far.end(far.must_claim(), "fail", code="tool_failed")
    assert was_woken() and was_woken()
    subscription.close()


def test_a_claim_whose_answer_is_lost_is_answered_again(far: HttpWorker, run: dict[str, Any]) -> None:
    first = far.claim("key-of-claim-1")
    assert far.claim("key-of-claim-1") == first
    assert first["first_of_run"] is True
    assert far.beat(first["trial"]) == "ok"
    assert far.claim("key-of-claim-2")["trial"]["trial_id"] != first["trial"]["trial_id"]


def test_an_answer_that_is_given_again_names_the_host_of_the_clients(
    settings: Settings, installation: dict[str, str], far: HttpWorker, run: dict[str, Any]
) -> None:
    other = HttpWorker.joined(far.api, installation, "far-2")
    sql(settings, "UPDATE run SET client_host_id = :id", id=other.host_id)
    first = far.claim("key-of-claim-1")
    assert first["trial"]["client_host"] == "far-2"
    assert far.claim("key-of-claim-1") == first


def test_a_key_sent_many_times_at_once_claims_one_trial(
    settings: Settings, far: HttpWorker, run: dict[str, Any]
) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: far.claim("the-same-key"), range(16)))
    assert len({(one["trial"]["trial_id"], one["trial"]["fence"]) for one in answers}) == 1
    assert sql(settings, "SELECT count(*) FROM trial WHERE state = 'running'") == [(1,)]


def test_a_key_whose_attempt_is_over_claims_nothing(
    settings: Settings, far: HttpWorker, run: dict[str, Any]
) -> None:
    recorded = far.must_claim("recorded-key")
    far.outcome(recorded)
    assert far.claim("recorded-key") == {"trial": None, "first_of_run": False}
    lost = far.must_claim("lost-key-1")
    expire_leases(settings)
    again = far.must_claim("other-key")
    assert (again["trial_id"], again["fence"]) == (lost["trial_id"], lost["fence"] + 1)
    assert far.claim("lost-key-1")["trial"] is None
    assert far.beat(lost) == "stale" and far.beat(again) == "ok"
    assert far.ask("POST", "/take-over", {}) == {"trials": 1}
    assert far.claim("other-key")["trial"] is None  # a late copy of the earlier worker's request
    assert far.must_claim()["fence"] == again["fence"] + 1


def test_trials_named_last_come_last(far: HttpWorker, run: dict[str, Any]) -> None:
    first = far.must_claim()
    assert far.end(first, "requeue", outcome="engine_lost", detail="away", counts=False)
    avoided = far.claim(last=[first["trial_id"]])["trial"]
    assert avoided["trial_id"] != first["trial_id"]


def test_a_record_sent_twice_is_stored_once(settings: Settings, far: HttpWorker, run: dict[str, Any]) -> None:
    trial = far.must_claim()
    assert [far.outcome(trial), far.outcome(trial), far.outcome(trial, packed=False)] == [
        "recorded",
        "already",
        "already",
    ]
    with ThreadPoolExecutor(8) as pool:
        other = far.must_claim()
        outcomes = sorted(pool.map(lambda _: far.outcome(other), range(8)))
    assert outcomes == ["already"] * 7 + ["recorded"]
    assert sql(settings, "SELECT count(*) FROM result") == [(2,)]


def test_a_failed_record_fails_the_trial(api: TestClient, far: HttpWorker, run: dict[str, Any]) -> None:
    trial = far.must_claim()
    failure = {"code": "path_contradicted", "detail": "another path"}
    assert far.outcome(trial, failure=failure) == "recorded"
    stored = api.get(f"/api/v1/trials/{trial['trial_id']}").json()
    assert (stored["state"], stored["failure_code"]) == ("failed", "path_contradicted")


@pytest.mark.parametrize(
    ("kind", "body", "state"),
    [
        ("fail", {"code": "tool_failed", "detail": "exit code 1\x00"}, "failed"),
        ("requeue", {"outcome": "engine_lost", "detail": "away"}, "queued"),
        ("requeue", {"outcome": "aborted", "detail": "stopped"}, "queued"),
        ("cancelled", {}, "cancelled"),
    ],
)
def test_an_ending_sent_twice_ends_the_attempt_once(
    settings: Settings, far: HttpWorker, run: dict[str, Any], kind: str, body: dict[str, Any], state: str
) -> None:
    trial = far.must_claim()
    if kind == "cancelled":
        sql(settings, "UPDATE trial SET state = 'cancelled', finished_at = now() WHERE state = 'queued'")
        sql(settings, "UPDATE run SET cancel_requested = true")
        assert far.beat(trial) == "cancel"
    assert far.end(trial, kind, **body) is True
    assert far.end(trial, kind, **body) is False
    assert far.beat(trial) == "stale"
    found = sql(settings, "SELECT state, attempts FROM trial WHERE id = :id", id=trial["trial_id"])
    assert found == [(state, 0 if body.get("outcome") == "aborted" else 1)]
    outcomes = sql(settings, "SELECT count(*) FROM attempt WHERE entry = 'ended'")
    assert outcomes == [(1,)]


def test_an_attempt_that_lost_its_trial_changes_nothing(
    settings: Settings, far: HttpWorker, run: dict[str, Any]
) -> None:
    old = far.must_claim()
    expire_leases(settings)
    new = far.must_claim()
    assert new["trial_id"] == old["trial_id"]
    assert far.beat(old) == "stale"
    assert far.outcome(old) == "superseded"
    for kind in ("fail", "requeue", "cancelled"):
        assert far.end(old, kind, code="x", outcome="x") is False
    assert far.beat(new) == "ok" and far.outcome(new) == "recorded"
    assert far.outcome(old) == "superseded"


def test_an_expired_lease_still_records(settings: Settings, far: HttpWorker, run: dict[str, Any]) -> None:
    """The worker was away for an hour, and no other has claimed the trial."""
    trial = far.must_claim()
    expire_leases(settings)
    assert far.outcome(trial) == "recorded"


@pytest.mark.parametrize(
    "change",
    [
        {"payload": {}},
        {"payload": {"schema_version": 2}},
        {"payload": []},
        {"sha256": "f"},
        {"fence": 0},
        {"fence": True},
        {"fence": "1"},
        {"failure": {"code": "Not A Code", "detail": ""}},
        {"failure": ["path_contradicted", "x"]},
    ],
)
def test_what_is_no_record_is_refused(far: HttpWorker, run: dict[str, Any], change: dict[str, Any]) -> None:
    trial = far.must_claim()
    answer = far.record(trial, **change)
    assert answer.status_code == 422 and answer.headers["content-type"] == "application/problem+json"
    assert far.beat(trial) == "ok"


def test_the_record_of_another_trial_or_fence_is_refused(far: HttpWorker, run: dict[str, Any]) -> None:
    trial, other = far.must_claim(), far.must_claim()
    problem_of(far.record(trial, payload=record_of(other)["payload"]), 422, "unrecordable")
    late = record_of(trial | {"fence": 2})["payload"]
    problem_of(far.record(trial, payload=late), 422, "unrecordable")


@pytest.mark.parametrize(
    "body",
    [b"not gzip", gzip.compress(b"{}")[:-9], gzip.compress(b"{}") * 2, b""],
    ids=["plain", "cut short", "two members", "empty"],  # xdist compares names: gzip's bytes have the time
)
def test_a_body_that_is_not_one_gzip_member_is_malformed(
    far: HttpWorker, run: dict[str, Any], body: bytes
) -> None:
    trial = far.must_claim()
    headers = far.headers | {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    path = f"{WORKER}/trials/{trial['trial_id']}/record"
    problem_of(far.api.put(path, content=body, headers=headers), 400, "malformed")


def test_a_small_body_that_unpacks_to_gigabytes_is_refused(far: HttpWorker, run: dict[str, Any]) -> None:
    trial = far.must_claim()
    bomb = gzip.compress(b" " * (record_body.MAX_UNPACKED + 1))
    assert len(bomb) < 100_000
    headers = far.headers | {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    path = f"{WORKER}/trials/{trial['trial_id']}/record"
    problem_of(far.api.put(path, content=bomb, headers=headers), 413, "body_too_large")


def test_the_largest_report_of_a_tool_is_recorded(far: HttpWorker, run: dict[str, Any]) -> None:
    """iperf3 may print 16 MiB of JSON, in which every quote is escaped in the record."""
    trial = far.must_claim()
    payload = record_of(trial)["payload"]
    row = '{"socket": 5, "start": 0.1, "bits_per_second": 9412345678.9}\n'
    payload["commands"][0]["stdout"] = row * (16 * 1024 * 1024 // len(row))
    assert len(json.dumps(payload)) > 16 * 1024 * 1024
    assert far.outcome(trial, payload=payload) == "recorded"


def test_only_a_record_may_be_packed_and_large(far: HttpWorker, run: dict[str, Any]) -> None:
    headers = far.headers | {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    packed = gzip.compress(json.dumps({"key": "packed-key"}).encode())
    answer = far.api.post(f"{WORKER}/claims", content=packed, headers=headers)
    problem_of(answer, 415, "unsupported_media_type")
    large = {"environment": {"kernel": "x" * 1024 * 1024}}
    problem_of(far.send("PATCH", f"/runs/{run['id']}/environment", large), 413, "body_too_large")
    too_large = far.headers | {
        "Content-Type": "application/json",
        "Content-Length": str(MAX_RECORD_BYTES + 1),
    }
    path = f"{WORKER}/trials/trl_0000000000000000/record"
    problem_of(far.api.put(path, content=b"{}", headers=too_large), 413, "body_too_large")


def test_facts_of_a_run_that_a_host_adds_have_a_limit_in_all(
    api: TestClient, far: HttpWorker, run: dict[str, Any]
) -> None:
    """Each change rewrites all of them, and each reader of the run gets them."""
    far.must_claim()
    path, seen = f"/runs/{run['id']}/environment", []
    for number in range(6):
        facts = {f"fact {number}.{part}": "x" * 100_000 for part in range(9)}
        seen.append(far.send("PATCH", path, {"environment": facts}).status_code)
    assert seen == [204] * 4 + [422] * 2
    assert far.send("PATCH", path, {"environment": {"kernel": "6.18"}}).status_code == 204


def test_an_interim_analysis_ends_a_decided_comparison(api: TestClient, far: HttpWorker) -> None:
    document = {key: value for key, value in DOCUMENT.items() if key != "rounds"}
    run = start_run(api, document | {"stopping": {"every": 6, "at_most": 12}})
    rounds = set()
    while (trial := far.claim()["trial"]) is not None:
        rounds.add(trial["round"])
        slow = trial["levels"]["path"] != "same_container"
        far.outcome(trial, **record_of(trial, 10.0 if slow else 10_000.0 + trial["round"]))
        for _ in range(2):  # the second finds nothing to do
            assert far.send("POST", f"/runs/{run['id']}/interim-analysis", {}).status_code == 204
    ended = api.get(f"/api/v1/runs/{run['id']}").json()
    assert ended["state"] == "done" and max(rounds) < 12


def test_a_deleted_run_is_missing(api: TestClient, far: HttpWorker, run: dict[str, Any]) -> None:
    trial = far.must_claim()
    far.end(trial, "fail", code="tool_failed")
    while (left := far.claim()["trial"]) is not None:
        far.outcome(left)
    assert api.delete(f"/api/v1/runs/{run['id']}").status_code == 204
    problem_of(far.record(trial), 404, "not_found")
    problem_of(far.send("GET", f"/runs/{run['id']}/cells"), 404, "not_found")
