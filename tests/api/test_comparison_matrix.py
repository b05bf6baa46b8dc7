"""GET /comparisons/matrix: several runs of the store in columns."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.comparisons import matrices
from backend.settings import Settings
from tests.api.client import DOCUMENT, Worker, problem_of, start_run
from tests.api.test_comparisons import ROUNDS, measured
from tests.api.test_comparisons import URL as PAIR

URL = f"{PAIR}/matrix"


def three(api: TestClient, worker: Worker) -> list[str]:
    return [measured(api, worker), measured(api, worker, scale=0.5), measured(api, worker, scale=1.01)]


def test_three_runs_of_one_host(api: TestClient, worker: Worker) -> None:
    ids = three(api, worker)
    measured(api, worker, scale=0.999)
    found = api.get(URL, params={"run": ids}).json()
    assert [column["run_id"] for column in found["columns"]] == ids
    assert [column["letter"] for column in found["columns"]] == ["A", "B", "C"]
    assert (found["metric"], found["basis"], found["family"]) == ("tps", "values", 4)
    assert [entry["verdict"] for entry in found["rows"][1]["entries"]] == [
        None,
        "worse",
        "no_difference_shown",
    ]
    assert found["rows"][1]["entries"][0]["n"] == 7 and found["rows"][1]["entries"][1]["judged"]
    back = api.get(URL, params={"run": ids, "reference": 1, "metric": "latency_avg_ms"}).json()
    assert (back["reference"], back["metric"]) == (1, "latency_avg_ms")


def test_two_columns_agree_with_the_comparison_of_two_runs(api: TestClient, worker: Worker) -> None:
    a, b, _ = three(api, worker)
    measured(api, worker, scale=0.999)
    rows = api.get(PAIR, params={"a": a, "b": b}).json()["tables"][0]["rows"]
    found = api.get(URL, params={"run": [a, b]}).json()["rows"]
    for row, expected in zip(found, rows, strict=True):
        entry = row["entries"][1]
        same = ("ratio", "interval", "p_adjusted", "verdict", "sentence")
        assert [entry[name] for name in same] == [expected[name] for name in same]


def test_cells_of_one_run_and_a_cell_of_another(api: TestClient, worker: Worker) -> None:
    a, b = measured(api, worker), measured(api, worker)
    found = api.get(URL, params={"run": [a, a], "cell": ["c1", "c2"]}).json()
    (row,) = found["rows"]
    assert row["entries"][1]["verdict"] == "worse" and found["columns"][1]["run_spread"] is None
    mixed = api.get(URL, params={"run": [a, a, b], "cell": ["c1", "c2", "c1"]}).json()
    assert mixed["family"] == 2 and mixed["columns"][2]["run_spread"]["percent"] is None


def test_a_matrix_of_ended_runs_is_computed_once(
    api: TestClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = three(api, worker)
    first = api.get(URL, params={"run": ids}).json()
    monkeypatch.setattr(matrices, "compare_columns", None)
    assert api.get(URL, params={"run": ids}).json() == first


def test_an_excluded_trial_leaves_its_cell_of_the_matrix(api: TestClient, worker: Worker) -> None:
    ids = three(api, worker)[:2]

    def numbers() -> list[int]:
        rows = api.get(URL, params={"run": ids}).json()["rows"]
        return [row["entries"][1]["n"] for row in rows]

    assert numbers() == [7, 7]
    trials = api.get(f"/api/v1/runs/{ids[1]}/trials", params={"limit": 200}).json()["data"]
    chosen = next(trial for trial in trials if trial["cell_id"] == "c2")
    excluded = api.put(
        f"/api/v1/trials/{chosen['id']}/exclusion", json={"reason": "somebody compiled a kernel"}
    )
    assert excluded.status_code == 200, excluded.text
    assert numbers() == [7, 6]


def test_exports(api: TestClient, worker: Worker) -> None:
    ids = three(api, worker)
    few = measured(api, worker, factors={"path": DOCUMENT["factors"]["path"][:1]})
    params: dict[str, Any] = {"run": [*ids, few]}
    csv = api.get(f"{URL}/exports/csv", params=params)
    assert csv.headers["content-type"] == "text/csv; charset=utf-8"
    assert "plimsoll-comparison.csv" in csv.headers["content-disposition"]
    lines = csv.content.decode("utf-8-sig").splitlines()
    matrix = api.get(URL, params=params).json()
    assert len(lines) == 1 + len(matrix["rows"]) * 4 and lines[0].startswith("metric,unit,better,basis,cell")
    assert lines[-1].endswith("not in this run")
    assert api.get(f"{URL}/exports/json", params=params).json() == matrix
    text = api.get(f"{URL}/exports/markdown", params=params).text
    assert "| cell | A (reference) | B | C | D |" in text and "not in this run" in text
    assert f"simultaneous CI of {matrix['family']} comparisons" in text
    problem = problem_of(api.get(f"{URL}/exports/pdf", params=params), 422, "unknown_format")
    assert "format is one of csv, json, markdown" in str(problem)


@pytest.mark.parametrize(
    ("change", "code", "pointer", "word"),
    [
        ({"run": []}, "missing", "/run", "run"),
        ({"run": 1}, "number_of_columns", "/run", "choose 2 to 12 columns"),
        ({"run": 13}, "number_of_columns", "/run", "choose 2 to 12 columns"),
        ({"run": 2}, "same_column", "/run", "columns a and b are the same run"),
        ({"cell": ["c1"]}, "cells_incomplete", "/cell", "one cell for each run"),
        ({"reference": 5}, "no_such_column", "/reference", "0 to 1"),
        ({"metric": "speed"}, "unknown_metric", "/metric", "there is no such metric"),
    ],
)
def test_a_choice_without_a_matrix_is_refused(
    api: TestClient, worker: Worker, change: dict[str, Any], code: str, pointer: str, word: str
) -> None:
    run = start_run(api, ROUNDS)["id"]
    params: dict[str, Any] = {"run": [run, run], "cell": ["c1", "c2"], **change}
    if isinstance(params["run"], int):
        params = {"run": [run] * params["run"]}
    found = problem_of(api.get(URL, params=params), 422, code)
    assert pointer in str(found) and word in str(found).lower()


def test_a_deleted_run_is_not_found(api: TestClient, worker: Worker, settings: Settings) -> None:
    a, b, c = three(api, worker)
    assert api.delete(f"/api/v1/runs/{b}").status_code == 204
    found = problem_of(api.get(URL, params={"run": [a, b, c]}), 404, "not_found")
    assert "there is no such run" in str(found)
    assert api.get(URL, params={"run": [a, c]}).status_code == 200
