"""The API on a real database and a real Redis, served in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from tests.api.client import BASE, Worker
from tests.api.running import running


@pytest.fixture
def api(settings: Settings) -> Iterator[TestClient]:
    """A client of the API."""
    with TestClient(create_app(settings), base_url=BASE) as client:
        yield client


@pytest.fixture
def worker(settings: Settings) -> Worker:
    """A stand-in for the worker of bench-1, which has announced itself."""
    found = Worker(settings)
    found.announce()
    return found


@pytest.fixture
def served(settings: Settings) -> Iterator[str]:
    """The API on a real port, because a stream needs a real connection."""
    with running(server_config(create_app(settings), settings)) as base:
        yield base
