"""Clients that never finish what they send: the server ends each after a limit, and keeps little of it."""

from __future__ import annotations

import itertools
import json
import select
import socket
from contextlib import ExitStack, suppress
from typing import Final

import pytest
from sqlalchemy import text

from backend.api import slow_bodies
from backend.api.security import MAX_IMPORT_BYTES
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, authorization, browser_headers
from tests.api.attacks.connections import PATIENCE_S, connected, headers_sent, is_answered, rest_of

API: Final = "/api/v1"
LIMIT_S: Final = 0.3
RATE: Final = 64 * 1024
GRACE_S, LEAST_RATE = slow_bodies.GRACE_S, slow_bodies.LEAST_RATE
"""The product's own."""
BODIES: Final = (
    ("POST", f"{API}/imports"),
    ("POST", f"{API}/experiments"),
    ("POST", f"{API}/plans"),
    ("PUT", f"{API}/retention"),
    ("GET", f"{API}/session"),
)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test waits for."""
    monkeypatch.setattr("backend.api.slow_bodies.GRACE_S", LIMIT_S)
    monkeypatch.setattr("backend.api.slow_bodies.LEAST_RATE", RATE)
    monkeypatch.setattr("backend.api.bounded_http.CLIENT_S", LIMIT_S)


def dripped(connection: socket.socket, part: bytes) -> bytes:
    """What a server sends to a client that sends a part every twentieth of a second, until it closes."""
    for _ in range(PATIENCE_S * 20):
        if is_answered(connection, 0.05):
            return rest_of(connection)
        with suppress(ConnectionError):
            connection.sendall(part)
    raise AssertionError("the server still waits")


def document_of(connection: socket.socket) -> bytes:
    """An answer that ends in a JSON document."""
    found = b""
    while not found.endswith(b"}"):
        part = connection.recv(65_536)
        assert part, found
        found += part
    return found


def code_of(answer: bytes) -> tuple[int, str]:
    """Status and code of the problem document of an answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower(), head
    return int(head.split()[1]), str(json.loads(body)["code"])


def test_a_member_keeps_no_unfinished_bodies(settings: Settings, served: str) -> None:
    browser = browser_headers(settings, add_account(settings))
    callers = itertools.cycle([authorization(), browser])
    with ExitStack() as open_:
        waiting = []
        for (method, path), caller in zip(BODIES * 8, callers, strict=False):
            own = caller | ({"Content-Type": ""} if method == "GET" else {})
            connection = open_.enter_context(headers_sent(served, method, path, own, 900))
            connection.sendall(b'{"name": ')
            waiting.append((method, path, connection))
        for method, path, connection in waiting:
            assert code_of(rest_of(connection)) == (408, "body_too_slow"), (method, path)
    with session_scope(settings) as session:
        query = text("SELECT count(*) FROM audit WHERE status = 408 AND code = 'body_too_slow'")
        assert session.scalar(query) == 8 * 4, "all but those that only read"


@pytest.mark.parametrize(
    "headers", [{"Content-Length": "8000000"}, {"Content-Length": "", "Transfer-Encoding": "chunked"}]
)
def test_a_body_that_drips_is_ended(served: str, headers: dict[str, str]) -> None:
    part = b"1\r\n \r\n" if "Transfer-Encoding" in headers else b" "
    with headers_sent(served, "POST", f"{API}/imports", authorization() | headers, 0) as connection:
        assert code_of(dripped(connection, part)) == (408, "body_too_slow")


def test_a_slow_and_steady_import_is_read(served: str) -> None:
    content = b"{" + b" " * 400_000 + b"}"
    pieces = [content[start : start + 20_000] for start in range(0, len(content), 20_000)]
    headers = authorization() | {"Connection": "close"}
    with headers_sent(served, "POST", f"{API}/imports", headers, len(content)) as connection:
        for piece in pieces:  # 200 kB/s for longer than the limit without any byte
            connection.sendall(piece)
            assert piece is pieces[-1] or not is_answered(connection, 0.1)
        assert rest_of(connection).split()[1] == b"422"


def test_the_largest_import_passes_over_a_slow_line() -> None:
    rate = 1.6e6 / 8
    assert rate > LEAST_RATE, "the allowance grows faster than the time"
    assert 40 < MAX_IMPORT_BYTES / rate < 45 < GRACE_S + MAX_IMPORT_BYTES / LEAST_RATE


def test_bodies_of_one_account_are_bounded(served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.api.arriving_bodies.MOST_OF_ACCOUNT", 300_000)
    content = b"{" + b" " * 140_000 + b"}"
    headers = authorization() | {"Connection": "close"}
    with ExitStack() as open_:
        connections = [
            open_.enter_context(headers_sent(served, "POST", f"{API}/imports", headers, len(content)))
            for _ in range(3)
        ]
        for connection in connections:
            connection.sendall(content[:120_000])
        (refused,), _, _ = select.select(connections, [], [], PATIENCE_S)
        answer = rest_of(refused)
        assert answer.split()[1] == b"503" and b"overloaded" in answer and b"retry-after" in answer.lower()
        for connection in connections:
            if connection is not refused:
                connection.sendall(content[120_000:])
                assert rest_of(connection).split()[1] == b"422"


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX"])
def test_a_request_without_the_end_of_its_head_is_ended(served: str, sent: bytes) -> None:
    with connected(served) as connection:
        connection.sendall(sent)
        assert is_answered(connection, PATIENCE_S) and rest_of(connection) == b""


def test_a_head_that_drips_is_ended(served: str) -> None:
    with connected(served) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert document_of(connection).split()[1] == b"200"
        assert dripped(connection, b"G") == b""


def test_the_rest_of_a_body_that_was_refused_is_not_awaited(served: str) -> None:
    with headers_sent(served, "POST", f"{API}/experiments", {}, 900_000) as connection:
        assert document_of(connection).split()[1] == b"401"
        assert dripped(connection, b" ") == b""
