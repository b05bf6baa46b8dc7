"""The client that `scripts/bench watching` and `watched_run` open sends the requests of the page."""

from __future__ import annotations

import threading
from pathlib import Path

import httpx2
import pytest
from fastapi.testclient import TestClient

from scripts.benchmark import rest, simulated_page
from scripts.benchmark.simulated_page import Page
from tests.api.client import Worker, start_run
from tests.scripts.waiting import eventually
from tests.services import ROOT

SOURCE: Path = ROOT / "frontend/src/features/runs/useRunStream.ts"


def test_a_page_reads_run_matrix_hosts_and_result_and_the_result_again_once_for_several_trials(
    api: TestClient, served: str, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: list[str] = []

    def recorded(url: str, timeout: float) -> httpx2.Client:
        made = rest.client(url, timeout)
        made.event_hooks["request"].append(lambda request: requested.append(request.url.path))
        return made

    monkeypatch.setattr(simulated_page, "client", recorded)
    monkeypatch.setattr(simulated_page, "RESULT_EVERY_S", 2.0)
    run = start_run(api)
    stop = threading.Event()
    page = Page(served, run["id"], stop)
    thread = threading.Thread(target=page.open)
    thread.start()
    try:
        assert page.ready.wait(60)
        path = f"/api/v1/runs/{run['id']}"
        assert requested == [path, f"{path}/matrix", "/api/v1/hosts", f"{path}/result", f"{path}/events"]
        for _ in range(3):
            worker.record(worker.claim())
        assert eventually(lambda: page.results == 2)
    finally:
        stop.set()
        worker.finish()
        thread.join(60)
    assert not thread.is_alive()
    assert requested[5:] == [f"{path}/result"] and page.unchanged == 0


def test_the_times_are_those_of_the_page() -> None:
    text = SOURCE.read_text()
    assert f"RESULT_EVERY_MS = {1000 * simulated_page.RESULT_EVERY_S:.0f};" in text
    assert f"SETTLED_MS = {1000 * simulated_page.RESULT_AFTER_S:.0f};" in text
