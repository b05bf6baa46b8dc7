"""Old logs as a run: read by the tools' own parsers, all of them or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.core.chart.model.chart_model import ChartModel
from backend.settings import Settings
from backend.store import invariants
from tests.api.client import DOCUMENT, Worker, problem_of, start_run

FIXTURES = Path(__file__).parents[1] / "fixtures"
URL = "/api/v1/imports"
EXPERIMENT: dict[str, Any] = {
    "name": "old-runs",
    "title": "Two paths, measured by hand",
    "factors": {"path": ["same_container", "published_loopback"], "clients": [1, 4]},
    "baseline": {"path": "same_container"},
}


def text(name: str) -> str:
    return (FIXTURES / name).read_text()


def log(round_: int = 1, stdout: str = "", **levels: Any) -> dict[str, Any]:
    levels = levels or {"path": "same_container", "clients": 4}
    return {"levels": levels, "round": round_, "stdout": stdout or text("pgbench/15-tpcb-like.stdout")}


def body(*logs: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"host": "old-laptop", "experiment": EXPERIMENT, "logs": list(logs) or [log()], **changes}


def pgbench(tps: float) -> str:
    """A real log with another rate."""
    real = text("pgbench/15-tpcb-like.stdout")
    before, _, after = real.partition("tps = ")
    return f"{before}tps = {tps:.6f}{after[after.index(' ') :]}"


def test_a_key_brings_the_first_answer_back(api: TestClient) -> None:
    headers = {"Idempotency-Key": "i1"}
    first = api.post(URL, json=body(), headers=headers)
    again = api.post(URL, json=body(), headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json(), again.headers["location"]) == (first.json(), first.headers["location"])
    assert again.headers["idempotent-replayed"] == "true" and "idempotent-replayed" not in first.headers
    assert len(api.get("/api/v1/runs").json()["data"]) == 1
    other = api.post(URL, json=body(host="another"), headers=headers)
    problem_of(other, 422, "idempotency_key_reused")
    bad = api.post(URL, json=body(log(stdout="nothing")), headers={"Idempotency-Key": "i2"})
    assert bad.status_code == 422
    assert api.post(URL, json=body(), headers={"Idempotency-Key": "i2"}).status_code == 201


def test_a_third_import_shows_what_runs_differ_by(api: TestClient, worker: Worker) -> None:
    """The spread between imported runs comes from imported ones: measured ones ran under other conditions."""

    def imported(factor: float) -> str:
        rates = (("same_container", 1000.0), ("published_loopback", 800.0))
        logs = [
            log(round_, pgbench(rate * factor * (1 + round_ / 1000)), path=path, clients=4)
            for round_ in range(1, 9)
            for path, rate in rates
        ]
        run_id: str = api.post(URL, json=body(*logs)).raise_for_status().json()["id"]
        return run_id

    a, b = imported(1.0), imported(1.01)

    def spread() -> dict[str, Any]:
        answer = api.get("/api/v1/comparisons", params={"a": a, "b": b}).raise_for_status()
        found: dict[str, Any] = answer.json()["tables"][0]["run_spread"]
        return found

    assert spread()["percent"] is None
    imported(0.98)
    assert (spread()["runs"], spread()["percent"]) == (2, pytest.approx(1.4, abs=1.0))


def test_logs_become_a_finished_run(api: TestClient, settings: Settings) -> None:
    logs = [
        log(round_, pgbench(rate * (1 + round_ / 1000)), path=path, clients=4)
        for round_ in range(1, 8)
        for path, rate in (("same_container", 1000.0), ("published_loopback", 800.0))
    ]
    answer = api.post(URL, json=body(*logs, environment={"kernel": "4.4.0", "cpu": "old"}))
    assert answer.status_code == 201, answer.text
    run = answer.json()
    assert answer.headers["location"] == f"/api/v1/runs/{run['id']}"
    assert (run["state"], run["origin"], run["host"]) == ("done", "imported", "old-laptop")
    assert (run["progress"]["total"], run["progress"]["done"], run["progress"]["eta_s"]) == (14, 14, None)
    assert api.get(f"/api/v1/runs/{run['id']}").json() == run
    assert api.get("/api/v1/runs").json()["data"] == [run]
    model = ChartModel.model_validate(api.get(f"/api/v1/runs/{run['id']}/result").json())
    assert (model.origin, model.environment) == (
        "imported",
        {"host": "old-laptop", "kernel": "4.4.0", "cpu": "old"},
    )
    assert [axis.metric for axis in model.axes] == ["tps"], "CPU was not measured"
    assert not any(cell.is_duplicate for cell in model.cells)
    slower = next(
        c for c in model.cells if c.levels["path"] == "published_loopback" and c.levels["clients"] == 4
    )
    found = slower.comparisons["tps"]
    assert (slower.state, found.n, found.verdict) == ("measured", 7, "worse")
    assert found.ratio == pytest.approx(0.8)
    without = [c for c in model.cells if c.levels["clients"] == 1]
    assert {(c.state, c.reason) for c in without} == {("infeasible", "no log of this cell was imported")}
    assert any("no path is proven" in warning for warning in model.warnings)
    assert invariants.check(settings) == []


@pytest.mark.parametrize(
    ("factors", "baseline", "levels", "stdout", "metric", "value"),
    [
        ({}, {"path": "published_loopback"}, {}, "pgbench/9.6.stdout", "tps", None),
        (
            {"tool": ["wrk", "ab"], "service": "pong"},
            {"path": "published_loopback"},
            {"tool": "wrk"},
            "wrk/wrk-4.2.0-text.stdout",
            "rps",
            None,
        ),
        (
            {"tool": ["wrk", "ab"], "service": "pong"},
            {"path": "published_loopback"},
            {"tool": "ab"},
            "ab/ab-2.3-c4-k.stdout",
            "rps",
            None,
        ),
        (
            {"tool": "iperf3", "service": "iperf3_server"},
            {"path": "published_loopback"},
            {},
            "iperf3/iperf3-3.7-tcp.json",
            "throughput_gbit_s",
            None,
        ),
    ],
    ids=["pgbench", "wrk", "ab", "iperf3"],
)
def test_each_tool_has_its_parser(
    api: TestClient,
    factors: dict[str, Any],
    baseline: dict[str, Any],
    levels: dict[str, Any],
    stdout: str,
    metric: str,
    value: float | None,
) -> None:
    experiment = {**EXPERIMENT, "factors": factors, "baseline": baseline}
    given = {"levels": levels, "round": 3, "stdout": text(stdout)}
    answer = api.post(URL, json=body(given, experiment=experiment))
    assert answer.status_code == 201, answer.text
    (trial,) = api.get(f"/api/v1/runs/{answer.json()['id']}/trials").json()["data"]
    assert trial["metrics"][metric] > 0 and (trial["round"], trial["evidence_verdict"]) == (3, None)
    assert not any("cpu" in name for name in trial["metrics"])


def test_exports_name_the_host_of_an_import(api: TestClient) -> None:
    run = api.post(URL, json=body()).json()
    exports = f"/api/v1/runs/{run['id']}/exports"
    assert "host: old-laptop." in api.get(f"{exports}/markdown").text.splitlines()
    assert "host: old-laptop" in api.get(f"{exports}/benchstat").text.splitlines()
    assert "old-laptop" in api.get(f"{exports}/html").text
    named = api.post(URL, json=body(environment={"host": "rack 7", "cpu": "old"})).json()
    model = api.get(f"/api/v1/runs/{named['id']}/result").json()
    assert (named["host"], model["environment"]) == ("old-laptop", {"host": "rack 7", "cpu": "old"})


def test_an_import_has_no_picture_of_cpu(api: TestClient) -> None:
    run = api.post(URL, json=body()).json()
    answer = api.get(f"/api/v1/runs/{run['id']}/exports/svg", params={"kind": "roles"})
    found = problem_of(answer, 422, "no_cpu")
    assert [error["pointer"] for error in found["errors"]] == ["/kind"] and "kind=dots" in found["detail"]


def test_a_log_of_two_runs_is_refused(api: TestClient) -> None:
    twice = text("pgbench/15-tpcb-like.stdout") * 2
    found = problem_of(api.post(URL, json=body(log(stdout=twice))), 422, "unparseable")
    assert [error["pointer"] for error in found["errors"]] == ["/logs/0/stdout"]
    assert "the output of pgbench contains 2 reports; give one log for each run" in found["detail"]


def test_a_trial_shows_its_log(api: TestClient) -> None:
    real, stderr = text("pgbench/15-live.stdout"), text("pgbench/15-live.stderr")
    given = {**log(stdout=real), "stderr": stderr + "\x00"}
    run = api.post(URL, json=body(given)).json()
    (trial,) = api.get(f"/api/v1/runs/{run['id']}/trials").json()["data"]
    found = api.get(f"/api/v1/trials/{trial['id']}").json()
    assert (found["state"], found["record"], found["history"], found["attempts"]) == ("done", None, [], 0)
    imported = found["imported"]
    assert imported["stdout"] == real and imported["stderr"] == stderr + "\N{REPLACEMENT CHARACTER}"
    assert imported["metrics"]["tps"] == 19773.309448 and imported["versions"] == {"pgbench": "15.20"}
    assert len(imported["per_second"]) == 3
    raw = api.get(f"/api/v1/trials/{trial['id']}/raw").text
    assert raw.startswith(f"# trial {trial['id']}, cell ") and real in raw


def test_a_log_of_another_load_than_its_cell_is_reported(api: TestClient) -> None:
    run = api.post(URL, json=body(log(path="same_container", clients=1))).json()
    (trial,) = api.get(f"/api/v1/runs/{run['id']}/trials").json()["data"]
    warnings = api.get(f"/api/v1/trials/{trial['id']}").json()["imported"]["warnings"]
    clients = text("pgbench/15-tpcb-like.stdout").partition("number of clients: ")[2].split()[0]
    assert f"other load than the cell's: the log is of {clients} connections, not of 1" in warnings


def test_a_host_of_imports_cannot_be_measured(api: TestClient, settings: Settings) -> None:
    assert api.post(URL, json=body()).status_code == 201
    assert api.get("/api/v1/hosts").json() == {"data": []}
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    url = f"/api/v1/experiments/{experiment}/runs"
    problem_of(api.post(url, json={"host": "old-laptop"}), 409, "conflict")
    problem_of(api.get("/api/v1/hosts/old-laptop/equivalence"), 404, "not_found")
    worker = Worker(settings)
    worker.announce("old-laptop")
    assert [host["name"] for host in api.get("/api/v1/hosts").json()["data"]] == ["old-laptop"]
    assert api.post(url, json={"host": "old-laptop"}).status_code == 202
    assert api.post(URL, json=body()).status_code == 201, "and its logs can still be imported"
    assert len(api.get("/api/v1/hosts").json()["data"]) == 1


def test_an_imported_run_is_no_measurement_of_its_host(api: TestClient, worker: Worker) -> None:
    experiment = {
        **EXPERIMENT,
        "factors": {"path": "same_container", "engine": ["lab", "host"]},
        "baseline": {"engine": "lab"},
    }
    rates = (("lab", 1000), ("host", 1100))
    logs = [log(r, pgbench(rate + r), engine=e) for r in range(1, 8) for e, rate in rates]
    answer = api.post(URL, json=body(*logs, experiment=experiment, host="bench-1"))
    assert answer.status_code == 201
    problem_of(api.get("/api/v1/hosts/bench-1/equivalence"), 404, "not_found")
    assert worker.open() == 0, "nothing of it is queued"


def test_it_can_be_shared_and_followed_but_not_cancelled(api: TestClient) -> None:
    run = api.post(URL, json=body()).json()
    problem_of(api.post(f"/api/v1/runs/{run['id']}:cancel"), 409, "conflict")
    assert api.post(f"/api/v1/runs/{run['id']}/shares").status_code == 201
    events = api.get(f"/api/v1/runs/{run['id']}/events").text
    assert events.count("event: run") == 1 and '"state":"done"' in events.replace(" ", "")


def test_runs_whose_logs_differ_in_a_setting_are_not_judged(api: TestClient) -> None:
    def imported(scale: str, rate: float) -> str:
        logs = [
            log(round_, pgbench(rate + round_).replace("scaling factor: 1", f"scaling factor: {scale}"))
            for round_ in range(1, 9)
        ]
        run_id: str = api.post(URL, json=body(*logs)).raise_for_status().json()["id"]
        return run_id

    a, b, c = imported("10", 1000.0), imported("10", 1003.0), imported("1000", 500.0)
    for other, verdict in ((b, "equivalent"), (c, "undefined")):
        answer = api.get("/api/v1/comparisons", params={"a": a, "b": other}).raise_for_status()
        rows = answer.json()["tables"][0]["rows"]
        found = next(row for row in rows if row["levels"]["clients"] == 4 and row["a"] and row["a"]["n"])
        assert (found["verdict"] == "undefined") == (verdict == "undefined"), found
        assert ("other scale than the cell's" in found["sentence"]) == (verdict == "undefined")


def test_the_same_logs_imported_again_are_no_evidence_of_spread(api: TestClient) -> None:
    def imported(factor: float) -> str:
        rates = (("same_container", 1000.0), ("published_loopback", 800.0))
        logs = [
            log(round_, pgbench(rate * factor * (1 + round_ / 1000)), path=path, clients=4)
            for round_ in range(1, 9)
            for path, rate in rates
        ]
        run_id: str = api.post(URL, json=body(*logs)).raise_for_status().json()["id"]
        return run_id

    a, b = imported(1.0), imported(1.01)
    for _ in range(3):
        imported(0.98)
    answer = api.get("/api/v1/comparisons", params={"a": a, "b": b}).raise_for_status()
    assert answer.json()["tables"][0]["run_spread"]["percent"] is None


def test_a_measured_run_is_listed_with_it(api: TestClient, worker: Worker) -> None:
    imported = api.post(URL, json=body()).json()
    measured = start_run(api)
    worker.finish()
    runs = api.get("/api/v1/runs").json()["data"]
    assert [(run["id"], run["origin"]) for run in runs] == [
        (measured["id"], "measured"),
        (imported["id"], "imported"),
    ]


def test_an_experiment_of_imported_logs_alone_says_so(api: TestClient, worker: Worker) -> None:
    imported = api.post(URL, json=body()).raise_for_status().json()["experiment_id"]
    measured = start_run(api)["experiment_id"]
    listed = {each["id"]: each["imported"] for each in api.get("/api/v1/experiments").json()["data"]}
    assert listed == {imported: True, measured: False}
    api.post(f"/api/v1/experiments/{imported}/runs", json={"host": "bench-1"}).raise_for_status()
    assert api.get(f"/api/v1/experiments/{imported}").json()["imported"] is False
