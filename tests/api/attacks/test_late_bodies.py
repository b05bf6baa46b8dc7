"""A request whose body arrives long after its headers: its caller counts as it is at the end of the body."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, authorization, browser_headers
from tests.api.access_ends import ACCESS_ENDS
from tests.api.attacks.connections import headers_sent, status_of
from tests.api.client import DOCUMENT
from tests.api.http_worker import WORKER, HttpWorker

LATE_S = 0.2
PROFILE = f"{WORKER}/runs/run_0000000000000000/cells/c/profile"


@pytest.fixture(autouse=True)
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body is late sooner."""
    monkeypatch.setattr("backend.api.access.guard.LATE_S", LATE_S)


def sent_late(
    settings: Settings,
    served: str,
    method: str,
    path: str,
    headers: dict[str, str],
    body: Any,
    meanwhile: str,
) -> int:
    """The status of a request during whose body this statement is executed."""
    content = json.dumps(body).encode()
    with headers_sent(served, method, path, headers, len(content)) as connection:
        connection.sendall(content[:1])
        time.sleep(2 * LATE_S)  # as long as the attacker likes
        with session_scope(settings) as session:
            session.execute(text(meanwhile))
        connection.sendall(content[1:])
        return status_of(connection)


@pytest.mark.parametrize("end", ACCESS_ENDS)
def test_nothing_is_made_by_a_caller_whose_access_ended_during_the_body(
    settings: Settings, served: str, end: str
) -> None:
    if "api_token" in end:
        headers, path, body = authorization(), "experiments", DOCUMENT
    else:
        headers = browser_headers(settings, add_account(settings))
        path, body = "invitations", {"role": "admin"}
    path = f"/api/v1/{path}"
    assert sent_late(settings, served, "POST", path, headers, body, "SELECT 1") == 201
    assert sent_late(settings, served, "POST", path, headers, body, end) in (401, 403)


def test_a_session_that_ended_during_the_body_makes_no_token(settings: Settings, served: str) -> None:
    headers = browser_headers(settings, add_account(settings))
    body = {"name": "mine", "scopes": ["run:read"], "expires_in_days": 1}
    end = "UPDATE browser_session SET ended_at = now()"
    assert sent_late(settings, served, "POST", "/api/v1/tokens", headers, body, end) == 401


@pytest.mark.parametrize(("method", "path"), [("POST", f"{WORKER}/seen"), ("PUT", PROFILE)])
def test_a_host_whose_token_was_revoked_during_the_body_reports_nothing(
    settings: Settings, api: TestClient, served: str, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    monkeypatch.setattr("backend.store.repositories.enrolled_hosts.owns", lambda *_: True)
    admin = browser_headers(settings, add_account(settings, installation_admin=True))
    far, end = HttpWorker.joined(api, admin), "UPDATE host_token SET revoked_at = now()"
    assert sent_late(settings, served, method, path, far.headers, {}, "SELECT 1") == 422
    assert sent_late(settings, served, method, path, far.headers, {}, end) == 401


def test_the_body_of_an_import_is_not_read_for_somebody_without_access(served: str) -> None:
    with headers_sent(served, "POST", "/api/v1/imports", {}, 8_000_000) as connection:
        connection.settimeout(10)
        assert status_of(connection) == 401
