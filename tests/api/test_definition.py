"""Presets, factors, hosts, plans and experiments."""

from __future__ import annotations

import yaml
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.core.definition.catalog import PATH_NAMES
from backend.core.definition.studies import STUDIES
from backend.settings import Settings
from backend.store.session import session_scope
from tests.api.client import DOCUMENT, Worker, problem_of, start_run


def test_presets_are_ready_to_submit(api: TestClient) -> None:
    found = api.get("/api/v1/presets").json()["data"]
    assert {preset["study"] for preset in found} == {*STUDIES, None}
    assert {preset["name"] for preset in found} >= {"pachot-2019", "whoisnian-2024-paths-quick", "host-paths"}
    assert {preset["full_form"] for preset in found} == {p["name"] for p in found if p["form"] == "full"}
    for preset in found:
        planned = api.post("/api/v1/plans", json=preset["definition"])
        assert planned.status_code == 200
        estimate = planned.json()["plan"]["estimate"]
        size = preset["size"]
        assert (size["trials"], size["seconds"]) == (estimate["trials"], estimate["seconds"])
        assert 0 < size["cells"] < size["trials"]


def test_factors_and_metrics(api: TestClient) -> None:
    found = api.get("/api/v1/factors").json()
    by_name = {factor["name"]: factor for factor in found["factors"]}
    assert by_name["clients"]["minimum"] == 1 and by_name["clients"]["choices"] == []
    assert by_name["proxy_program"]["pattern"] and by_name["proxy_program"]["minimum"] is None
    assert by_name["gomaxprocs"]["needs"] == [{"factor": "service", "levels": ["pong"]}]
    assert (by_name["gomaxprocs"]["scope"], by_name["path"]["scope"]) == ("service", "path")
    assert by_name["threads"]["about"] == "threads of the client; 0: as many as clients"
    assert by_name["userland_proxy"]["minimum"] is None and by_name["userland_proxy"]["choices"] == [
        True,
        False,
    ]
    assert found["metrics"][0] == {
        "name": "tps", "label": "transactions per second", "unit": "1/s", "better": "higher",
        "tools": ["pgbench"],
    }  # fmt: skip


def test_what_fits_together(api: TestClient) -> None:
    found = api.get("/api/v1/factors").json()
    paths = {path["name"]: path for path in found["paths"]}
    assert list(paths) == list(PATH_NAMES)
    assert paths["nginx_http_unix"]["services"] == ["flask"] and paths["same_container"]["services"] == []
    assert paths["published_loopback"]["hops"]["on"] == ["loopback", "docker-proxy", "bridge", "veth"]
    assert paths["published_ipv6_loopback"]["hops"]["off"] is None
    assert "userland-proxy on" in paths["published_ipv6_loopback"]["unreachable"]
    tools = {tool["name"]: tool for tool in found["tools"]}
    assert tools["wrk"] == {"name": "wrk", "services": ["pong", "flask"], "rate": "rps", "needs_tcp": True}


def test_hosts(api: TestClient, worker: Worker) -> None:
    found = api.get("/api/v1/hosts").json()["data"]
    assert [(host["name"], host["online"]) for host in found] == [("bench-1", True)]
    assert found[0]["capabilities"]["paths"] is None and found[0]["cannot"] == []


def test_a_host_lists_what_it_cannot_do(api: TestClient, worker: Worker) -> None:
    reasons = {
        "path.ipvlan_l2": "no ipvlan",
        "path.published_hairpin.off": "no filter",
        "engine.host": "no socket",
    }
    worker.announce("bench-1", paths=["same_container"], reasons=reasons, cores=2, something_new=[1])
    (host,) = api.get("/api/v1/hosts").json()["data"]
    assert host["capabilities"]["cores"] == 2 and host["capabilities"]["something_new"] == [1]
    assert host["cannot"] == [
        {"kind": "engine", "name": "host", "setting": None, "reason": "no socket"},
        {"kind": "path", "name": "ipvlan_l2", "setting": None, "reason": "no ipvlan"},
        {"kind": "path", "name": "published_hairpin", "setting": "off", "reason": "no filter"},
    ]


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
        assert api.get(f"/api/v1/{path}?cursor=%00").status_code == 400, "a NUL is in no text"
        for cursor in ("!!", "cnVuX3h4", "é", "a" * 201):
            assert api.get(f"/api/v1/{path}?cursor={cursor}").status_code == 422
        for limit in ("0", "201", "x", "-1"):
            problem_of(api.get(f"/api/v1/{path}?limit={limit}"), 422, "invalid")
        problem_of(api.get(f"/api/v1/{path}?order=asc"), 422, "invalid")


def test_the_schema_for_editors(api: TestClient) -> None:
    found = api.get("/schema/experiment.v1.json")
    assert found.json()["$schema"].startswith("http://json-schema.org/draft-07")


def test_experiments_of_an_older_version_are_listed_with_what_is_wrong(
    api: TestClient, settings: Settings, worker: Worker
) -> None:
    run = start_run(api)
    with session_scope(settings) as session:
        session.execute(
            text("UPDATE experiment SET definition = definition || CAST(:old AS jsonb)"),
            {"old": '{"of_old": 1, "factors": {"path": ["carrier_pigeon"]}}'},
        )
    (listed,) = api.get("/api/v1/experiments").json()["data"]
    assert listed["name"] == DOCUMENT["name"] and "/of_old" in listed["refused_now"]
    one = api.get(f"/api/v1/experiments/{listed['id']}").json()
    assert one["definition"]["factors"]["path"] == ["carrier_pigeon"]
    assert api.get(f"/api/v1/runs/{run['id']}/result").status_code == 200
    assert api.get(f"/api/v1/runs/{run['id']}/exports/json").status_code == 200
    problem_of(api.post(f"/api/v1/experiments/{listed['id']}/runs"), 422, "invalid")
