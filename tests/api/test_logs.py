"""Logs: one entry per request with its id and route, and nothing that opens a link."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import make_url, text

from backend.api.access.authentication import csrf_token
from backend.api.access_log import API
from backend.api.app import create_app
from backend.logs.configuration import configure_logs, formatter
from backend.logs.redaction import HIDDEN, redact
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, add_token, browser_headers, signed_in
from tests.api.client import BASE, Worker, start_run
from tests.hostile import superlinear
from tests.services import PostgresServer, RedisServer

TOKEN = "kX9-vB2_Lw3nQe7TzR5yUo1Pa8Sd6FgHj4KlZxCvBnM"


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """What the root logger and its children write, as JSON lines."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(as_text=False))
    handler.addFilter(lambda record: not record.name.startswith("http"))  # the test's own client
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def requests(logged: io.StringIO) -> list[dict[str, Any]]:
    entries = map(json.loads, logged.getvalue().splitlines())
    return [entry for entry in entries if entry["event"] == "request"]


def test_an_entry_per_request(api: TestClient, logged: io.StringIO) -> None:
    answer = api.get("/api/v1/runs/run_0000000000000000?wait=0&secret_question=x")
    (entry,) = requests(logged)
    assert entry.pop("duration_ms") > 0 and entry.pop("time").endswith("Z")
    assert entry == {
        "level": "info",
        "logger": "backend.api.access_log",
        "event": "request",
        "request_id": answer.headers["x-request-id"],
        "method": "GET",
        "route": "/api/v1/runs/{run_id}",
        "run_id": "run_0000000000000000",
        "status": 404,
        "client": "testclient",
    }
    assert "secret_question" not in logged.getvalue()


def test_every_operation_is_logged_by_the_path_of_the_openapi_document(
    api: TestClient, logged: io.StringIO
) -> None:
    paths = api.app.openapi()["paths"]  # type: ignore[attr-defined]
    for path, operations in paths.items():
        for method in operations:
            url = path.replace("{", "").replace("}", "")
            api.request(method.upper(), url, headers={"X-Operation": "1"})
    found = {(entry["route"], entry["method"]) for entry in requests(logged)}
    expected = {(path, method.upper()) for path, operations in paths.items() for method in operations}
    assert expected - found == set()
    assert all(route.startswith(API) for route, _ in found)


def test_a_rejected_request_has_no_route(api: TestClient, logged: io.StringIO) -> None:
    api.get(f"/api/v1/{TOKEN}")
    api.get("/api/v1/presets", headers={"Host": "evil.example"})
    assert [(e["route"], e["status"]) for e in requests(logged)] == [("unmatched", 404), ("unmatched", 421)]
    assert TOKEN not in logged.getvalue()


def test_an_entry_made_while_serving_has_the_request_id(settings: Settings, logged: io.StringIO) -> None:
    app = create_app(settings)

    @app.get("/api/v1/warns")
    def warns() -> None:
        logging.getLogger("backend.somewhere").warning("something is odd")

    app.router.routes.insert(0, app.router.routes.pop())
    with TestClient(app, base_url=BASE) as client:
        identity = client.get("/api/v1/warns").headers["x-request-id"]
    (entry,) = (e for e in map(json.loads, logged.getvalue().splitlines()) if "odd" in e["event"])
    assert (entry["request_id"], entry["level"]) == (identity, "warning")


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer {}",
        "{{'authorization': 'Bearer {}'}}",
        'headers: {{"Cookie": "a=b; session={}"}}',
        "Set-Cookie: __Host-session={}; Secure",
        "GET /x/{} failed",
        "https://plimsoll.example/shared#{}",
        "redis://worker:{}@127.0.0.1:6379/0",
        "postgresql+psycopg://u:p@{}@db/plimsoll",
        "password={}",
        '{{"client_secret":"{}"}}',
        "?access_token={}&x=1",
        "plm_{}",
        "whsec_{}",
        "token {}",
    ],
)
def test_what_has_the_form_of_a_secret_is_removed(text: str) -> None:
    shown = redact(text.format(TOKEN))
    assert TOKEN not in shown and HIDDEN in shown


def test_ids_digests_and_words_stay() -> None:
    text = "run_01JD2 of plimsoll-0c0c0c-lab-on: " + "5d" * 32 + " (token expired), /api/v1/shares, x=1"
    assert redact(text) == text


@pytest.mark.parametrize("length", [64 * 1024, pytest.param(256 * 1024, marks=pytest.mark.full)])
def test_redaction_takes_linear_time(length: int) -> None:
    heads = ("plm_", "://a:", "cookie", "cookie=", "token=", "bearer ", "/x/", "/shared#")
    assert superlinear(redact, length, heads=heads) == []


def test_text_for_a_terminal(settings: Settings) -> None:
    stream = io.StringIO()
    before = logging.getLogger().handlers[:], logging.getLogger().level
    try:
        configure_logs(settings.model_copy(update={"log_format": "text"}), stream)
        logging.getLogger("plimsoll.progress").info("built the image")
        logging.getLogger("worker.x").error("password=%s", TOKEN, extra={"run_id": "run_1"})
    finally:
        logging.getLogger().handlers[:], logging.getLogger().level = before
    assert stream.getvalue() == (
        f"INFO plimsoll.progress: built the image\nERROR worker.x: password={HIDDEN}  run_id=run_1\n"
    )


def dump(postgres: PostgresServer, settings: Settings) -> str:
    """The database as SQL."""
    name = make_url(settings.database_url).database
    argv = ["pg_dump", "-h", str(postgres.home), "-U", postgres.user, str(name)]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def test_issued_secrets_are_in_no_dump_and_no_log(
    api: TestClient,
    worker: Worker,
    settings: Settings,
    postgres: PostgresServer,
    redis_server: RedisServer,
    logged: io.StringIO,
    tmp_path: Path,
) -> None:
    run = start_run(api)["id"]
    worker.finish()
    issued = [
        api.post(f"/api/v1/runs/{run}/shares", json={"kind": kind}).json()["token"]
        for kind in ("private", "unfurl", "unfurl")
    ]
    account = add_account(settings)
    token, browser = add_token(settings, account), browser_headers(settings, account)
    cookie = browser["Cookie"].partition("=")[2]
    for share in issued:
        assert api.post("/api/v1/shares:open", json={"token": share}).status_code == 200
    issued += [token, cookie, csrf_token(cookie)]
    with TestClient(create_app(settings), base_url=BASE) as client:
        assert client.get("/api/v1/runs", headers={"Authorization": f"Bearer {token}"}).status_code == 200
        assert client.get("/api/v1/runs", headers=browser).status_code == 200
        for secret in issued:
            used = {"Authorization": f"Bearer {secret}", "Cookie": f"s={secret}", "Referer": f"/x/{secret}"}
            for url in (f"/x/{secret}", f"/api/v1/{secret}?token={secret}", f"/api/v1/runs/{secret}"):
                client.get(url, headers=used)
                client.delete(url, headers=used)
    stored_in = redis_server.client()
    stored = repr([stored_in.dump(key) for key in stored_in.scan_iter()])
    searched = {"database": dump(postgres, settings), "Redis": stored, "logs": logged.getvalue()}
    assert "browser_session" in searched["database"] and "/api/v1/shares:open" in searched["logs"]
    hits = [(place, secret) for place, text in searched.items() for secret in issued if secret in text]
    assert hits == []


def test_an_entry_names_account_and_token(settings: Settings, logged: io.StringIO) -> None:
    account = add_account(settings)
    token = add_token(settings, account)
    with TestClient(create_app(settings), base_url=BASE) as client:
        client.get("/api/v1/runs", headers={"Authorization": f"Bearer {token}"})
    (entry,) = requests(logged)
    assert entry["account"] == account and token.startswith(entry["token_prefix"])
    assert len(entry["token_prefix"]) < 16


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/v1/hosts"), ("POST", "/api/v1/experiments")])
def test_a_client_that_leaves_before_its_body_is_no_error(
    settings: Settings, caplog: pytest.LogCaptureFixture, method: str, path: str
) -> None:
    given = signed_in(settings) | {"Host": "127.0.0.1:8420"}
    given |= {"Content-Type": "application/json"} if method == "POST" else {}
    headers = [(name.lower().encode(), value.encode()) for name, value in given.items()]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http",
        "method": method, "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": headers, "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8420),
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(create_app(settings)(scope, receive, send))
    assert sent == [] and [entry for entry in caplog.records if entry.levelname == "ERROR"] == []
    with session_scope(settings) as session:
        lines = session.execute(text("SELECT action, status, code FROM audit")).all()
    assert lines == ([("createExperiment", 499, "client_left")] if method == "POST" else [])
