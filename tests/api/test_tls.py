"""https by the server itself: its certificate, a renewed one, what programs trust, and HSTS."""

from __future__ import annotations

import asyncio
import logging
import ssl
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.api.tls import ReloadingCertificate
from backend.client.errors import Misconfigured, Unreachable
from backend.client.transport import Transport
from backend.client.trust import trust as trust_file
from backend.settings import Settings
from scripts.starter.api import answers
from scripts.starter.certificate import Pair, make
from scripts.starter.trust import trust
from tests.api.running import running

NOW = datetime.now(UTC)


def pair(folder: Path, *hosts: str, now: datetime = NOW) -> tuple[Settings, Pair]:
    """Settings with a pair that is made for these hosts, and the pair."""
    made = make(hosts or ("127.0.0.1",), now)
    file = folder / "server.pem"
    file.write_bytes(made.key + made.chain)
    return Settings(tls_cert=file, tls_key=file), made


def pins(folder: Path, *pairs: Pair) -> Path:
    """A file with certificates."""
    file = folder / "pins.pem"
    file.write_bytes(b"".join(found.chain for found in pairs))
    return file


async def app(scope: Any, _receive: Any, send: Any) -> None:
    """Answers every request."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": scope["scheme"].encode()})


def test_the_starter_trusts_this_certificate_and_no_other(tmp_path: Path) -> None:
    settings, made = pair(tmp_path, "elsewhere.example.org")
    with running(server_config(app, settings), "https") as base:
        assert answers(base, trust(pins(tmp_path, made)))
        assert answers(base, trust(pins(tmp_path, make(("127.0.0.1",), NOW), made)))
        assert not answers(base, trust(pins(tmp_path, make(("127.0.0.1",), NOW))))
        assert not answers(base)
        assert not answers(base.replace("https:", "http:"))


def test_an_expired_certificate_is_no_reason_to_restart(tmp_path: Path) -> None:
    settings, made = pair(tmp_path, now=datetime(2020, 1, 1, tzinfo=UTC))
    with running(server_config(app, settings), "https") as base:
        assert answers(base, trust(pins(tmp_path, made)))


def test_a_client_trusts_the_certificate_of_a_file(tmp_path: Path) -> None:
    settings, made = pair(tmp_path)
    with running(server_config(app, settings), "https") as base:
        verify = trust_file(str(pins(tmp_path, made)))
        assert httpx2.get(base, verify=verify, trust_env=False, timeout=60).text == "https"
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(base, verify=trust_file(None), trust_env=False, timeout=60)
        wrong_name = base.replace("127.0.0.1", "localhost")
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(wrong_name, verify=verify, trust_env=False, timeout=60)


def test_an_untrusted_certificate_is_refused_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.client.transport.PAUSE_S", 0.0)
    settings, _ = pair(tmp_path)
    with (
        running(server_config(app, settings), "https") as base,
        Transport(base, trust_env=False) as client,
        pytest.raises(Unreachable, match=r"certificate of https://127.* is not trusted .* PLIMSOLL_CA_FILE"),
    ):
        client.get("/presets")


@pytest.mark.parametrize("content", [None, "no certificate", "é"])
def test_a_file_without_a_certificate_is_refused(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)
    with pytest.raises(Misconfigured, match=r"ca\.pem has no certificate in PEM"):
        trust_file(str(file))


def test_old_versions_of_tls_are_refused(tmp_path: Path) -> None:
    settings, made = pair(tmp_path)
    context = trust(pins(tmp_path, made))
    assert isinstance(context, ssl.SSLContext)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    with running(server_config(app, settings), "https") as base:
        assert not answers(base, context)


def test_a_renewed_certificate_is_used_without_a_restart(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "backend.api.tls")
    settings, old = pair(tmp_path)
    config = server_config(app, settings)
    assert config.callback_notify is not None
    with running(config, "https") as base:
        assert answers(base, trust(pins(tmp_path, old)))
        _, new = pair(tmp_path)
        asyncio.run(config.callback_notify())
        assert answers(base, trust(pins(tmp_path, new))) and not answers(base, trust(pins(tmp_path, old)))
        (tmp_path / "server.pem").write_bytes(old.key + new.chain)
        asyncio.run(config.callback_notify())
        asyncio.run(config.callback_notify())
        assert answers(base, trust(pins(tmp_path, new)))
    assert caplog.text.count("the certificate in use stays") == 1


def test_without_a_certificate_the_server_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"absent\.pem"):
        ReloadingCertificate(Settings(tls_cert=tmp_path / "absent.pem", tls_key=tmp_path / "absent.pem"))


CERTIFICATE = {"tls_cert": "/c.pem", "tls_key": "/c.pem"}


@pytest.mark.parametrize(
    ("given", "strict"),
    [
        ({"public_url": "https://plimsoll.example.org"} | CERTIFICATE, True),
        ({"public_url": "https://plimsoll.example.org", "trusted_proxy": "127.0.0.1"}, True),
        ({"public_url": "https://plimsoll.example.org:8420"} | CERTIFICATE, False),
        ({"public_url": "https://plimsoll.example.org", "tls_self_made": True} | CERTIFICATE, False),
        ({"public_url": "https://192.0.2.7"} | CERTIFICATE, False),
        ({"public_url": "https://localhost"} | CERTIFICATE, False),
        ({}, False),
    ],
)
def test_strict_transport_only_where_the_host_is_plimsolls_own(given: dict[str, Any], strict: bool) -> None:
    found: dict[bytes, bytes] = {}

    async def send(message: Any) -> None:
        found.update(dict(message.get("headers", [])))

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/healthz",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1")],
    }
    asyncio.run(create_app(Settings(**given))(scope, receive, send))
    assert (found.get(b"strict-transport-security") == b"max-age=31536000") is strict
    assert b"content-security-policy" in found
