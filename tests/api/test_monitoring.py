"""Metrics and full readiness are on the private port, and only there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families
from pydantic import ValidationError
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.monitoring import queue_metrics
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import signed_in, token_headers
from tests.api.client import BASE, Worker, start_run
from tests.services import ROOT, PostgresServer
from worker.monitoring import Monitoring as WorkerMonitoring

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture
def application(settings: Settings) -> FastAPI:
    """The API with a private port, any free one."""
    return create_app(settings.model_copy(update={"metrics_port": 0}))


@pytest.fixture
def public(application: FastAPI, settings: Settings) -> Iterator[TestClient]:
    """A client of the public port; the private one is open meanwhile."""
    with TestClient(application, base_url=BASE, headers=signed_in(settings)) as client:
        yield client


@pytest.fixture
def private(application: FastAPI, public: TestClient) -> Iterator[httpx2.Client]:
    """A client of the private port."""
    url = f"http://127.0.0.1:{application.state.monitoring.port}"
    with httpx2.Client(base_url=url, trust_env=False, timeout=60) as client:
        yield client


def scrape(private: httpx2.Client) -> Samples:
    """Every sample by name and labels."""
    answer = private.get("/metrics")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain")
    families = text_string_to_metric_families(answer.text)
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for f in families for s in f.samples}


def test_requests_are_counted_by_the_template_of_their_route(
    public: TestClient, private: httpx2.Client
) -> None:
    public.get("/api/v1/runs/run_1")
    public.get("/api/v1/runs/run_2?wait=0")
    public.request("BREW", "/api/v1/presets")
    found = scrape(private)
    labels = (("method", "GET"), ("route", "/api/v1/runs/{run_id}"))
    assert found["plimsoll_http_requests_total", (*labels, ("status", "404"))] == 2
    assert found["plimsoll_http_request_duration_seconds_count", labels] == 1, "a long poll is not timed"
    brewed = (("method", "other"), ("route", "/api/v1/presets"), ("status", "405"))
    assert found["plimsoll_http_requests_total", brewed] == 1
    assert "run_1" not in private.get("/metrics").text


def test_the_queue_and_its_workers(
    public: TestClient, private: httpx2.Client, worker: Worker, settings: Settings
) -> None:
    start_run(public)
    worker.claim()
    with session_scope(settings) as session:
        session.execute(text("UPDATE trial SET created_at = created_at - interval '90 s'"))
    found = scrape(private)
    host = (("host", "bench-1"),)
    assert found["plimsoll_trials_queued", host] == 5 and found["plimsoll_trials_running", host] == 1
    assert 90 <= found["plimsoll_trial_oldest_queued_seconds", host] < 3600
    assert found["plimsoll_runs", (("state", "running"),)] == 1
    assert found["plimsoll_runs", (("state", "queued"),)] == 0
    assert found["plimsoll_worker_last_seen_timestamp_seconds", host] > 1.7e9
    assert found["plimsoll_worker_conditions", host] == 0
    assert found["plimsoll_database_up", ()] == 1 and found["plimsoll_database_bytes", ()] > 1e6
    assert found["process_resident_memory_bytes", ()] > 1e7


def test_without_the_database_the_scrape_says_so(
    private: httpx2.Client, worker: Worker, postgres: PostgresServer
) -> None:
    postgres.stop()
    try:
        found = scrape(private)
        ready = private.get("/readyz")
    finally:
        postgres.start()
    assert found["plimsoll_database_up", ()] == 0
    assert not any(name == "plimsoll_trials_queued" for name, _ in found)
    assert ready.status_code == 503 and ready.json()["outages"][0]["part"] == "database"


def test_figures_are_read_once_however_often_they_are_scraped(
    settings: Settings, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = []
    read = queue_metrics.figures.read
    monkeypatch.setattr(queue_metrics.figures, "read", lambda session: (reads.append(1), read(session))[1])
    metrics = queue_metrics.QueueMetrics(settings, kept_s=3600)
    for _ in range(5):
        assert len(list(metrics.collect())) > 5
    assert len(reads) == 1


def test_the_public_port_has_no_metrics(public: TestClient, private: httpx2.Client) -> None:
    for path in ("/metrics", "/api/v1/metrics", "//metrics", "/metrics/"):
        assert "plimsoll_http_requests" not in public.get(path).text
    assert private.get("/").status_code == 404
    assert private.get("/api/v1/runs").status_code == 404
    assert private.post("/metrics").status_code == 501


@pytest.mark.parametrize("host", ["evil.example", "", "a@127.0.0.1", "192.0.2.1"])
def test_a_page_cannot_reach_the_private_port_by_a_name_of_its_own(private: httpx2.Client, host: str) -> None:
    assert private.get("/metrics", headers={"Host": host}).status_code == 421


def test_without_a_setting_no_port_is_opened(settings: Settings) -> None:
    app = create_app(settings)
    with TestClient(app, base_url=BASE):
        assert app.state.monitoring.port is None


def test_strangers_learn_the_status_only(settings: Settings, worker: Worker) -> None:
    reachable = {"public_url": "https://plimsoll.example.org", "metrics_port": 0}
    found = settings.model_copy(update=reachable)
    app = create_app(found)
    with TestClient(app, base_url="https://plimsoll.example.org") as client:
        public = client.get("/readyz")
        wrong = client.get("/readyz", headers={"Authorization": "Bearer plm_wrong"})
        known = client.get("/readyz", headers=token_headers(found))
        private = httpx2.get(
            f"http://127.0.0.1:{app.state.monitoring.port}/readyz", trust_env=False, timeout=60
        )
    assert private.json()["outages"][0]["part"] == "page"
    assert public.json() == wrong.json() == {"status": "ok"}
    assert known.json() == private.json()


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "224.0.0.1", "plimsoll.example.org"])
def test_metrics_listen_on_one_address(address: str) -> None:
    with pytest.raises(ValidationError, match="address"):
        Settings(metrics_address=address)


def test_the_private_port_is_not_the_public_one() -> None:
    with pytest.raises(ValidationError, match="different ports"):
        Settings(port=8420, metrics_port=8420)


def test_every_metric_of_the_dashboard_and_the_alerts_exists(
    public: TestClient, private: httpx2.Client, worker: Worker, settings: Settings
) -> None:
    start_run(public)
    measured = WorkerMonitoring(settings)
    measured.trials.labels("done").inc()
    known = {name for name, _ in scrape(private)}
    known |= {sample.name for family in measured.registry.collect() for sample in family.samples}
    dashboard = json.loads((ROOT / "docs/grafana/plimsoll.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    queries.append((ROOT / "docs/grafana/alerts.yaml").read_text())
    named = {name for query in queries for name in re.findall(r"\b(?:plimsoll|process)_\w+", query)}
    assert len(named) > 10 and named - known == set()
    documented = set(re.findall(r"\b(?:plimsoll|process)_\w+", Path(ROOT / "docs/operations.md").read_text()))
    own = {
        name for name in known if name.startswith("plimsoll_") and not name.endswith(("_bucket", "_created"))
    }
    bases = {re.sub(r"_(count|sum)$", "", name) for name in own}
    assert bases - documented == set()
