"""Where a token is sent, and where it is kept."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from backend.client.address import origin_of
from backend.client.credentials import Credentials
from backend.client.errors import Misconfigured, Refused
from backend.client.transport import Transport
from tests.api.command import Command

TOKEN = "plm_" + "A" * 36
BODY = b'{"data": []}'


class Recorder(BaseHTTPRequestHandler):
    """Keeps the Authorization header of each request; answers with the server's `answer`."""

    def do_GET(self) -> None:
        self.server.seen.append(self.headers["Authorization"])  # type: ignore[attr-defined]
        status, headers = self.server.answer  # type: ignore[attr-defined]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


class Server(HTTPServer):
    """A server that records what it is sent."""

    def __init__(self, status: int = 200, **headers: str) -> None:
        super().__init__(("127.0.0.1", 0), Recorder)
        self.seen: list[str | None] = []
        self.answer = (status, headers)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def other() -> Iterator[Server]:
    """The server that must see nothing."""
    yield from serving(Server())


@pytest.fixture
def redirecting(other: Server) -> Iterator[Server]:
    """A server that redirects to the other one."""
    yield from serving(Server(307, Location=f"{other.url}/api/v1/presets"))


def serving(server: Server) -> Iterator[Server]:
    with server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join(60)


def test_the_token_is_sent_as_bearer(other: Server) -> None:
    with Transport(other.url, TOKEN) as transport:
        transport.get("/presets")
    assert other.seen == [f"Bearer {TOKEN}"]


def test_a_redirect_is_not_followed(redirecting: Server, other: Server) -> None:
    with (
        Transport(redirecting.url, TOKEN) as transport,
        pytest.raises(Refused, match="redirects to") as found,
    ):
        transport.get("/presets")
    assert (redirecting.seen, other.seen) == ([f"Bearer {TOKEN}"], [])
    assert TOKEN not in str(found.value)


def test_a_proxy_never_sees_requests_to_this_machine(
    other: Server, redirecting: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", redirecting.url)
    monkeypatch.setenv("http_proxy", redirecting.url)
    with Transport(other.url, TOKEN) as transport:
        transport.get("/presets")
    assert redirecting.seen == []


@pytest.mark.parametrize(
    "url",
    [
        "http://192.0.2.1:8420",
        "http://bench.example.org",
        "http://127.0.0.1.example.org",
        "http://[2001:db8::1]",
    ],
)
def test_plain_http_beyond_this_machine_is_refused(url: str) -> None:
    with pytest.raises(Misconfigured, match="PLIMSOLL_ALLOW_HTTP=1") as found:
        Transport(url, TOKEN)
    assert TOKEN not in str(found.value)
    Transport(url, TOKEN, allow_http=True).close()
    Transport(url).close()
    Transport(url.replace("http:", "https:"), TOKEN).close()


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8420", "http://localhost", "http://[::1]:1", "http://127.9.9.9"]
)
def test_plain_http_on_this_machine_is_allowed(url: str) -> None:
    Transport(url, TOKEN).close()


@pytest.mark.parametrize("token", ["plm_a b", "plm_a\nX-Evil: 1", "plm_ä", "plm_\x00"])
def test_text_that_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(Misconfigured, match="characters") as found:
        Transport("http://127.0.0.1:1", token)
    assert token not in str(found.value)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("HTTPS://Bench.Example.org:443/", "https://bench.example.org"),
        ("http://[::1]:80", "http://[::1]"),
        ("https://example.org/plimsoll/", "https://example.org/plimsoll"),
    ],
)
def test_a_server_has_one_name(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    "url", ["", "bench", "ftp://a", "https://", "https://u:p@a", "https://a/?b", "https://a/#b"]
)
def test_what_is_no_server_is_refused(url: str) -> None:
    with pytest.raises(Misconfigured):
        origin_of(url)


@pytest.fixture
def credentials(tmp_path: Path) -> Credentials:
    """A credentials file in a folder that does not exist."""
    return Credentials(tmp_path / "config" / "plimsoll" / "credentials.json")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_tokens_are_kept_by_server(credentials: Credentials) -> None:
    os.umask(os.umask(0))
    assert credentials.token("https://a.example") is None and not credentials.forget("https://a.example")
    credentials.store("https://a.example/", TOKEN)
    credentials.store("http://127.0.0.1:8420", "plm_other")
    assert credentials.token("https://A.example:443") == TOKEN
    assert (
        credentials.token("http://a.example") is None and credentials.token("https://a.example:8443") is None
    )
    assert (mode(credentials.path), mode(credentials.path.parent)) == (0o600, 0o700)
    assert list(credentials.path.parent.iterdir()) == [credentials.path]
    assert credentials.forget("https://a.example") and credentials.urls() == ("http://127.0.0.1:8420",)


@pytest.mark.parametrize("bits", [0o640, 0o604, 0o620, 0o602, 0o660, 0o666, 0o610])
def test_a_file_that_others_reach_is_refused_with_the_remedy(credentials: Credentials, bits: int) -> None:
    credentials.store("https://a.example", TOKEN)
    credentials.path.chmod(bits)
    for use in (credentials.token, credentials.forget, lambda url: credentials.store(url, "x")):
        with pytest.raises(Misconfigured, match=f"chmod 600 {credentials.path}") as found:
            use("https://a.example")
        assert TOKEN not in str(found.value)
    assert TOKEN in credentials.path.read_text()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"tokens": []}', '{"tokens": {"a": 1}}', "\xff"])
def test_a_damaged_file_is_named(credentials: Credentials, text: str) -> None:
    credentials.path.parent.mkdir(parents=True)
    credentials.path.write_text(text, encoding="latin-1")
    credentials.path.chmod(0o600)
    with pytest.raises(Misconfigured, match="is not a credentials file"):
        credentials.token("https://a.example")


def test_a_failed_write_leaves_the_old_file(
    credentials: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    credentials.store("https://a.example", TOKEN)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Misconfigured, match="No space left"):
        credentials.store("https://b.example", "x")
    assert credentials.urls() == ("https://a.example",)
    assert list(credentials.path.parent.iterdir()) == [credentials.path]


@pytest.fixture
def plimsoll(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command with an own folder for configuration."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("PLIMSOLL_TOKEN", raising=False)
    return Command(capsys, monkeypatch)


def test_the_command_uses_the_token_of_its_server(
    plimsoll: Command, other: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIMSOLL_URL", other.url)
    plimsoll("hosts", "--json")
    Credentials().store(other.url, TOKEN)
    plimsoll("hosts", "--json")
    monkeypatch.setenv("PLIMSOLL_TOKEN", "plm_of_the_environment")
    plimsoll("hosts", "--json")
    monkeypatch.delenv("PLIMSOLL_TOKEN")
    plimsoll("logout")
    plimsoll("hosts", "--json")
    assert other.seen == [None, f"Bearer {TOKEN}", "Bearer plm_of_the_environment", None]


def test_the_command_says_what_is_wrong_with_its_token(
    plimsoll: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIMSOLL_URL", "http://192.0.2.1")
    monkeypatch.setenv("PLIMSOLL_TOKEN", TOKEN)
    plimsoll("hosts", code=2)
    assert "plain http" in plimsoll.err and TOKEN not in plimsoll.err
    monkeypatch.delenv("PLIMSOLL_TOKEN")
    Credentials().store("http://192.0.2.1", TOKEN)
    (tmp_path / "plimsoll" / "credentials.json").chmod(0o644)
    plimsoll("hosts", code=2)
    assert "chmod 600" in plimsoll.err and TOKEN not in plimsoll.err


def test_an_answer_that_needs_a_sign_in_names_the_way(
    plimsoll: Command, other: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = {"title": "Sign in", "status": 401, "code": "unauthenticated", "detail": "", "errors": []}
    monkeypatch.setenv("PLIMSOLL_URL", other.url)
    other.answer = (401, {"Content-Type": "application/problem+json"})
    monkeypatch.setattr("httpx2.Response.json", lambda self: json.loads(json.dumps(problem)))
    plimsoll("hosts", code=1)
    assert "set PLIMSOLL_TOKEN to a token of this server" in plimsoll.err
