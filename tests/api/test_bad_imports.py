"""Imports that are refused, each with its field and its remedy, and nothing stored."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.security import MAX_BODY_BYTES, MAX_IMPORT_BYTES
from tests.api.client import problem_of
from tests.api.test_imports import EXPERIMENT, URL, body, log, pgbench, text


def first(answer: Any) -> dict[str, str]:
    """The only problem of a refusal."""
    found = problem_of(answer, 422, "invalid")["errors"]
    assert len(found) == 1, found
    problem: dict[str, str] = found[0]
    return problem


@pytest.mark.parametrize(
    ("levels", "pointer", "code", "message"),
    [
        ({"path": "same_container"}, "/logs/1/levels", "several_cells", "add clients (1, 4)"),
        (
            {},
            "/logs/1/levels",
            "several_cells",
            "add path (same_container, published_loopback) and clients (1, 4)",
        ),
        ({"pth": "x"}, "/logs/1/levels/pth", "unknown_factor", "did you mean path?"),
        ({"path": "moon"}, "/logs/1/levels/path", "unknown_level", "the levels of path are"),
        ({"clients": "4"}, "/logs/1/levels/clients", "unknown_level", "whole number from 1 to 200"),
        ({"clients": True}, "/logs/1/levels/clients", "unknown_level", "whole number"),
        ({"clients": [4]}, "/logs/1/levels/clients", "unknown_level", "whole number"),
        ({"clients": 8}, "/logs/1/levels/clients", "level_not_in_experiment", "it has 1, 4"),
        ({"keep_alive": True}, "/logs/1/levels/keep_alive", "level_not_in_experiment", "applies to none"),
    ],
)
def test_levels_that_do_not_name_one_cell(
    api: TestClient, levels: dict[str, Any], pointer: str, code: str, message: str
) -> None:
    wrong = {**log(2), "levels": levels}
    found = first(api.post(URL, json=body(log(), wrong)))
    assert (found["pointer"], found["code"]) == (pointer, code)
    assert message in found["detail"]
    assert api.get("/api/v1/runs").json()["data"] == []
    assert api.get("/api/v1/experiments").json()["data"] == [], "nothing is stored unless all is good"


def test_levels_of_no_cell_together(api: TestClient) -> None:
    experiment = {**EXPERIMENT, "exclude": [{"path": "published_loopback", "clients": 1}]}
    wrong = log(path="published_loopback", clients=1)
    found = first(api.post(URL, json=body(wrong, experiment=experiment)))
    assert (found["pointer"], found["code"]) == ("/logs/0/levels", "no_cell")


def test_the_same_round_twice(api: TestClient) -> None:
    found = first(api.post(URL, json=body(log(1), log(2, pgbench(900)), log(1, pgbench(800)))))
    assert (found["pointer"], found["code"]) == ("/logs/2/round", "duplicate_log")
    assert "at /logs/0" in found["detail"]


def test_a_copy_of_a_log_is_refused_unless_it_is_allowed(api: TestClient) -> None:
    logs = [log(1), log(2, pgbench(900)), log(3), log(4, pgbench(900))]
    answer = problem_of(api.post(URL, json=body(*logs)), 422, "invalid")["errors"]
    found = [(problem["pointer"], problem["code"]) for problem in answer]
    assert found == [("/logs/2/stdout", "identical_log"), ("/logs/3/stdout", "identical_log")]
    assert ["/logs/0" in answer[0]["detail"], "/logs/1" in answer[1]["detail"]] == [True, True]
    assert api.get("/api/v1/runs").json()["data"] == []
    stored = api.post(URL, json=body(*logs, allow_identical=True))
    assert stored.status_code == 201
    trials = api.get(f"/api/v1/runs/{stored.json()['id']}/trials").json()["data"]
    details = [api.get(f"/api/v1/trials/{trial['id']}").json()["imported"] for trial in trials]
    assert sum(any("no evidence of spread" in text for text in one["warnings"]) for one in details) == 2


def test_one_wrong_log_of_a_thousand_is_named_and_nothing_is_stored(api: TestClient) -> None:
    logs = [log(n, pgbench(1000 + n)) for n in range(1, 1001)]
    logs[613]["stdout"] = logs[613]["stdout"].replace("latency average = ", "latency average = about ")
    found = first(api.post(URL, json=body(*logs)))
    assert (found["pointer"], found["code"]) == ("/logs/613/stdout", "unparseable")
    assert "a line that cannot be read, line " in found["detail"] and "about" in found["detail"]
    assert api.get("/api/v1/runs").json()["data"] == []
    assert api.get("/api/v1/experiments").json()["data"] == []


@pytest.mark.parametrize(
    ("stdout", "message"),
    [
        ("", "pgbench printed no line"),
        ("tps = 12\n", "pgbench printed no line"),
        (text("ab/ab-2.3-c4.stdout"), "the levels of its cell"),
    ],
    ids=["empty", "cut", "ab"],
)
def test_output_that_the_tool_did_not_print(api: TestClient, stdout: str, message: str) -> None:
    wrong = {**log(2), "stdout": stdout}
    found = first(api.post(URL, json=body(log(), wrong)))
    assert (found["pointer"], found["code"]) == ("/logs/1/stdout", "unparseable")
    assert message in found["detail"] and "complete output of one run of pgbench" in found["detail"]
    assert api.get("/api/v1/runs").json()["data"] == []


def test_every_problem_is_reported_at_once(api: TestClient) -> None:
    wrong = [{**log(2), "stdout": "x"}, {**log(3), "levels": {"clients": 9}}, log(4, path="same_container")]
    found = problem_of(api.post(URL, json=body(*wrong)), 422, "invalid")["errors"]
    assert [problem["pointer"] for problem in found] == [
        "/logs/0/stdout",
        "/logs/1/levels/clients",
        "/logs/2/levels",
    ]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"host": ""}, "/host"),
        ({"host": "a b"}, "/host"),
        ({"host": None}, "/host"),
        ({"logs": []}, "/logs"),
        ({"logs": [{**log(), "round": 0}]}, "/logs/0/round"),
        ({"logs": [{**log(), "round": 1001}]}, "/logs/0/round"),
        ({"logs": [{**log(), "round": "1"}]}, "/logs/0/round"),
        ({"logs": [{**log(), "cell": "c1"}]}, "/logs/0/cell"),
        ({"environment": {"cores": 4}}, "/environment/cores"),
        ({"experiment": "old-runs"}, "/experiment"),
        ({"experiment": {**EXPERIMENT, "colour": 1}}, "/experiment/colour"),
        (
            {"experiment": {**EXPERIMENT, "factors": {**EXPERIMENT["factors"], "clients": 0}}},
            "/experiment/factors/clients",
        ),
        ({"experiment": {**EXPERIMENT, "exclude": [{"clients": [1, 4]}]}}, "/experiment/exclude"),
        ({"experiment": {**EXPERIMENT, "metrics": ["cpu_cores"]}}, "/experiment/metrics"),
        ({"colour": 1}, "/colour"),
    ],
)
def test_a_body_with_something_wrong(api: TestClient, changes: dict[str, Any], pointer: str) -> None:
    found = problem_of(api.post(URL, json=body(**changes)), 422, "invalid")["errors"]
    assert [problem["pointer"] for problem in found] == [pointer]
    assert all(problem["detail"] for problem in found)


def test_strange_text_is_stored_or_refused_but_never_an_error(api: TestClient) -> None:
    given = body(environment={"kernel\x00": "4\x00", "ünïcode": "\N{SNOWMAN}"})
    answer = api.post(URL, json=given)
    assert answer.status_code == 201
    model = api.get(f"/api/v1/runs/{answer.json()['id']}/result").json()
    assert model["environment"]["ünïcode"] == "\N{SNOWMAN}"
    headers = {"Content-Type": "application/json"}
    half = json.dumps(given).replace("4.4", "x").replace('"old-laptop"', '"\\ud800"')
    assert api.post(URL, content=half, headers=headers).status_code == 422
    lone = json.dumps(body({**log(), "stderr": "@"})).replace('"@"', '"\\udfff"')
    assert api.post(URL, content=lone, headers=headers).status_code == 201
    deep = b'{"experiment": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert api.post(URL, content=deep, headers=headers).status_code in (400, 422)


def test_many_logs_fit_and_too_many_do_not(api: TestClient) -> None:
    long = log()
    long["stderr"] = "progress: nothing\n" * 20_000
    large = [{**long, "round": n, "stdout": pgbench(1000 + n)} for n in range(1, 8)]
    assert MAX_BODY_BYTES < len(json.dumps(body(*large))) < MAX_IMPORT_BYTES
    assert api.post(URL, json=body(*large)).status_code == 201
    larger = [{**long, "round": n, "stdout": pgbench(1000 + n)} for n in range(1, 30)]
    found = problem_of(api.post(URL, json=body(*larger)), 413, "body_too_large")
    assert f"{MAX_IMPORT_BYTES:,}" in found["detail"]
    problem_of(
        api.post("/api/v1/experiments", json={"name": "x" * (MAX_BODY_BYTES + 1)}), 413, "body_too_large"
    )


def test_a_large_import_without_a_length_is_cut_off(api: TestClient) -> None:
    def chunks() -> Any:
        for _ in range(150):
            yield b" " * 65536

    answer = api.post(URL, content=chunks(), headers={"Content-Type": "application/json"})
    problem_of(answer, 413, "body_too_large")


def test_a_form_of_another_site_is_refused(api: TestClient) -> None:
    answer = api.post(URL, content=json.dumps(body()), headers={"Content-Type": "text/plain"})
    problem_of(answer, 415, "unsupported_media_type")
