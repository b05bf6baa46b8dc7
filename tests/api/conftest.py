"""The API on a real database and a real Redis, served in this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.settings import Settings
from tests.api.client import BASE, Worker


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
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)
