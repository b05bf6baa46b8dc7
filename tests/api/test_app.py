"""What it costs to create the application, and that two applications share nothing but the operations."""

from __future__ import annotations

from unittest import mock

import fastapi.routing
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.settings import Settings
from tests.api.client import BASE


def test_the_signatures_of_the_operations_are_read_once_for_each_process(settings: Settings) -> None:
    """FastAPI reads them when a route is created and, for an included router, when it is first matched."""
    with TestClient(create_app(settings), base_url=BASE) as client:
        client.get("/api/v1/presets")
    with (
        mock.patch.object(fastapi.routing, "get_dependant", wraps=fastapi.routing.get_dependant) as read,
        TestClient(create_app(settings), base_url=BASE) as client,
    ):
        assert client.get("/api/v1/presets").status_code == 401
    assert read.call_count < 20  # those outside the REST API: the page's files, health, shared pages


def test_a_route_of_one_application_is_not_in_another(settings: Settings) -> None:
    one = create_app(settings)
    one.add_api_route("/api/v1/of-one", lambda: "here")
    with TestClient(one, base_url=BASE) as client:
        assert client.get("/api/v1/of-one").json() == "here"
    with TestClient(create_app(settings), base_url=BASE) as client:
        assert client.get("/api/v1/of-one").status_code == 404
