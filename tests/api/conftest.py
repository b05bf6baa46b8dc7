"""The API on a real database and a real Redis, served in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from tests.accounts import add_account, browser_headers, token_headers
from tests.api.client import BASE, Worker
from tests.api.http_worker import HttpWorker
from tests.api.running import running


def pytest_configure(config: pytest.Config) -> None:
    """PostgreSQL and Redis for the tests of this folder."""
    config.pluginmanager.import_plugin("tests.service_fixtures")


@pytest.fixture
def api(settings: Settings) -> Iterator[TestClient]:
    """A client of the API, signed in as an administrator of the default team."""
    headers = browser_headers(settings, add_account(settings))
    with TestClient(create_app(settings), base_url=BASE, headers=headers) as client:
        yield client


@pytest.fixture
def anonymous(settings: Settings) -> Iterator[TestClient]:
    """A client of the API without credentials."""
    with TestClient(create_app(settings), base_url=BASE) as client:
        yield client


@pytest.fixture
def worker(settings: Settings) -> Worker:
    """A stand-in for the worker of bench-1, which has announced itself."""
    found = Worker(settings)
    found.announce()
    return found


@pytest.fixture
def token(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The headers of a script with a token of all scopes; the command line has it in PLIMSOLL_TOKEN."""
    headers = token_headers(settings)
    monkeypatch.setenv("PLIMSOLL_TOKEN", headers["Authorization"].removeprefix("Bearer "))
    return headers


@pytest.fixture
def served(settings: Settings, token: dict[str, str]) -> Iterator[str]:
    """The API on a real port, because a stream needs a real connection."""
    with running(server_config(create_app(settings), settings)) as base:
        yield base


@pytest.fixture
def installation(settings: Settings) -> dict[str, str]:
    """The headers of a browser of an administrator of the installation and of the default team."""
    return browser_headers(settings, add_account(settings, installation_admin=True))


@pytest.fixture
def far(anonymous: TestClient, installation: dict[str, str]) -> HttpWorker:
    """The worker of far-1, which has joined and announced itself."""
    return HttpWorker.joined(anonymous, installation)
