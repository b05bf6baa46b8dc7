"""Hostile bodies at every operation that reads one: media type, size, depth, numbers, keys, compression."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.api.security import MAX_RECORD_BYTES
from backend.settings import Settings
from tests.accounts import add_account, browser_headers
from tests.api.client import BASE, Worker, problem_of, start_run
from tests.api.http_worker import WORKER, HttpWorker
from tests.services import ROOT

PATHS: dict[str, dict[str, Any]] = json.loads((ROOT / "docs/openapi.json").read_text())["paths"]
JSON = {"Content-Type": "application/json"}
DEPTH = 10_000
OTHER_MEDIA = (
    "text/plain",
    "text/html",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
)
HOSTILE = (
    '{"a":' * DEPTH + "1" + "}" * DEPTH,
    "[" * DEPTH + "]" * DEPTH,
    '{"name": NaN}',
    '{"rounds": Infinity}',
    '{"rounds": -Infinity}',
    '{"rounds": 1e999}',
    '{"name": "a", "name": "b"}',
    '{"constructor": {}, "__proto__": {}}',
    '{"name": "\ud800"}',
    "{",
    "[]",
    '"{}"',
)


class Objects:
    """A client of the installation's administrator, and every operation with a body on objects that exist."""

    def __init__(self, api: TestClient, worker: Worker) -> None:
        self.api = api
        run = start_run(api)
        worker.finish()
        trial = api.get(f"/api/v1/runs/{run['id']}/trials").json()["data"][0]["id"]
        share = api.post(f"/api/v1/runs/{run['id']}/shares")
        assert share.status_code == 201, share.text
        hook = api.post("/api/v1/webhooks", json={"url": "https://8.8.8.8/"}).json()
        self._ids = {
            "webhook_id": hook["id"],
            "account_id": api.get("/api/v1/session").json()["account"]["id"],
            "experiment_id": run["experiment_id"],
            "run_id": run["id"],
            "trial_id": trial,
            "share_id": share.json()["id"],
            "view_id": self._created("library/views", {"name": "Starred", "query": "is:starred"}),
            "schedule_id": self._created(
                f"experiments/{run['experiment_id']}/schedules", {"cron": "0 2 * * *", "hosts": ["bench-1"]}
            ),
            "host": "bench-1",
        }

    def _created(self, path: str, body: dict[str, object]) -> str:
        answer = self.api.post(f"/api/v1/{path}", json=body)
        assert answer.status_code == 201, answer.text
        found: str = answer.json()["id"]
        return found

    def operations(self) -> Iterator[tuple[str, str]]:
        """Method and path; an operation without one of these objects is refused before its body is read."""
        for path, methods in PATHS.items():
            for method, operation in methods.items():
                if "requestBody" in operation and not is_of_hosts(path):
                    for name, value in self._ids.items():
                        path = path.replace(f"{{{name}}}", value)
                    yield method.upper(), path


def is_of_hosts(path: str) -> bool:
    """Whether an operation accepts the token of an enrolled host only."""
    return path.startswith(f"{WORKER}/") and path != f"{WORKER}/enrolment"


class OfHost:
    """A client with the token of an enrolled host, and its operations that name no object."""

    def __init__(self, api: TestClient) -> None:
        self.api = api

    def operations(self) -> Iterator[tuple[str, str]]:
        """Method and path."""
        for path, methods in PATHS.items():
            for method, operation in methods.items():
                if "requestBody" in operation and is_of_hosts(path) and "{" not in path:
                    yield method.upper(), path


@pytest.fixture(params=["administrator", "host"])
def objects(request: pytest.FixtureRequest, settings: Settings, worker: Worker) -> Iterator[Objects | OfHost]:
    """The objects of this test's database, or an enrolled host."""
    headers = browser_headers(settings, add_account(settings, installation_admin=True))
    if request.param == "host":
        far = HttpWorker.joined(TestClient(create_app(settings), base_url=BASE), headers)
        with TestClient(create_app(settings), base_url=BASE, headers=far.headers) as client:
            yield OfHost(client)
        return
    with TestClient(create_app(settings), base_url=BASE, headers=headers) as client:
        yield Objects(client, worker)


def test_an_enrolled_host_has_operations_with_bodies(settings: Settings) -> None:
    found = set(OfHost(TestClient(create_app(settings))).operations())
    assert {("PUT", f"{WORKER}/host"), ("POST", f"{WORKER}/claims"), ("POST", f"{WORKER}/seen")} <= found


def test_only_the_documented_media_types_are_read(objects: Objects | OfHost) -> None:
    for method, path in objects.operations():
        for media in OTHER_MEDIA:
            answer = objects.api.request(method, path, content=b"{}", headers={"Content-Type": media})
            assert answer.status_code == 415, (method, path, media, answer.text)
            problem_of(answer, 415, "unsupported_media_type")


def test_a_compressed_or_large_body_is_not_read(objects: Objects | OfHost) -> None:
    bomb = gzip.compress(b" " * (20 * 1024 * 1024))
    compressed = JSON | {"Content-Encoding": "gzip"}
    large = b" " * (MAX_RECORD_BYTES + 1)
    for method, path in objects.operations():
        answer = objects.api.request(method, path, content=bomb, headers=compressed)
        problem_of(answer, 415, "unsupported_media_type")
        problem_of(objects.api.request(method, path, content=large, headers=JSON), 413, "body_too_large")


@pytest.mark.timeout(120)
def test_a_hostile_document_is_refused(objects: Objects | OfHost) -> None:
    for method, path in objects.operations():
        for body in HOSTILE:
            content = body.encode("utf-8", "surrogatepass")
            answer = objects.api.request(method, path, content=content, headers=JSON)
            assert answer.status_code in (400, 422), (method, path, body[:40], answer.text[:300])
            assert answer.headers["content-type"] == "application/problem+json"
