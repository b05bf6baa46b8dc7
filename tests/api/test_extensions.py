"""More rounds of chosen cells: a run of its own, corrected for having been chosen after a result."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.api.client import DOCUMENT, Worker, problem_of, start_run

THREE = DOCUMENT | {"factors": DOCUMENT["factors"] | {"clients": [1, 2]}, "rounds": 6}


@pytest.fixture
def first(api: TestClient, worker: Worker) -> str:
    """An ended run of two baselines, c1 and c2, and what is compared with them, c3 and c4."""
    found: str = start_run(api, THREE)["id"]
    worker.finish()
    return found


def extend(api: TestClient, run: str, **body: Any) -> dict[str, Any]:
    answer = api.post(f"/api/v1/runs/{run}:extend", json=body)
    assert answer.status_code == 202, answer.text
    found: dict[str, Any] = answer.json()
    return found


def compared(api: TestClient, run: str, cell: str) -> dict[str, Any]:
    cells = api.get(f"/api/v1/runs/{run}/result").json()["cells"]
    found: dict[str, Any] = next(row for row in cells if row["id"] == cell)["comparisons"]["tps"]
    return found


def chosen_cell(api: TestClient, run: str) -> tuple[str, str]:
    """A cell that is compared, and its baseline."""
    cells = api.get(f"/api/v1/runs/{run}/result").json()["cells"]
    found = next(row for row in cells if row["levels"]["path"] == "published_loopback")
    baseline = next(row for row in cells if row["levels"] == found["levels"] | {"path": "same_container"})
    return found["id"], baseline["id"]


def test_an_extension_runs_the_cell_and_its_baseline_only(
    api: TestClient, worker: Worker, first: str
) -> None:
    before = api.get(f"/api/v1/runs/{first}/result").content
    cell, baseline = chosen_cell(api, first)
    run = extend(api, first, cells=[cell], rounds=7)
    assert run["extension"] == {"run_id": first, "number": 1, "rounds": 7}
    rows = api.get(f"/api/v1/runs/{run['id']}/matrix").json()["cells"]
    assert {row["id"] for row in rows if not row["id"].endswith("-aa")} == {cell, baseline}
    assert {row["states"] for row in rows} == {"q" * 7}
    worker.finish()
    result = api.get(f"/api/v1/runs/{run['id']}/result").json()
    assert (result["rounds_planned"], result["rounds_complete"]) == (7, 7)
    assert f"after the result of run {first} was known (extension 1" in result["headline"]
    assert any("corrected for 2 analyses" in note["sentence"] for note in result["notices"])
    assert api.get(f"/api/v1/runs/{first}/result").content == before
    assert [each["id"] for each in api.get(f"/api/v1/runs/{first}/extensions").json()["data"]] == [run["id"]]


def test_each_further_extension_is_corrected_for_more_analyses(
    api: TestClient, worker: Worker, first: str
) -> None:
    cell, _ = chosen_cell(api, first)
    runs = []
    for number in (1, 2):
        runs.append(extend(api, runs[-1] if runs else first, cells=[cell], rounds=10)["id"])
        worker.finish()
        found = api.get(f"/api/v1/runs/{runs[-1]}").json()["extension"]
        assert (found["run_id"], found["number"]) == (first, number)
    once, twice = (compared(api, run, cell)["p_adjusted"] for run in runs)
    assert once == pytest.approx(2 * 2.0**-9, rel=0.2) and twice == pytest.approx(3 * once, rel=0.2)


def test_a_preview_names_time_and_the_rounds_that_can_decide(api: TestClient, first: str) -> None:
    cell, baseline = chosen_cell(api, first)
    answer = api.post(f"/api/v1/runs/{first}:preview-extension", json={"cells": [cell], "rounds": 6})
    found = answer.json()
    assert answer.status_code == 200 and {cell, baseline} <= set(found["cells"])
    assert (found["number"], found["analyses"], found["comparisons"]) == (1, 2, 1)
    assert found["rounds_needed"] == 7 and found["sentence"].startswith("6 rounds may not show")
    assert found["trials"] == 6 * len(found["cells"]) and found["seconds"] > 0
    assert api.get(f"/api/v1/runs/{first}/extensions").json()["data"] == []


def test_bad_requests_name_the_field(api: TestClient, first: str) -> None:
    url = f"/api/v1/runs/{first}:extend"
    found = problem_of(api.post(url, json={"cells": ["c3", "c99"], "rounds": 6}), 422, "unknown_cell")
    assert found["errors"][0]["pointer"] == "/cells/1"
    found = problem_of(api.post(url, json={"cells": [], "rounds": 6}), 422, "too_short")
    assert found["errors"][0]["pointer"] == "/cells"
    assert api.post(url, json={"cells": ["c3"], "rounds": 1001}).status_code == 422


def test_a_run_that_has_not_ended_is_refused(api: TestClient, worker: Worker) -> None:
    run = start_run(api)["id"]
    answer = api.post(f"/api/v1/runs/{run}:extend", json={"cells": ["c2"], "rounds": 6})
    assert "add rounds when it has ended" in problem_of(answer, 409, "conflict")["detail"]


def test_a_repeated_key_starts_one_extension(api: TestClient, first: str) -> None:
    body, headers = {"cells": ["c3"], "rounds": 2}, {"Idempotency-Key": "more"}
    answers = [api.post(f"/api/v1/runs/{first}:extend", json=body, headers=headers) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert len(api.get(f"/api/v1/runs/{first}/extensions").json()["data"]) == 1


def test_without_its_first_run_an_extension_is_not_extended(
    api: TestClient, worker: Worker, first: str
) -> None:
    run = extend(api, first, cells=["c3"], rounds=2)["id"]
    worker.finish()
    assert api.delete(f"/api/v1/runs/{first}").status_code == 204
    assert api.get(f"/api/v1/runs/{run}/result").status_code == 200
    answer = api.post(f"/api/v1/runs/{run}:extend", json={"cells": ["c3"], "rounds": 2})
    assert "was deleted" in problem_of(answer, 409, "conflict")["detail"]
