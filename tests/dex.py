"""A real OpenID Connect provider for tests: Dex, on a loopback port, with accounts in memory."""

from __future__ import annotations

import html
import json
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

import httpx2
import pytest

from tests.services import ROOT

PROGRAM = ROOT / "var" / "tools" / "dex" / "dex"
CLIENT_ID = "plimsoll"
SECRET = "the-client-secret"
PASSWORD = "the-password"
PASSWORD_HASH = "$2b$10$0wvoPqkqoHLySIsD.TAoyeEexnfAMs4wifgOEW8Jr/S4TjQtwWwni"
"""bcrypt of PASSWORD."""
TOKEN_LIFETIME_S = 120
START_S = 120.0


@dataclass
class Dex:
    """A running Dex."""

    issuer: str
    process: subprocess.Popen[bytes]

    def stop(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()

    def sign_in(self, url: str, email: str) -> str:
        """Do what a person does there: fill in the form; returns the URL that the browser is sent back to."""
        with httpx2.Client(follow_redirects=False, trust_env=False, timeout=60) as browser:
            answer = browser.get(url)
            for _ in range(6):
                if answer.is_redirect:
                    url = urljoin(str(answer.url), answer.headers["location"])
                    if not url.startswith(self.issuer):
                        return url
                    answer = browser.get(url)
                    continue
                form = re.search(r'<form[^>]*action="([^"]+)"', answer.text)
                assert form, answer.text
                target = urljoin(str(answer.url), html.unescape(form[1]))
                answer = browser.post(target, data={"login": email, "password": PASSWORD})
        raise AssertionError(answer.text)


@contextmanager
def running_dex(home: Path, redirect_uri: str, emails: tuple[str, ...]) -> Iterator[Dex]:
    """Dex with these accounts, each with a verified address."""
    if not PROGRAM.exists():
        pytest.skip("Dex is not built; scripts/test identity builds it")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    issuer = f"http://127.0.0.1:{port}/dex"
    config = {
        "issuer": issuer,
        "storage": {"type": "memory"},
        "web": {"http": f"127.0.0.1:{port}"},
        "oauth2": {"skipApprovalScreen": True},
        "expiry": {"idTokens": f"{TOKEN_LIFETIME_S}s"},
        "enablePasswordDB": True,
        "staticPasswords": [
            {
                "email": email,
                "hash": PASSWORD_HASH,
                "username": email.partition("@")[0],
                "userID": f"id-{email}",
            }
            for email in emails
        ],
        "staticClients": [
            {"id": CLIENT_ID, "name": "Plimsoll", "secret": SECRET, "redirectURIs": [redirect_uri]}
        ],
    }
    file, log = home / "dex.json", home / "dex.log"
    file.write_text(json.dumps(config))
    with log.open("wb") as output:
        process = subprocess.Popen([str(PROGRAM), "serve", str(file)], stdout=output, stderr=output)
    dex = Dex(issuer, process)
    try:
        deadline = time.monotonic() + START_S
        while True:
            try:
                httpx2.get(f"{issuer}/.well-known/openid-configuration", trust_env=False).raise_for_status()
                break
            except httpx2.HTTPError:
                assert process.poll() is None and time.monotonic() < deadline, log.read_text()
                time.sleep(0.05)
        yield dex
    finally:
        dex.stop()
