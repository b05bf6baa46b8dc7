"""Bad input is refused with a problem document that points at the field and says what is allowed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.core.definition.catalog import PATH_NAMES
from tests.api.client import DOCUMENT, Worker, problem_of

URL = "/api/v1/plans"


def with_factor(**levels: Any) -> dict[str, Any]:
    return {**DOCUMENT, "factors": {**DOCUMENT["factors"], **levels}}


@pytest.mark.parametrize(
    ("document", "pointer", "allowed"),
    [
        (with_factor(colour="red"), "/factors/colour", "clients"),
        (with_factor(path=["same_container", "wormhole"]), "/factors/path/1", "sibling_container"),
        (with_factor(protocol="morse"), "/factors/protocol", "prepared"),
        (with_factor(clients=0), "/factors/clients", "200"),
        (with_factor(clients=[5, -1]), "/factors/clients/1", "200"),
        (with_factor(clients="8; id"), "/factors/clients", "200"),
        (with_factor(clients=True), "/factors/clients", "200"),
        (with_factor(clients=1e9), "/factors/clients", "200"),
        (with_factor(clients=[]), "/factors/clients", ""),
        (with_factor(duration_s=10 * 86400), "/factors/duration_s", "3600"),
        ({**DOCUMENT, "rounds": 0}, "/rounds", "1000"),
        ({**DOCUMENT, "rounds": -3}, "/rounds", "1000"),
        ({**DOCUMENT, "seed": -1}, "/seed", ""),
        ({**DOCUMENT, "owner": "me"}, "/owner", "rounds"),
        ({**DOCUMENT, "image": "evil"}, "/image", "rounds"),
        ({**DOCUMENT, "workload": {"tool": "pgbench"}}, "/workload", "factors"),
        (with_factor(image="evil"), "/factors/image", "clients"),
        (with_factor(port=70_000), "/factors/port", "clients"),
        (with_factor(proxy_program="../../bin/sh"), "/factors/proxy_program", "registered on the host"),
        (with_factor(tool="wrk", gomaxprocs=257), "/factors/gomaxprocs", "256"),
        (with_factor(tool="wrk", gomaxprocs=-1), "/factors/gomaxprocs", "256"),
        (with_factor(gomaxprocs=2), "/factors/gomaxprocs", "service pong"),
        (with_factor(tool="wrk", protocol="simple"), "/factors/protocol", "tool pgbench"),
        (with_factor(server_cpuset="0-"), "/factors/server_cpuset", "0-1"),
        ({**DOCUMENT, "metrics": ["rps"]}, "/metrics/0", "tps"),
        ({**DOCUMENT, "exclude": [{"path": "overlay"}]}, "/exclude/0/path", "published_loopback"),
        ({**DOCUMENT, "exclude": [{"path": "same_container"}]}, "/exclude/0", "baseline"),
        (with_factor(tool="wrk", service="postgres"), "/factors/service", "set service to pong or flask"),
        (with_factor(service="pong"), "/factors/service", "set service to postgres"),
        (with_factor(tool="wrk", clients=5, threads=2), "/factors/clients", "multiple of 2"),
        (with_factor(clients=1, threads=2), "/factors/threads", "at most 1"),
        (with_factor(tool="iperf3", clients=200), "/factors/clients", "128"),
        ({**DOCUMENT, "baseline": {"path": "wormhole"}}, "/baseline/path", ""),
        ({**DOCUMENT, "metrics": ["fps"]}, "/metrics/0", "tps"),
        ({**DOCUMENT, "title": "a\nb"}, "/title", ""),
        ({**DOCUMENT, "name": "../etc"}, "/name", ""),
    ],
)
def test_a_field_is_refused_at_its_pointer(
    api: TestClient, document: dict[str, Any], pointer: str, allowed: str
) -> None:
    for url in (URL, "/api/v1/experiments"):
        found = problem_of(api.post(url, json=document), 422, "invalid")
        assert pointer in [error["pointer"] for error in found["errors"]], found
        detail = next(error["detail"] for error in found["errors"] if error["pointer"] == pointer)
        assert allowed in detail
        assert all(error["detail_message"] for error in found["errors"]), found


def on_host(path: str, **levels: Any) -> dict[str, Any]:
    return {**DOCUMENT, "factors": {"path": path, **levels}, "baseline": {"path": path}}


@pytest.mark.parametrize(
    ("document", "pointer", "code", "remedy"),
    [
        (with_factor(server_cpus=3), "/factors/server_cpus", "too_many_cpus", "at most 2"),
        (with_factor(server_cpuset="2"), "/factors/server_cpuset", "unknown_cpu", "CPUs 0 to 1"),
        (with_factor(client_cpuset="0,7"), "/factors/client_cpuset", "unknown_cpu", "CPUs 0 to 1"),
        (with_factor(server_memory_mb=9000), "/factors/server_memory_mb", "too_much_memory", "at most 8000"),
        (with_factor(proxy_program="mine"), "/factors/proxy_program", "unknown_program", "proxy, relay"),
        (with_factor(scale=60), "/factors/scale", "scale_too_large", "at most 50"),
        (with_factor(engine="host"), "/factors/engine", "engine_missing", "no socket"),
        (on_host("ipvlan_l2"), "/factors/path", "path_not_possible", "CONFIG_IPVLAN"),
        (on_host("unix_socket", tool="wrk", service="flask"), "/factors/path", "tool_needs_tcp", "needs TCP"),
        (on_host("nginx_http_unix", tool="ab"), "/factors/path", "service_not_carried", "flask"),
        (on_host("published_ipv6_loopback", userland_proxy=False),
         "/factors/path", "path_unreachable", "userland-proxy on"),
        (with_factor(tool="wrk", clients=3, threads=2), "/factors/clients", "tool_refuses", "multiple of 2"),
    ],
)  # fmt: skip
def test_what_the_host_cannot_run_is_refused_before_the_start(
    api: TestClient, worker: Worker, document: dict[str, Any], pointer: str, code: str, remedy: str
) -> None:
    worker.announce(
        "bench-1",
        cores=2, memory_mb=8_000, max_scale=50, programs=["docker-proxy", "relay"],
        engines=["on", "off", "swarm"],
        paths=[name for name in PATH_NAMES if name != "ipvlan_l2"],
        reasons={"path.ipvlan_l2": "CONFIG_IPVLAN is missing", "engine.host": "no socket; start Docker"},
    )  # fmt: skip
    refusals = [api.post(f"{URL}?host=bench-1", json=document)]
    stored = api.post("/api/v1/experiments", json=document)
    if stored.status_code == 201:  # elsewhere it may run
        refusals.append(api.post(f"/api/v1/experiments/{stored.json()['id']}/runs", json={}))
    for refusal in refusals:
        found = problem_of(refusal, 422, "invalid" if len(refusal.json()["errors"]) > 1 else code)
        found_errors = [error for error in found["errors"] if error["pointer"] == pointer]
        assert found_errors and found_errors[0]["code"] == code and remedy in found_errors[0]["detail"]


def test_some_impossible_cells_are_marked_and_the_others_run(api: TestClient, worker: Worker) -> None:
    worker.announce("bench-1", cores=2)
    document = with_factor(tool=["wrk", "ab"], service="pong", server_cpus=[1, 4], clients=[3, 4], threads=2)
    found = api.post(f"{URL}?host=bench-1", json={**document, "baseline": {"path": "same_container"}})
    assert found.status_code == 200, found.text
    reasons = {c["label"]: c["infeasible"] for c in found.json()["plan"]["cells"] if not c["is_duplicate"]}
    assert len(reasons) == 2 * 2 * 2 * 2
    for label, reason in reasons.items():
        wrong, large = "wrk" in label and "3 clients" in label, "4 CPUs" in label
        assert (reason is not None) == (wrong or large), label
        assert reason is None or ("multiple of 2" if wrong else "at most 2") in reason


def test_unlike_tools(api: TestClient) -> None:
    document = {
        **with_factor(tool=["pgbench", "iperf3"], path="same_container"),
        "baseline": {"tool": "pgbench"},
    }
    found = problem_of(api.post(URL, json=document), 422, "unlike_tools")
    assert found["errors"][0]["pointer"] == "/baseline/tool"
    assert "leave tool out" in found["errors"][0]["detail"]


def test_more_than_ten_thousand_trials(api: TestClient) -> None:
    document = with_factor(clients=list(range(1, 101)), scale=list(range(1, 101)))
    found = problem_of(api.post(URL, json=document), 422, "matrix_too_large")
    assert found["errors"][0]["pointer"] == "/factors"
    assert "10,000" in found["errors"][0]["detail"]


def test_a_plan_of_days(api: TestClient) -> None:
    document = {**with_factor(duration_s=3600), "rounds": 100}
    found = problem_of(api.post(URL, json=document), 422, "plan_too_long")
    assert found["errors"][0]["pointer"] == "/rounds"


@pytest.mark.parametrize(
    ("text", "media"),
    [
        ("name: [unclosed\ntitle: x", "application/yaml"),
        ("name: a\n  title: b: c", "application/yaml"),
        ("a: &x [1]\nb: *x", "application/yaml"),
        ("- just\n- a list", "application/yaml"),
        ("", "application/yaml"),
        ('{"name": ', "application/json"),
        ("[1, 2]", "application/json"),
        ('"text"', "application/json"),
        ("[" * 10_000 + "]" * 10_000, "application/json"),
        ("{a: " * 5_000, "application/yaml"),
        ('{"name": "a", "name": "b"}', "application/json"),
    ],
)
def test_a_document_that_cannot_be_read(api: TestClient, text: str, media: str) -> None:
    answer = api.post(URL, content=text, headers={"Content-Type": media})
    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["errors"]


def test_malformed_yaml_is_reported_with_its_line(api: TestClient) -> None:
    answer = api.post(URL, content="name: a\ntitle: [b\n", headers={"Content-Type": "application/yaml"})
    assert answer.status_code == 400
    assert "line" in answer.json()["detail"] and "column" in answer.json()["detail"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_no_number_is_not_finite(api: TestClient, number: str) -> None:
    text = json.dumps({**DOCUMENT, "margin": 0.123}).replace("0.123", number)
    answer = api.post(URL, content=text, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert "margin" in answer.text or "finite" in answer.text or number in answer.text


def test_bytes_that_are_no_text(api: TestClient) -> None:
    answer = api.post(URL, content=b"\xff\xfe\x00", headers={"Content-Type": "application/json"})
    assert answer.status_code == 400


@pytest.mark.parametrize("url", [URL, "/api/v1/experiments", "/api/v1/shares:open"])
def test_a_body_of_twenty_megabytes_is_not_read(api: TestClient, url: str) -> None:
    headers = {"Content-Type": "application/json"}
    problem_of(api.post(url, content=b" " * (20 * 1024 * 1024), headers=headers), 413, "body_too_large")


def test_a_large_body_without_a_length_is_cut_off(api: TestClient) -> None:
    def chunks() -> Any:
        for _ in range(40):
            yield b" " * 65536

    answer = api.post(URL, content=chunks(), headers={"Content-Type": "application/json"})
    problem_of(answer, 413, "body_too_large")


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_another_content_type(api: TestClient, worker: Worker, media: str) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    headers = {"Content-Type": media} if media else {}
    for url in (URL, "/api/v1/experiments", f"/api/v1/experiments/{experiment}/runs", "/api/v1/shares:open"):
        problem_of(api.post(url, content=b"{}", headers=headers), 415, "unsupported_media_type")
    problem_of(
        api.post("/api/v1/shares:open", content=b"a: 1", headers={"Content-Type": "application/yaml"}),
        415, "unsupported_media_type",
    )  # fmt: skip
    compressed = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    problem_of(api.post(URL, content=b"{}", headers=compressed), 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "path",
    [
        "experiments/exp_0000000000000000", "experiments/x", "experiments/%00", "runs/run_0000000000000000",
        "runs/run_0000000000000000/result", "runs/x/trials", "runs/..%2F..%2Fetc/result", "runs/x/events",
        "trials/trl_0000000000000000", "trials/x/raw", "trials/%00/raw",
    ],
)  # fmt: skip
def test_an_unknown_object(api: TestClient, path: str) -> None:
    problem_of(api.get(f"/api/v1/{path}"), 404, "not_found")


def test_an_unknown_object_to_change(api: TestClient) -> None:
    problem_of(api.post("/api/v1/experiments/exp_0000000000000000/runs"), 404, "not_found")
    problem_of(api.post("/api/v1/runs/run_0000000000000000:cancel"), 404, "not_found")
    problem_of(api.post("/api/v1/runs/run_0000000000000000/shares"), 404, "not_found")
    problem_of(api.delete("/api/v1/shares/shr_0000000000000000"), 404, "not_found")


@pytest.mark.parametrize(
    "body", [{"hosts": "x"}, {"host": 5}, {"host": ""}, {"host": "x" * 65}, {"state": "done"}, []]
)
def test_a_start_takes_a_host_and_nothing_else(api: TestClient, worker: Worker, body: Any) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    found = problem_of(api.post(f"/api/v1/experiments/{experiment}/runs", json=body), 422, "invalid")
    assert found["errors"][0]["pointer"] == (f"/{next(iter(body))}" if body else "")


def test_broken_json_where_json_is_expected(api: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    for content in (b'{"token": ', b"[" * 5000, b'{"token": "\xff"}'):
        assert api.post("/api/v1/shares:open", content=content, headers=headers).status_code == 400
