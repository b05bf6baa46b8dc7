"""A run that names a client host: what the API accepts, and what it stores."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.core.topology.host_policy import HostPolicy
from backend.settings import Settings
from backend.store.repositories import host_settings, hosts
from backend.store.session import session_scope
from tests.api.client import Worker, problem_of

DOCUMENT: dict[str, Any] = {
    "name": "two-hosts",
    "title": "Two hosts",
    "factors": {
        "path": ["container_address", "published_remote"],
        "engine": ["host"],
        "tool": ["wrk"],
        "service": ["pong"],
    },
    "baseline": {"path": "container_address"},
    "rounds": 2,
}
ABLE = {"engines": ["on", "off", "host"], "host_userland_proxy": True}


@pytest.fixture
def experiment(api: TestClient, settings: Settings, worker: Worker) -> str:
    """The experiment's id; bench-1 is the run's host, bench-2 may run clients."""
    with session_scope(settings) as session:
        for name in ("bench-1", "bench-2"):
            hosts.announce(session, name, ABLE, {})
    created = api.post("/api/v1/experiments", json=DOCUMENT)
    assert created.status_code == 201, created.text
    found: str = created.json()["id"]
    return found


def start(api: TestClient, experiment: str, **body: Any) -> Any:
    return api.post(f"/api/v1/experiments/{experiment}/runs", json={"host": "bench-1"} | body)


def test_a_run_with_a_client_host(api: TestClient, settings: Settings, experiment: str) -> None:
    answer = start(api, experiment, client_host="bench-2")
    assert answer.status_code == 202, answer.text
    assert answer.json()["client_host"] == "bench-2"
    assert api.get(f"/api/v1/runs/{answer.json()['id']}").json()["client_host"] == "bench-2"
    with session_scope(settings) as session:
        paths = session.execute(text("SELECT DISTINCT levels ->> 'path' FROM trial ORDER BY 1")).scalars()
        assert list(paths) == ["container_address", "published_remote"]


def test_without_a_client_host_the_remote_cell_is_infeasible(
    api: TestClient, settings: Settings, experiment: str
) -> None:
    answer = start(api, experiment)
    assert answer.json()["client_host"] is None
    with session_scope(settings) as session:
        paths = session.execute(text("SELECT DISTINCT levels ->> 'path' FROM trial")).scalars()
        assert list(paths) == ["container_address"]


@pytest.mark.parametrize(
    ("client", "code"), [("bench-1", "same_host"), ("nobody", "unknown_host")]
)  # fmt: skip
def test_the_client_host_is_another_known_one(
    api: TestClient, experiment: str, client: str, code: str
) -> None:
    errors = problem_of(start(api, experiment, client_host=client), 422, "invalid")["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [("/client_host", code)]


def test_a_closed_or_unable_client_host_is_refused(
    api: TestClient, settings: Settings, experiment: str
) -> None:
    with session_scope(settings) as session:
        session.execute(text("UPDATE host SET host_network = false WHERE name = 'bench-2'"))
    errors = problem_of(start(api, experiment, client_host="bench-2"), 422, "invalid")["errors"]
    assert errors[0]["code"] == "mode_not_enabled"
    with session_scope(settings) as session:
        hosts.announce(session, "bench-2", {"engines": ["on", "off"]}, {})
    errors = problem_of(start(api, experiment, client_host="bench-2"), 422, "invalid")["errors"]
    assert errors[0]["code"] == "client_host_unused"
    assert "bench-2 cannot run it" in errors[0]["detail"]


def preview(api: TestClient, document: dict[str, Any] = DOCUMENT, **query: str) -> Any:
    return api.post("/api/v1/plans", json=document, params=query)


def reasons(answer: Any) -> dict[str, str]:
    """Why cells cannot run, by path."""
    assert answer.status_code == 200, answer.text
    cells = answer.json()["plan"]["cells"]
    return {cell["levels"]["path"]: cell["infeasible"] for cell in cells if cell["infeasible"]}


def test_a_preview_says_what_cannot_run_with_and_without_a_client_host(
    api: TestClient, settings: Settings, experiment: str
) -> None:
    alone = reasons(preview(api, host="bench-1"))["published_remote"]
    assert "set engine to lab, or start the run with a client host" in alone
    assert reasons(preview(api, host="bench-1", client_host="bench-2")) == {}
    with session_scope(settings) as session:
        session.execute(text("UPDATE host SET host_network = false WHERE name = 'bench-2'"))
    closed = reasons(preview(api, host="bench-1", client_host="bench-2"))["published_remote"]
    assert closed.startswith("bench-2: the policy of this host: its network and its own Docker daemon")
    with session_scope(settings) as session:
        hosts.announce(session, "bench-2", {"engines": ["on", "off"]}, {})
    unable = reasons(preview(api, host="bench-1", client_host="bench-2"))["published_remote"]
    assert unable.startswith("the client host bench-2 cannot run it")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"host": "bench-1", "client_host": "bench-1"}, "same_host"),
        ({"host": "bench-1", "client_host": "nobody"}, "unknown_host"),
        ({"client_host": "bench-2"}, "missing"),
    ],
)
def test_a_preview_refuses_a_client_host_that_is_none(
    api: TestClient, experiment: str, query: dict[str, str], code: str
) -> None:
    errors = problem_of(preview(api, **query), 422, "invalid")["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [("/client_host", code)]


def test_an_experiment_that_only_two_hosts_can_run(api: TestClient, experiment: str) -> None:
    factors = DOCUMENT["factors"] | {"path": ["published_remote", "host_network_remote"]}
    document = DOCUMENT | {"factors": factors, "baseline": {"path": "published_remote"}}
    assert reasons(preview(api, document)) == {}
    created = api.post("/api/v1/experiments", json=document)
    assert created.status_code == 201, created.text
    (error,) = problem_of(start(api, created.json()["id"]), 422, "invalid")["errors"][:1]
    assert error["pointer"] == "/factors/engine"
    assert error["detail"].endswith("or start the run with a client host")
    assert start(api, created.json()["id"], client_host="bench-2").status_code == 202


def test_a_plan_that_is_too_long_on_one_host_stays_refused(api: TestClient) -> None:
    """A client host would leave out the cells of lab daemons, and so make the plan shorter."""
    factors = {"path": ["same_container", "published_remote"], "duration_s": [60]}
    document = DOCUMENT | {"factors": factors, "baseline": {"path": "same_container"}, "rounds": 600}
    (error,) = problem_of(preview(api, document), 422, "invalid")["errors"]
    assert error["code"] == "plan_too_long"


def start_group(api: TestClient, experiment: str, **body: Any) -> Any:
    return api.post(f"/api/v1/experiments/{experiment}/run-groups", json=body)


def test_each_run_of_a_group_has_the_client_host(
    api: TestClient, settings: Settings, experiment: str
) -> None:
    with session_scope(settings) as session:
        hosts.announce(session, "bench-3", ABLE, {})
    answer = start_group(api, experiment, hosts=["bench-1", "bench-3"], client_host="bench-2")
    assert answer.status_code == 202, answer.text
    assert answer.json()["client_host"] == "bench-2"
    for member in answer.json()["members"]:
        assert member["infeasible_cells"] == 0
        assert api.get(f"/api/v1/runs/{member['run_id']}").json()["client_host"] == "bench-2"
    assert start_group(api, experiment, hosts=["bench-1", "bench-3"]).json()["client_host"] is None


@pytest.mark.parametrize(
    ("named", "code", "detail"),
    [
        ("bench-1", "same_host", "leave it out there, or choose another client host"),
        ("nobody", "unknown_host", "the known hosts are: bench-1, bench-2"),
        ("bench-2", "client_host_unused", "bench-1: no cell of the plan runs its client on bench-2"),
    ],
)
def test_a_group_refuses_a_client_host_by_field_and_remedy(
    api: TestClient, settings: Settings, experiment: str, named: str, code: str, detail: str
) -> None:
    with session_scope(settings) as session:
        hosts.announce(session, "bench-2", {"engines": ["on", "off"]}, {})
    answer = start_group(api, experiment, hosts=["bench-1"], client_host=named)
    (error,) = problem_of(answer, 422, "invalid")["errors"]
    assert (error["pointer"], error["code"]) == ("/client_host", code)
    assert detail in error["detail"]


OVERLAY = DOCUMENT | {"factors": DOCUMENT["factors"] | {"path": ["container_address", "overlay"]}}


def name_partners(settings: Settings, host: str, *partners: str) -> None:
    with session_scope(settings) as session:
        host_settings.set_policy(session, host, HostPolicy(partners=partners))


def test_an_overlay_needs_two_hosts_that_name_each_other(
    api: TestClient, installation: dict[str, str], settings: Settings, experiment: str
) -> None:
    with session_scope(settings) as session:
        for name in ("bench-1", "bench-2"):
            hosts.announce(session, name, ABLE | {"two_host_paths": ["overlay"]}, {})

    def why() -> str:
        return reasons(preview(api, OVERLAY, host="bench-1", client_host="bench-2")).get("overlay", "")

    assert why().startswith("bench-2: the policy of this host: it does not name bench-1 as a partner")
    name_partners(settings, "bench-2", "bench-1")
    assert why().startswith("the policy of this host: it does not name bench-2 as a partner")
    created = api.post("/api/v1/experiments", json=OVERLAY).json()["id"]
    errors = problem_of(start(api, created, client_host="bench-2"), 422, "invalid")["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [("/client_host", "policy_forbids")]
    name_partners(settings, "bench-1", "bench-2")
    assert why() == ""
    assert start(api, created, client_host="bench-2").status_code == 202
    effect = api.post(
        "/api/v1/hosts/bench-1/policy:preview", json={"partners": ["bench-3"]}, headers=installation
    ).json()
    assert effect["trials"] == 2 and "does not name bench-2" in effect["reasons"][0]
