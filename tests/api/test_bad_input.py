"""Bad input is refused with a problem document that points at the field and says what is allowed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

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
        ({**DOCUMENT, "workload": {"tool": "pgbench", "image": "evil"}}, "/workload/image", ""),
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


def test_malformed_yaml_says_where(api: TestClient) -> None:
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
