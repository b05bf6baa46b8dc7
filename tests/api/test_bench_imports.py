"""The logs that `scripts/bench imports` sends are imported, and a wrong one among them is refused."""

from __future__ import annotations

import json

import pytest
from fastapi.testclient import TestClient

from scripts.benchmark import imports
from tests.api.client import problem_of


@pytest.mark.parametrize("line", [imports.INTERVAL, imports.OTHER])
def test_the_logs_of_the_benchmark_are_imported(api: TestClient, line: str) -> None:
    logs = [imports.text(line, 20_000, turn) for turn in range(4)]
    assert all(15_000 < len(log) <= 20_000 for log in logs)
    headers = {"Content-Type": "application/json"}
    run = api.post("/api/v1/imports", content=imports.body(logs), headers=headers)
    assert run.status_code == 201 and run.json()["state"] == "done"
    wrong = json.loads(imports.body(logs))
    wrong["logs"][2]["stdout"] = logs[2].replace("latency average = ", "latency average = about ")
    found = problem_of(api.post("/api/v1/imports", json=wrong), 422, "invalid")["errors"]
    assert [error["pointer"] for error in found] == ["/logs/2/stdout"]
