"""Presets, factors, hosts, plans and experiments."""

from __future__ import annotations

import yaml
from fastapi.testclient import TestClient

from tests.api.client import DOCUMENT, Worker, problem_of


def test_presets_are_ready_to_submit(api: TestClient) -> None:
    found = api.get("/api/v1/presets").json()["data"]
    assert {preset["name"] for preset in found} == {"pachot-2019", "pachot-2019-quick"}
    for preset in found:
        assert api.post("/api/v1/plans", json=preset["definition"]).status_code == 200


def test_factors_and_metrics(api: TestClient) -> None:
    found = api.get("/api/v1/factors").json()
    by_name = {factor["name"]: factor for factor in found["factors"]}
    assert by_name["clients"]["minimum"] == 1 and by_name["clients"]["choices"] == []
    assert by_name["userland_proxy"]["minimum"] is None and by_name["userland_proxy"]["choices"] == [
        True,
        False,
    ]
    assert found["metrics"][0] == {
        "name": "tps", "label": "transactions per second", "unit": "1/s", "better": "higher",
    }  # fmt: skip


def test_hosts(api: TestClient, worker: Worker) -> None:
    found = api.get("/api/v1/hosts").json()["data"]
    assert [(host["name"], host["online"]) for host in found] == [("bench-1", True)]


def test_a_plan_is_previewed_without_a_host(api: TestClient) -> None:
    found = api.post("/api/v1/plans", json=DOCUMENT).json()
    assert found["experiment"]["factors"]["clients"] == [5]
    assert found["plan"]["estimate"]["trials"] == len(found["plan"]["trials"]) == 6
    assert found["plan"]["varied"] == ["path"]
    assert [cell["id"] for cell in found["plan"]["cells"]] == ["c1", "c1-aa", "c2"]


def test_yaml_and_json_give_the_same_plan(api: TestClient) -> None:
    text = yaml.safe_dump(DOCUMENT)
    as_yaml = api.post("/api/v1/plans", content=text, headers={"Content-Type": "application/yaml"})
    assert as_yaml.json() == api.post("/api/v1/plans", json=DOCUMENT).json()


def test_a_plan_on_a_host_knows_what_it_cannot_run(api: TestClient, worker: Worker) -> None:
    worker.announce("bench-1", paths=["same_container"])
    found = api.post("/api/v1/plans?host=bench-1", json=DOCUMENT).json()["plan"]
    assert [cell["infeasible"] for cell in found["cells"]][:2] == [None, None]
    assert "published_loopback" in found["cells"][2]["infeasible"]
    assert found["estimate"]["trials"] == 4


def test_a_plan_on_an_unknown_host_names_the_known_ones(api: TestClient, worker: Worker) -> None:
    found = problem_of(api.post("/api/v1/plans?host=nope", json=DOCUMENT), 422, "invalid")
    assert found["errors"][0]["pointer"] == "/host" and "bench-1" in found["errors"][0]["detail"]


def test_an_experiment_is_stored_once(api: TestClient) -> None:
    first = api.post("/api/v1/experiments", json=DOCUMENT)
    again = api.post("/api/v1/experiments", json=first.json()["definition"])
    assert (first.status_code, again.status_code) == (201, 200)
    assert (
        first.headers["location"] == again.headers["location"] == f"/api/v1/experiments/{first.json()['id']}"
    )
    assert api.get(first.headers["location"]).json() == first.json()
    other = api.post("/api/v1/experiments", json={**DOCUMENT, "seed": 8})
    assert other.status_code == 201 and other.json()["id"] != first.json()["id"]


def test_experiments_are_listed_by_cursor(api: TestClient) -> None:
    made = [api.post("/api/v1/experiments", json={**DOCUMENT, "seed": n}).json()["id"] for n in range(5)]
    seen, url = [], "/api/v1/experiments?limit=2"
    while url:
        answer = api.get(url)
        seen += [experiment["id"] for experiment in answer.json()["data"]]
        assert ("next" in answer.links) == (answer.json()["next_cursor"] is not None)
        url = answer.links["next"]["url"] if "next" in answer.links else ""
    assert seen == made[::-1]


def test_a_list_refuses_a_bad_cursor_and_a_bad_limit(api: TestClient) -> None:
    for path in ("experiments", "runs"):
        for cursor in ("%00", "!!", "cnVuX3h4", "é", "a" * 201):
            assert api.get(f"/api/v1/{path}?cursor={cursor}").status_code == 422
        for limit in ("0", "201", "x", "-1"):
            problem_of(api.get(f"/api/v1/{path}?limit={limit}"), 422, "invalid")
        problem_of(api.get(f"/api/v1/{path}?order=asc"), 422, "invalid")


def test_the_schema_for_editors(api: TestClient) -> None:
    found = api.get("/schema/experiment.v1.json")
    assert found.json()["$schema"].startswith("http://json-schema.org/draft-07")
