"""Proxies and certificates that the environment names and that cannot be used: one sentence, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from backend.client.errors import Misconfigured
from backend.client.transport import Transport
from backend.core.errors import Refused
from backend.settings import Settings
from scripts.joining.server import Server
from scripts.starter.terminal import Refusal
from tests.scripts.shell import ROOT
from worker.http_queue.connection import ServerConnection

URL = "https://plimsoll.example.org"
SOCKS = "names a SOCKS proxy (socks5), and only HTTP proxies can be used"
FAULTS = [
    ("ALL_PROXY", "socks5://user:secret@127.0.0.1:1080", SOCKS),
    ("all_proxy", "socks5://127.0.0.1:1080", SOCKS),
    ("HTTPS_PROXY", "socks://127.0.0.1:1080", "names a SOCKS proxy (socks)"),
    ("https_proxy", "socks5h://127.0.0.1:1080", "names a SOCKS proxy (socks5h)"),
    ("HTTPS_PROXY", "ftp://127.0.0.1:21", "names a proxy with the unknown scheme 'ftp'"),
    ("HTTPS_PROXY", "http://[::1", "is not the address of a proxy"),
    ("HTTPS_PROXY", "http://proxy:port", "is not the address of a proxy"),
    ("HTTP_PROXY", "socks4://127.0.0.1:1080", "names a SOCKS proxy (socks4)"),
    ("SSL_CERT_FILE", "/nonexistent/ca.pem", "names /nonexistent/ca.pem (No such file or directory)"),
    (
        "SSL_CERT_FILE",
        str(ROOT / "README.md"),
        "(no certificates): name a file of certificates (PEM), or unset",
    ),
]


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of the machine that runs the tests."""
    for name in [*os.environ]:
        if name.lower().endswith("_proxy") or name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
            monkeypatch.delenv(name)


@pytest.mark.parametrize(("name", "value", "sentence"), FAULTS)
def test_what_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Misconfigured) as refused:
        Transport(URL)
    text = str(refused.value)
    assert text.startswith(f"{name} ") and sentence in text, text
    assert "secret" not in text
    with pytest.raises(Refusal, match=f"^{name} "):
        Server(URL)


@pytest.mark.parametrize("excepted", ["plimsoll.example.org", ".example.org", "*"])
def test_a_proxy_that_is_not_for_this_server_is_not_needed(
    monkeypatch: pytest.MonkeyPatch, excepted: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    monkeypatch.setenv("NO_PROXY", excepted)
    Transport(URL).close()


def test_this_machine_is_reached_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    Transport("http://127.0.0.1:8420").close()


@pytest.mark.parametrize(("name", "value"), [FAULTS[0][:2], FAULTS[-1][:2]])
def test_a_worker_says_it_at_its_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str
) -> None:
    token = tmp_path / "token"
    token.write_text("plm_host_token\n")
    token.chmod(0o600)
    monkeypatch.setenv(name, value)
    connection = ServerConnection(Settings(server_url=URL, host_token_file=token, var_dir=tmp_path))
    with pytest.raises(Refused, match=f"{name} names"):
        connection.call("GET", "/queue")


@pytest.mark.parametrize(("name", "value"), [FAULTS[0][:2], FAULTS[-1][:2]])
def test_the_command_line_ends_with_one_sentence(tmp_path: Path, name: str, value: str) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PLIMSOLL_URL": URL, name: value}
    argv = [sys.executable, "-m", "backend.cli.main", "runs"]
    ended = subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert ended.stderr.startswith(f"plimsoll: {name} ") and "Traceback" not in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
