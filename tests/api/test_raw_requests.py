"""Requests that no HTTP library sends, written to a real socket: one reading, or a refusal."""

from __future__ import annotations

import json
import socket
from urllib.parse import urlsplit

import pytest

from tests.accounts import authorization

HOST = "Host: 127.0.0.1"


def send(served: str, *lines: str, body: str = "") -> tuple[int, dict[str, str], str, bool]:
    """Status, headers and body of the response, and whether the server then closed the connection."""
    address = urlsplit(served)
    assert address.hostname is not None and address.port is not None
    with socket.create_connection((address.hostname, address.port), timeout=60) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n" + body).encode("latin-1"))
        with connection.makefile("rb") as file:
            status = int(file.readline().split()[1])
            headers: dict[str, str] = {}
            while line := file.readline().decode("latin-1").strip():
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            length = headers.get("content-length")
            text = (file.read() if length is None else file.read(int(length))).decode()
            closed = True if length is None else headers.get("connection") == "close" and file.read() == b""
    return status, headers, text, closed


def token_line() -> str:
    return f"Authorization: {authorization()['Authorization']}"


def code(text: str) -> str:
    """The code of a problem document."""
    found: str = json.loads(text)["code"]
    return found


@pytest.mark.parametrize(
    "framing",
    [
        ("Content-Length: 2", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: chunked", "Content-Length: 6"),
        ("Content-Length: 0", "Transfer-Encoding: Chunked"),
    ],
)
def test_a_body_with_two_lengths_is_refused(served: str, framing: tuple[str, str]) -> None:
    lines = ("POST /api/v1/plans HTTP/1.1", HOST, "Content-Type: application/json", *framing)
    smuggled = "0\r\n\r\nGET /api/v1/hosts HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    status, _, text, closed = send(served, *lines, body=smuggled)
    assert (status, code(text), closed) == (400, "bad_request", True)


@pytest.mark.parametrize(
    "framing",
    [
        ("Content-Length: 2", "Content-Length: 3"),
        ("Content-Length: 2, 3",),
        ("Content-Length: +2",),
        ("Content-Length: 0x2",),
        ("Content-Length: -2",),
        ("Transfer-Encoding: chunked, identity",),
        ("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding : chunked",),
        ("Transfer-Encoding: gzip, chunked",),
    ],
)
def test_a_body_without_a_readable_length_is_refused(served: str, framing: tuple[str, ...]) -> None:
    lines = ("POST /api/v1/plans HTTP/1.1", HOST, "Content-Type: application/json", *framing)
    status, _, _, closed = send(served, *lines, body="{}")
    assert (status, closed) == (400, True)


@pytest.mark.parametrize(
    "hosts",
    [
        (),
        (HOST, "Host: evil.example"),
        ("Host: evil.example", HOST),
        (HOST, HOST),
    ],
)
def test_a_request_names_one_host(served: str, hosts: tuple[str, ...]) -> None:
    status, _, _, closed = send(served, "GET /api/v1/presets HTTP/1.1", *hosts)
    assert (status, closed) == (400, True)


def test_http_1_0_names_its_host_as_well(served: str) -> None:
    status, _, text, _ = send(served, "GET /healthz HTTP/1.0")
    assert (status, code(text)) == (421, "foreign_host")


@pytest.mark.parametrize(
    "target",
    [
        "/api%2fv1/presets",
        "/api%2Fv1%2Fpresets",
        "/%61pi/v1/presets",
        "/api/v1/%70resets",
        "/api%5cv1%5cpresets",
        "/api/v1/exports/..%2fpresets",
        "/api/v1/%2e%2e/v1/presets",
        "/api/v1/../v1/presets",
        "/api/./v1/presets",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..",
        "/api/v1/presets%00",
        "/api/v1/presets%0d%0aX: y",
        "/api/v1/presets%",
        "/api/v1/presets%zz",
        "http://127.0.0.1/api/v1/presets",
        "http://evil.example/api/v1/presets",
        "api/v1/presets",
    ],
)
def test_a_path_has_one_spelling(served: str, target: str) -> None:
    status, headers, text, _ = send(served, f"GET {target} HTTP/1.1", HOST)
    assert status in (400, 404), text
    if headers["content-type"] != "text/plain; charset=utf-8":  # h11 itself refuses a malformed request line
        assert code(text) == "not_found"


def test_other_encoded_letters_are_served(served: str) -> None:
    status, _, text, _ = send(served, "GET /api/v1/runs/x%3Ay HTTP/1.1", HOST, token_line())
    assert (status, code(text)) == (404, "not_found")
    status, _, text, _ = send(served, "GET /api/v1/runs/%C3%A9 HTTP/1.1", HOST, token_line())
    assert (status, code(text)) == (404, "not_found")
