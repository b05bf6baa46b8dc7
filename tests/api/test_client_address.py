"""The client's address: the connection's, or what a trusted proxy added to X-Forwarded-For."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from pydantic import ValidationError

from backend.api.client_address import TrustedProxies, client_address
from backend.api.serve import server_config
from backend.settings import Settings
from backend.web_address import read_networks
from tests.api.running import running

PROXY = "192.0.2.1"
STRANGER = "198.51.100.7"


def seen(proxies: str, peer: str | None, *forwarded: str, name: str = "x-forwarded-for") -> str:
    """The address that an endpoint sees."""
    found: list[str] = []

    async def endpoint(scope: Any, _receive: Any, _send: Any) -> None:
        found.append(client_address(scope))

    headers = [(name.encode(), value.encode("latin-1")) for value in forwarded]
    scope = {"type": "http", "client": None if peer is None else (peer, 4711), "headers": headers}
    app: Any = TrustedProxies(endpoint, read_networks(proxies))
    asyncio.run(app(scope, None, None))
    return found[0]


@pytest.mark.parametrize(
    "name", ["x-forwarded-for", "forwarded", "x-real-ip", "x-client-ip", "true-client-ip"]
)
@pytest.mark.parametrize("peer", [STRANGER, "127.0.0.1", "::1"])
def test_a_header_of_a_stranger_changes_nothing(peer: str, name: str) -> None:
    assert seen("", peer, "203.0.113.9", name=name) == peer
    assert seen(PROXY, peer, "203.0.113.9", name=name) == peer


@pytest.mark.parametrize("name", ["forwarded", "x-real-ip", "x-client-ip", "x-forwarded-host"])
def test_only_one_header_of_a_proxy_is_read(name: str) -> None:
    assert seen(PROXY, PROXY, "203.0.113.9", name=name) == PROXY


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        (("203.0.113.9",), "203.0.113.9"),
        (("10.0.0.1, 203.0.113.9",), "203.0.113.9"),  # the client itself sent the first one
        (("10.0.0.1", "203.0.113.9"), "203.0.113.9"),
        (("10.0.0.1,203.0.113.9 , 192.0.2.1",), "203.0.113.9"),  # two proxies
        (("203.0.113.9:4711",), "203.0.113.9"),
        (("[2001:DB8::0:9]:4711",), "2001:db8::9"),
        (("2001:db8::9",), "2001:db8::9"),
        (("::ffff:203.0.113.9",), "203.0.113.9"),
        ((), PROXY),
        (("",), PROXY),
        (("unknown",), PROXY),
        (("203.0.113.9, unknown",), PROXY),
        (("203.0.113.9, <script>",), PROXY),
        (("203.0.113.9,",), PROXY),
        (("192.0.2.1",), PROXY),
    ],
)
def test_the_last_address_that_is_no_proxy_is_the_client(forwarded: tuple[str, ...], client: str) -> None:
    assert seen(PROXY, PROXY, *forwarded) == client
    assert seen("192.0.2.0/24", PROXY, *forwarded) == client
    assert seen(PROXY, f"::ffff:{PROXY}", *forwarded) == client


@pytest.mark.parametrize(
    "claimed", ["127.0.0.1", "::1", "127.9.9.9", "::ffff:127.0.0.1", "127.0.0.1, 192.0.2.9"]
)
def test_a_client_of_another_host_is_no_program_of_this_one(claimed: str) -> None:
    """Programs of this host have no limit of their address, and their right secrets are never refused."""
    last = "192.0.2.9" if "192.0.2.9" in claimed else PROXY
    assert seen("192.0.2.0/24", PROXY, claimed) == last
    assert seen("192.0.2.0/24,127.0.0.1", PROXY, claimed) == last
    assert seen("127.0.0.0/8,::1", "127.0.0.1", "127.0.0.1") == "127.0.0.1"  # through a proxy of this host


def test_a_connection_without_an_address() -> None:
    assert seen(PROXY, None, "203.0.113.9") == "unknown"
    assert client_address({"client": ("testclient", 1)}) == "testclient"


@pytest.mark.parametrize("given", ["0.0.0.0/0", "::/0", "*", "proxy.example.org", "192.0.2.1/24", "192.0.2"])
def test_a_proxy_that_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(ValidationError, match="PLIMSOLL_TRUSTED_PROXY"):
        Settings(trusted_proxy=given)


def test_the_server_itself_believes_no_forwarded_header() -> None:
    found: list[tuple[Any, str]] = []

    async def app(scope: Any, _receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            found.append((scope["client"][0], scope["scheme"]))
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    with running(server_config(app, Settings())) as base:
        headers = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
        assert "server" not in httpx2.get(base, headers=headers, trust_env=False, timeout=60).headers
    assert found == [("127.0.0.1", "http")]
