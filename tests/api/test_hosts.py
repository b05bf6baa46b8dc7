"""Hosts: who sees what of their queue, drain and resume, labels, policy and what it forbids."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.hosts.release import compare
from backend.settings import Settings
from backend.store.repositories import audit as audit_log
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, browser_headers
from tests.api.client import DOCUMENT, Worker, problem_of, start_run

URL = "/api/v1/hosts/bench-1"
PLANS = "/api/v1/plans?host=bench-1"


@pytest.fixture
def above(settings: Settings) -> dict[str, str]:
    """A browser of an administrator of the installation who is a member of no team of the runs."""
    team = add_team(settings)
    return browser_headers(settings, add_account(settings, "viewer", team, "Grace", installation_admin=True))


def lines(settings: Settings, action: str) -> list[tuple[str, str | None, int]]:
    with session_scope(settings) as session:
        found = audit_log.page(session, None, 100, None)
    return [(entry.actor, entry.object, entry.status) for entry in found if entry.action == action]


def test_members_see_the_runs_of_their_teams_and_others_the_numbers(
    api: TestClient, worker: Worker, above: dict[str, str]
) -> None:
    run = start_run(api)
    claimed = worker.claim()
    own = api.get(URL).json()
    assert [(one["id"], one["title"], one["queued_trials"]) for one in own["queue"]["runs"]] == [
        (run["id"], "Two cells", 5)
    ]
    assert own["queue"]["other_runs"] == 0
    assert (own["current"]["run_id"], own["current"]["trial_id"]) == (run["id"], claimed.trial_id)
    assert own["current"]["label"] and own["current"]["round"] == 1
    others = api.get(URL, headers=above).json()
    assert others["queue"] == {"queued_trials": 5, "running_trials": 1, "runs": [], "other_runs": 1}
    assert {name: value for name, value in others["current"].items() if value is not None} == {
        "started_at": own["current"]["started_at"]
    }
    worker.record(claimed)
    worker.finish()
    ended = api.get(URL).json()
    assert ended["queue"] == {"queued_trials": 0, "running_trials": 0, "runs": [], "other_runs": 0}
    assert ended["current"] is None
    problem_of(api.get("/api/v1/hosts/nobody"), 404, "not_found")


def test_a_drained_host_says_since_when_and_by_whom_and_its_queue_waits(
    api: TestClient, worker: Worker, settings: Settings, above: dict[str, str]
) -> None:
    run = start_run(api)
    problem_of(api.post(f"{URL}:drain"), 403, "forbidden")
    drained = api.post(f"{URL}:drain", headers=above)
    assert drained.status_code == 200 and drained.json()["pause"]["by"] == "Grace"
    other = browser_headers(settings, add_account(settings, name="Linus", installation_admin=True))
    again = api.post(f"{URL}:drain", headers=other).json()
    assert again["pause"] == drained.json()["pause"], "the first of two is kept"
    listed = api.get("/api/v1/hosts").json()["data"][0]
    assert listed["pause"]["code"] == "drained" and listed["pause"]["since"]
    assert (listed["queued_trials"], listed["running_trials"], listed["spread"]) == (6, 0, None)
    with pytest.raises(AssertionError):
        worker.claim()
    assert api.get(f"/api/v1/runs/{run['id']}").json()["state"] == "queued"
    assert api.post(f"{URL}:resume", headers=other).json()["pause"] is None
    assert api.post(f"{URL}:resume", headers=above).status_code == 200
    worker.claim()
    for missing in ("drain", "resume"):
        problem_of(api.post(f"/api/v1/hosts/nobody:{missing}", headers=above), 404, "not_found")
    assert ("Grace", "bench-1", 200) in lines(settings, "drainHost")
    assert ("Linus", "bench-1", 200) in lines(settings, "resumeHost")
    assert ("Ada", None, 403) in lines(settings, "drainHost")


def test_labels_are_set_whole_and_checked(api: TestClient, worker: Worker, above: dict[str, str]) -> None:
    problem_of(api.patch(URL, json={"labels": ["metal"]}), 403, "forbidden")
    found = api.patch(URL, json={"labels": ["metal", "arm64"]}, headers=above).json()
    assert (found["labels"], found["host_network"]) == (["arm64", "metal"], True)
    for labels in (["Metal"], ["a", "a"], [""], [f"l{n}" for n in range(21)], ["a b"], "metal"):
        assert api.patch(URL, json={"labels": labels}, headers=above).status_code == 422, labels
    assert api.patch(URL, json={}, headers=above).status_code == 422
    assert api.get(URL).json()["labels"] == ["arm64", "metal"]


BAD_POLICIES: list[tuple[dict[str, Any], str]] = [
    ({"engines": []}, "/engines"),
    ({"engines": ["lab"]}, "/engines/0"),
    ({"programs": ["Not A Name"]}, "/programs/0"),
    ({"longest_trial_s": 0}, "/longest_trial_s"),
    ({"longest_trial_s": "60"}, "/longest_trial_s"),
    ({"host_network": "yes"}, "/host_network"),
    ({"hours": {"time_zone": "Europe/Atlantis", "windows": []}}, "/hours/time_zone"),
    ({"hours": {"time_zone": "UTC", "windows": [{"days": ["mon"], "opens": "9", "closes": "10:00"}]}},
     "/hours/windows/0/opens"),
    ({"hours": {"time_zone": "UTC"}}, "/hours/windows"),
    ({"colour": "red"}, "/colour"),
]  # fmt: skip


@pytest.mark.parametrize(("policy", "pointer"), BAD_POLICIES)
def test_a_policy_that_says_nothing_possible_is_refused_at_its_field(
    api: TestClient, worker: Worker, above: dict[str, str], policy: dict[str, Any], pointer: str
) -> None:
    for method, url in (("PUT", f"{URL}/policy"), ("POST", f"{URL}/policy:preview")):
        refused = api.request(method, url, json=policy, headers=above)
        assert refused.status_code == 422, refused.text
        assert pointer in {error["pointer"] for error in refused.json()["errors"]}
    assert api.get(URL).json()["policy"]["engines"] is None


def test_of_two_policies_that_replace_the_same_one_the_second_is_refused(
    api: TestClient, worker: Worker, above: dict[str, str]
) -> None:
    read = api.get(URL).json()["policy_version"]
    replaces = f"{URL}/policy?replaces={read}"
    first = api.put(replaces, json={"longest_trial_s": 60}, headers=above)
    assert first.status_code == 200 and first.json()["policy_version"] != read
    refused = problem_of(api.put(replaces, json={"longest_trial_s": 90}, headers=above), 409, "conflict")
    assert "somebody changed the policy of bench-1 since it was read" in refused["detail"]
    assert api.get(URL).json()["policy"]["longest_trial_s"] == 60
    assert api.get("/api/v1/hosts").json()["data"][0]["policy_version"] == first.json()["policy_version"]
    last = api.put(f"{URL}/policy", json={"longest_trial_s": 90}, headers=above)
    assert last.status_code == 200, "without a version it is replaced in any case"
    closed = api.patch(URL, json={"host_network": False}, headers=above)
    assert closed.json()["policy_version"] != last.json()["policy_version"], (
        "the host's network is part of it"
    )


def test_a_plan_shows_cells_that_the_policy_forbids_with_the_reason(
    api: TestClient, worker: Worker, settings: Settings, above: dict[str, str]
) -> None:
    document = DOCUMENT | {"factors": DOCUMENT["factors"] | {"userland_proxy": [True, False]}}
    document["baseline"] = {"path": "same_container", "userland_proxy": True}
    policy = {"engines": ["on"], "longest_trial_s": 60}
    problem_of(api.put(f"{URL}/policy", json=policy), 403, "forbidden")
    found = api.put(f"{URL}/policy", json=policy, headers=above).json()["policy"]
    assert (found["engines"], found["longest_trial_s"], found["host_network"]) == (["on"], 60, True)
    cells = api.post(PLANS, json=document).json()["plan"]["cells"]
    infeasible = {cell["label"]: cell["infeasible"] for cell in cells if cell["infeasible"]}
    assert infeasible and all("the policy of this host" in reason for reason in infeasible.values())
    run = start_run(api, document)
    planned = {claimed["cell_id"] for claimed in api.get(f"/api/v1/runs/{run['id']}/trials").json()["data"]}
    assert planned == {cell["id"] for cell in cells if not cell["infeasible"]}
    api.put(f"{URL}/policy", json={"longest_trial_s": 0 + 1, "engines": ["off"]}, headers=above)
    experiment = api.post("/api/v1/experiments", json=DOCUMENT | {"name": "other"}).json()["id"]
    problem_of(api.post(f"/api/v1/experiments/{experiment}/runs", json={}), 422, "policy_forbids")
    assert ("Grace", "bench-1", 200) in lines(settings, "setHostPolicy")


def test_a_closed_network_is_part_of_the_policy(
    api: TestClient, worker: Worker, above: dict[str, str]
) -> None:
    api.patch(URL, json={"host_network": False}, headers=above)
    assert api.get(URL).json()["policy"]["host_network"] is False
    factors = DOCUMENT["factors"] | {"path": ["same_container", "host_network"]}
    document = DOCUMENT | {"name": "network", "factors": factors}
    cells = api.post(PLANS, json=document).json()["plan"]["cells"]
    assert [cell["infeasible"] for cell in cells if cell["infeasible"]] and "closed to runs" in str(cells)
    api.put(f"{URL}/policy", json={"host_network": True}, headers=above)
    assert api.get(URL).json()["host_network"] is True


def test_a_preview_of_a_policy_has_the_queued_trials_that_it_forbids(
    api: TestClient, worker: Worker, above: dict[str, str], settings: Settings
) -> None:
    run = start_run(api)
    policy = {"longest_trial_s": 1}
    none = api.post(f"{URL}/policy:preview", json=policy, headers=above).json()
    assert none == {"trials": 0, "runs": [], "other_runs": 0, "reasons": [], "messages": {}}
    slow = start_run(api, DOCUMENT | {"factors": DOCUMENT["factors"] | {"duration_s": 3}, "name": "slow"})
    member = browser_headers(settings, add_account(settings, name="Linus", installation_admin=True))
    seen = api.post(f"{URL}/policy:preview", json=policy, headers=member).json()
    assert [(one["id"], one["trials"]) for one in seen["runs"]] == [(slow["id"], 6)]
    assert seen["trials"] == 6 and seen["other_runs"] == 0 and "take 3 s" in seen["reasons"][0]
    outside = api.post(f"{URL}/policy:preview", json=policy, headers=above).json()
    assert (outside["trials"], outside["runs"], outside["other_runs"]) == (6, [], 1)
    assert api.get(URL).json()["policy"]["longest_trial_s"] is None, "a preview stores nothing"
    assert run["id"] not in str(seen)
    problem_of(api.post("/api/v1/hosts/nobody/policy:preview", json={}, headers=above), 404, "not_found")


def test_noise_is_too_few_at_first_and_computed_again_when_a_run_has_ended(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    assert api.get(URL).json()["noise"]["score"] == {
        "spread": None, "interval": None, "pairs": 0, "runs": 0,
        "sentence": "Too few: no A/A pair with a proven path was measured here.",
    }  # fmt: skip
    run = start_run(api, DOCUMENT | {"rounds": 8})
    count = 0
    while worker.open():
        count += 1
        worker.record(worker.claim(), 10_000.0 * (1 + count % 7 / 100))
        if count == 5:
            assert api.get(URL).json()["noise"]["score"]["pairs"] == 0, "a run under way does not count"
    listed = api.get("/api/v1/hosts").json()["data"][0]["spread"]
    assert listed is not None, "the list is fresh before anybody reads the host"
    noise = api.get(URL).json()["noise"]
    score = noise["score"]
    assert listed == score["spread"]
    assert (score["pairs"], score["runs"]) == (8, 1)
    assert score["interval"]["low"] < score["spread"] < score["interval"]["high"]
    assert "standard deviation" in score["sentence"]
    assert api.get("/api/v1/hosts").json()["data"][0]["spread"] == score["spread"]
    assert [(load["tool"], load["service"], load["metric"]) for load in noise["loads"]] == [
        ("pgbench", "postgres", "tps")
    ]
    assert noise["until"] == api.get(f"/api/v1/runs/{run['id']}").json()["finished_at"]
    assert noise["repeated"]["n"] == 0 and noise["steal"] is None, (
        "records of before the quiet gate have none"
    )
    trial = next(
        one for one in api.get(f"/api/v1/runs/{run['id']}/trials").json()["data"] if one["cell_id"] == "c1"
    )
    excluded = api.put(f"/api/v1/trials/{trial['id']}/exclusion", json={"reason": "a backup ran"})
    assert excluded.status_code == 200
    assert api.get(URL).json()["noise"]["score"]["pairs"] == 7


@pytest.mark.parametrize(
    ("worker_release", "state"),
    [
        ("0.4.0", "same"),
        ("0.3.9", "behind"),
        ("0.10.0", "ahead"),
        ("0.4.0-rc1", "other"),
        (None, "not_reported"),
    ],
)
def test_a_release_is_compared_by_its_numbers(worker_release: str | None, state: str) -> None:
    assert compare(worker_release, "0.4.0").state == state
