"""Real reverse proxies in front of the server: TLS ends there, streams pass, only they name addresses."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from scripts.starter.certificate import make
from scripts.starter.trust import trust
from tests.api.client import DOCUMENT, Worker, problem_of
from tests.api.reverse_proxies import PROXY_ADDRESS, Program, find, in_front
from tests.api.running import running
from tests.scripts.waiting import eventually

NAME = "plimsoll.example.org"
SPOOFED = "203.0.113.9"


@pytest.fixture(scope="module", params=["nginx", "haproxy"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A proxy of Debian."""
    name: str = request.param
    return find(name, tmp_path_factory.getbasetemp().parent / f"unpacked-{name}")


class Proxied:
    """A server that is reached through a proxy."""

    def __init__(self, direct: str, port: int, pins: Path, headers: dict[str, str]) -> None:
        self.direct = direct
        self._url = f"https://127.0.0.1:{port}"
        self._pins = pins
        self._headers = headers | {"Host": NAME}

    def client(self, source: str = "127.0.0.1") -> httpx2.Client:
        """A client of the proxy, with the credentials of a script, that connects from `source`."""
        transport = httpx2.HTTPTransport(verify=trust(self._pins), local_address=source)
        return httpx2.Client(base_url=self._url, transport=transport, headers=self._headers, timeout=60)


@pytest.fixture
def proxied(settings: Settings, token: dict[str, str], program: Program, tmp_path: Path) -> Iterator[Proxied]:
    """The server behind that proxy, with the configuration of docs/server.md."""
    reach = {"public_url": f"https://{NAME}", "trusted_proxy": PROXY_ADDRESS}
    reached = Settings(**(settings.model_dump() | reach))
    pair = make((NAME,), datetime.now(UTC))
    pins = tmp_path / "pins.pem"
    pins.write_bytes(pair.chain)
    with (
        running(server_config(create_app(reached), reached)) as direct,
        in_front(program, direct, pair, tmp_path / "proxy") as port,
    ):
        yield Proxied(direct, port, pins, token)


def test_tls_ends_at_the_proxy(proxied: Proxied) -> None:
    with proxied.client() as client:
        answer = client.get("/healthz")
        assert answer.status_code == 200
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        own, foreign = {"Origin": f"https://{NAME}"}, {"Origin": "https://evil.example"}
        assert client.post("/api/v1/plans", json=DOCUMENT, headers=own).status_code == 200
        problem_of(client.post("/api/v1/plans", json=DOCUMENT, headers=foreign), 403, "cross_origin")
        problem_of(client.get("/healthz", headers={"Host": "evil.example"}), 421, "foreign_host")
        problem_of(client.get("/api%2fv1/presets"), 404, "not_found")


def clients(records: list[logging.LogRecord]) -> list[Any]:
    """The client's address of each logged request."""
    return [vars(record)["client"] for record in records if record.name == "backend.api.access_log"]


def test_an_address_is_believed_from_the_proxy_only(
    proxied: Proxied, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "backend.api.access_log")
    spoofed = {"X-Forwarded-For": SPOOFED, "Forwarded": f"for={SPOOFED}", "X-Real-IP": SPOOFED}
    with proxied.client("127.0.0.3") as client:
        client.get("/api/v1/presets")
        client.get("/api/v1/presets", headers=spoofed)
        client.get("/api/v1/presets", headers={"X-Forwarded-For": f"{SPOOFED}, {PROXY_ADDRESS}"})
    with httpx2.Client(base_url=proxied.direct, trust_env=False, timeout=60) as stranger:
        stranger.get("/api/v1/presets", headers=spoofed)
    assert eventually(lambda: len(clients(caplog.records)) == 4)  # an entry is written after the response
    assert clients(caplog.records) == ["127.0.0.3", "127.0.0.3", "127.0.0.3", "127.0.0.1"]


def test_an_event_stream_passes_while_it_is_open(proxied: Proxied, worker: Worker) -> None:
    with proxied.client() as client:
        experiment = client.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
        run = client.post(f"/api/v1/experiments/{experiment}/runs", json={}).json()["id"]
        with client.stream("GET", f"/api/v1/runs/{run}/events") as stream:
            states = (
                json.loads(line.removeprefix("data: ")).get("state")
                for line in stream.iter_lines()
                if line.startswith("data: ")
            )
            assert next(states)
            claimed = worker.claim()
            assert "running" in states
            worker.record(claimed)
            assert "done" in states
