"""Host names and origins: compared with the configuration, whatever the client sends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from backend.api.app import create_app
from backend.settings import Settings
from tests.accounts import signed_in
from tests.api.client import BASE, DOCUMENT, problem_of

PUBLIC = "https://plimsoll.example.org"
NAMES = "bench.example.org, other.example.org:8443, http://inside.example.org"


@pytest.fixture
def public(settings: Settings) -> Iterator[TestClient]:
    """A server on loopback behind a proxy, with a public URL and three more names."""
    reached = settings.model_copy(update={"public_url": PUBLIC, "allowed_hosts": NAMES})
    with TestClient(create_app(reached), base_url=BASE, headers=signed_in(reached)) as client:
        yield client


@pytest.mark.parametrize(
    "host",
    [
        "evil@127.0.0.1",
        "127.0.0.1@evil.example",
        "127.0.0.1:",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:8420:8420",
        "127.0.0.1.",
        "localhost.",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "[127.0.0.1]",
        "[::1",
        "::1",
        "[::1%25lo]",
        "[::1]x",
        "127.0.0.1, evil.example",
        "127.0.0.1/",
        "127.0.0.1?",
        "http://127.0.0.1",
        "localhost\\@evil.example",
        "localhost evil.example",
    ],
)
def test_a_malformed_host_is_refused(api: TestClient, host: str) -> None:
    problem_of(api.get("/api/v1/presets", headers={"Host": host}), 421, "foreign_host")


@pytest.mark.parametrize("name", ["X-Forwarded-Host", "Forwarded", "X-Host", "X-Original-Host"])
def test_another_header_does_not_name_the_host(api: TestClient, name: str) -> None:
    headers = {"Host": "evil.example", name: "127.0.0.1" if name != "Forwarded" else "host=127.0.0.1"}
    problem_of(api.get("/api/v1/presets", headers=headers), 421, "foreign_host")


@pytest.mark.parametrize(
    "host",
    [
        "plimsoll.example.org",
        "PLIMSOLL.example.org:443",
        "bench.example.org",
        "other.example.org:8443",
        "inside.example.org",
        "127.0.0.1:8420",
        "localhost",
    ],
)
def test_configured_names_are_served(public: TestClient, host: str) -> None:
    assert public.get("/api/v1/presets", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["example.org", "x.plimsoll.example.org", "plimsoll.example.org.", "192.0.2.1"]
)
def test_other_names_are_refused_with_a_remedy(public: TestClient, host: str) -> None:
    found = problem_of(public.get("/api/v1/presets", headers={"Host": host}), 421, "foreign_host")
    assert "PLIMSOLL_ALLOWED_HOSTS" in found["detail"]


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("plimsoll.example.org", PUBLIC),
        ("127.0.0.1:8420", PUBLIC),  # a reverse proxy that does not pass the Host header on
        ("bench.example.org", "https://bench.example.org"),
        ("other.example.org:8443", "https://other.example.org:8443"),
        ("inside.example.org", "http://inside.example.org"),
        ("127.0.0.1:8420", "http://127.0.0.1:8420"),
        ("localhost:9000", "http://localhost:9000"),  # an SSH tunnel from another port
        ("[::1]:8420", "http://[::1]:8420"),
    ],
)
def test_the_own_origins_may_change_something(public: TestClient, host: str, origin: str) -> None:
    answer = public.post("/api/v1/plans", json=DOCUMENT, headers={"Host": host, "Origin": origin})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("plimsoll.example.org", "http://plimsoll.example.org"),
        ("plimsoll.example.org:9000", "https://plimsoll.example.org:9000"),
        ("plimsoll.example.org", "https://bench.example.org"),
        ("bench.example.org", "http://bench.example.org"),
        ("bench.example.org:9000", "http://bench.example.org:9000"),
        ("127.0.0.1:8420", "https://127.0.0.1:8420"),
        ("127.0.0.1:8420", "http://localhost:8420"),
        ("127.0.0.1:8420", "http://127.0.0.1:8421"),
        ("127.0.0.1:8420", "http://user@127.0.0.1:8420"),
        ("127.0.0.1:8420", "http://127.0.0.1:8420/"),
        ("127.0.0.1:8420", "http://127.0.0.1:8420, http://evil.example"),
        ("127.0.0.1:8420", ""),
        ("127.0.0.1:8420", "null"),
    ],
)
def test_other_origins_may_not(public: TestClient, host: str, origin: str) -> None:
    answer = public.post("/api/v1/plans", json=DOCUMENT, headers={"Host": host, "Origin": origin})
    problem_of(answer, 403, "cross_origin")


@pytest.mark.parametrize("given", ["*", "*.example.org", "https://a/b", "a b", "user@a", "a:0", "ftp://a"])
def test_a_list_of_names_that_cannot_be_read_is_refused(given: str) -> None:
    with pytest.raises(ValidationError, match="PLIMSOLL_ALLOWED_HOSTS"):
        Settings(allowed_hosts=given)
