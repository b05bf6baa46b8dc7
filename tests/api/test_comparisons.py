"""GET /comparisons: two runs of the store side by side."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from backend.settings import Settings
from tests.api.client import DOCUMENT, Worker, problem_of, start_run

URL = "/api/v1/comparisons"
ROUNDS: dict[str, Any] = {**DOCUMENT, "rounds": 7}


def measured(
    api: TestClient, worker: Worker, scale: float = 1.0, host: str = "bench-1", **changes: Any
) -> str:
    """A run that is done, its rates `scale` times those of the stand-in; returns its id."""
    run = start_run(api, {**ROUNDS, **changes}, host=host)
    count = 0
    while worker.open():
        claimed = worker.claim()
        rate = 10_000.0 if claimed.levels["path"] == "same_container" else 8_000.0
        count += 1
        worker.record(claimed, scale * rate * (1 + count % 7 / 1e3))
    return str(run["id"])


def test_values_of_one_host(api: TestClient, worker: Worker) -> None:
    a, b = measured(api, worker), measured(api, worker, scale=0.5)
    two = api.get(URL, params={"a": a, "b": b}).json()["tables"][0]
    assert (two["headline"], two["run_spread"]["percent"]) == ("2 without an answer", None)
    third = measured(api, worker, scale=1.01)
    measured(api, worker, factors={**DOCUMENT["factors"], "clients": 9})  # another experiment shows nothing
    spread = api.get(URL, params={"a": a, "b": b}).json()["tables"][0]["run_spread"]
    assert (spread["runs"], spread["cells"]) == (2, 2) and 0.5 < spread["percent"] < 1
    assert api.get(URL, params={"a": a, "b": third}).json()["tables"][0]["run_spread"]["percent"] > 20
    measured(api, worker, scale=0.999)
    found = api.get(URL, params={"a": a, "b": b}).json()
    assert (found["basis"], found["comparable"], found["refused"]) == ("values", "comparable", False)
    assert (found["a"]["run_id"], found["b"]["host"], found["a"]["rounds"]) == (a, "bench-1", 7)
    assert found["a"]["started_at"].endswith("Z") and found["differences"] == []
    table = found["tables"][0]
    assert (table["metric"], table["headline"]) == ("tps", "2 slower")
    row = table["rows"][1]
    assert row["verdict"] == "worse" and abs(row["ratio"] - 0.5) < 0.01 and row["p_adjusted"] <= 0.05
    only = api.get(URL, params={"a": a, "b": b, "metric": "latency_avg_ms"}).json()
    assert [table["metric"] for table in only["tables"]] == ["latency_avg_ms"]


def test_another_host_is_compared_by_ratios(api: TestClient, worker: Worker, settings: Settings) -> None:
    a = measured(api, worker)
    other = Worker(settings)
    other.announce("bench-2")
    b = measured(api, other, scale=3.0, host="bench-2")
    assert api.get(URL, params={"a": a, "b": b}).json()["tables"][0]["headline"] == "1 without an answer"
    measured(api, worker)
    measured(api, other, host="bench-2")
    found = api.get(URL, params={"a": a, "b": b}).json()
    assert (found["basis"], found["comparable"]) == ("ratios", "partly")
    assert [one["key"] for one in found["differences"]] == ["host"]
    (row,) = found["tables"][0]["rows"]
    assert row["verdict"] == "equivalent" and row["label"] == "Published port on 127.0.0.1"


def test_what_is_not_comparable_is_refused_unless_overridden(api: TestClient, worker: Worker) -> None:
    a = measured(api, worker)
    b = measured(api, worker, factors={**DOCUMENT["factors"], "clients": 9})
    answer = api.get(URL, params={"a": a, "b": b})
    found = answer.json()
    assert answer.status_code == 200 and (found["comparable"], found["refused"]) == ("not", True)
    assert found["tables"] == [] and "clients is 5 in A and 9 in B" in found["reasons"][0]
    shown = api.get(URL, params={"a": a, "b": b, "override": "true"}).json()
    assert shown["overridden"] and shown["tables"][0]["headline"] == "2 in A only, 2 in B only"
    pair = api.get(URL, params={"a": a, "b": b, "a_cell": "c2", "b_cell": "c2"}).json()
    assert len(pair["tables"][0]["rows"]) == 1 and not pair["refused"]


def test_two_cells_of_one_run(api: TestClient, worker: Worker) -> None:
    a = measured(api, worker)
    found = api.get(URL, params={"a": a, "b": a, "a_cell": "c1", "b_cell": "c2"}).json()
    (row,) = found["tables"][0]["rows"]
    assert row["method"].startswith("paired by round") and row["verdict"] == "worse"


def test_a_run_without_a_trial_is_refused(api: TestClient, worker: Worker) -> None:
    a = measured(api, worker)
    b = start_run(api)["id"]
    found = api.get(URL, params={"a": a, "b": b}).json()
    assert found["refused"] and "B has no finished trial" in found["reasons"][0]


def test_unknown_runs_and_cells_are_reported(api: TestClient, worker: Worker) -> None:
    a = measured(api, worker)
    problem_of(api.get(URL, params={"a": a, "b": "run_0000000000000000"}), 404, "not_found")
    problem_of(api.get(URL, params={"a": "nonsense", "b": a}), 404, "not_found")
    pair = {"a": a, "b": a, "a_cell": "c1"}
    problem_of(api.get(URL, params={**pair, "b_cell": "c77"}), 404, "not_found")
    problem_of(api.get(URL, params=pair), 422, "missing")
    problem_of(api.get(URL, params={**pair, "b_cell": "c1"}), 422, "one_cell")
    problem_of(api.get(URL, params={"a": a, "b": a}), 422, "one_run")
    problem_of(api.get(URL, params={**pair, "b_cell": "c2", "metric": "tpss"}), 422, "unknown_metric")
    for query in ({"basis": "medians"}, {"override": "perhaps"}, {"metric": "x" * 80}):
        assert api.get(URL, params={**pair, "b_cell": "c2", **query}).status_code == 422
    assert api.get(URL, params={"a": a}).status_code == 422


def test_a_comparison_is_a_picture_too(api: TestClient, worker: Worker) -> None:
    a, b = measured(api, worker), measured(api, worker, scale=0.5)
    parameters = {"a": a, "b": b, "metric": "tps", "theme": "dark"}
    answer = api.get(f"{URL}/exports/svg", params=parameters)
    assert answer.status_code == 200, answer.text
    assert (
        "B against A" in answer.text
        and "#151a20" in answer.text
        and "Published port on 127.0.0.1" in answer.text
    )
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["content-disposition"] == f'inline; filename="plimsoll-{a}-{b}.svg"'
    assert api.get(f"{URL}/exports/png", params=parameters).content.startswith(b"\x89PNG")
    chinese = api.get(f"{URL}/exports/svg", params=parameters | {"language": "zh"}).text
    assert "B 对比 A" in chinese and "127.0.0.1 上发布的端口" in chinese and "B against A" not in chinese
    for path, params, code in (
        ("pdf", {}, "unknown_format"),
        ("svg", {"theme": "sepia"}, "unknown_theme"),
        ("svg", {"language": "de"}, "unknown_language"),
        ("svg", {"metric": "tpss"}, "unknown_metric"),
    ):
        problem_of(api.get(f"{URL}/exports/{path}", params={**parameters, **params}), 422, code)
    other = measured(api, worker, factors={**DOCUMENT["factors"], "clients": 9})
    refused = api.get(f"{URL}/exports/svg", params={"a": a, "b": other})
    found = problem_of(refused, 422, "not_comparable")
    assert [error["pointer"] for error in found["errors"]] == ["/b"]
    assert "No cell is in common" in found["detail"] and "Give override" not in found["detail"]
