"""`plimsoll login`, `whoami` and `logout` against the real API; a person confirms as a browser does."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest

from backend.api.app import create_app
from backend.api.device_authorizations import service
from backend.api.serve import server_config
from backend.client import Plimsoll, Refused
from backend.client.credentials import Credentials
from backend.client.device_flow import begin, wait
from backend.client.transport import Transport
from backend.client.trust import fingerprint, trust
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from scripts.starter.certificate import Pair, make
from tests.accounts import add_account, browser_headers
from tests.api.running import running
from tests.services import ROOT

DEVICES = "/api/v1/device-authorizations"
CODE = re.compile(r"[?]user_code=([A-Z]{4}-[A-Z]{4})$")


class Person:
    """Ada, a runner, in a browser at a server."""

    def __init__(self, settings: Settings, base: str, verify: Any = True) -> None:
        headers = browser_headers(settings, add_account(settings, "runner", name="Ada"))
        self.http = httpx2.Client(base_url=base, headers=headers, verify=verify, trust_env=False, timeout=60)

    def approve(self, code: str, *scopes: str) -> None:
        given = {"user_code": code, "team_id": DEFAULT_TEAM, "scopes": scopes, "expires_in_days": 7}
        assert self.http.post(f"{DEVICES}:approve", json=given).status_code == 204

    def deny(self, code: str) -> None:
        assert self.http.post(f"{DEVICES}:deny", json={"user_code": code}).status_code == 204

    def tokens(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.http.get("/api/v1/tokens").json()["data"]
        return found


def _interruptible() -> None:
    """Let Ctrl-C end the process: what a shell starts in the background inherits that SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Shell:
    """Runs the command in processes of its own, with a home of its own."""

    def __init__(self, home: Path) -> None:
        self.credentials = Credentials(home / "plimsoll" / "credentials.json")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PLIMSOLL_")}
        self.environment = kept | {
            "XDG_CONFIG_HOME": str(home),
            "PYTHONPATH": str(ROOT),
            "PLIMSOLL_VAR_DIR": str(home),
        }

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        argv = [sys.executable, "-m", "backend.cli.main", *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            argv, env=self.environment, stdout=pipe, stderr=pipe, text=True, preexec_fn=_interruptible
        )

    def __call__(self, *arguments: str, code: int = 0) -> str:
        with self.start(*arguments) as process:
            out, err = process.communicate(timeout=60)
        assert process.returncode == code, out + err
        return out + err


def code_of(process: subprocess.Popen[str]) -> str:
    """The code that a waiting login shows."""
    assert process.stderr is not None
    seen = ""
    for line in process.stderr:
        seen += line
        if found := CODE.search(line.strip()):
            return found[1]
    raise AssertionError(f"no code: {seen}")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture(autouse=True)
def short_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "INTERVAL_S", 1)


@pytest.fixture
def base(settings: Settings) -> Iterator[str]:
    with running(server_config(create_app(settings), settings)) as found:
        yield found


def test_login_whoami_and_logout(shell: Shell, settings: Settings, base: str) -> None:
    person = Person(settings, base)
    with shell.start("login", base) as process:
        code = code_of(process)
        shown = person.http.post(f"{DEVICES}:find", json={"user_code": code}).json()
        assert shown["scopes"] == ["run:read", "run:write", "share:write"] and shown["same_address"]
        person.approve(code, "run:read", "run:write")
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, ""), err
    assert f"Signed in to {base}" in err and "Ada" in err
    token = shell.credentials.token(base)
    assert token is not None and token not in err
    assert shell.credentials.path.stat().st_mode & 0o777 == 0o600
    (entry,) = person.tokens()
    assert entry["name"] == f"Command line on {shown['client_name']}" and token.startswith(entry["prefix"])
    # The server of the sign-in is the default one.
    found = json.loads(shell("whoami", "--json"))
    assert (found["server"], found["account"]["name"], found["team"]["role"]) == (base, "Ada", "runner")
    assert found["scopes"] == ["run:read", "run:write"] and found["token"]["expires_at"]
    text = shell("whoami")
    assert all(part in text for part in (base, "Ada", "role runner", "run:read, run:write", "in 6 days"))
    assert token not in text and str(shell.credentials.path) in text
    assert "signed out" in shell("logout")
    assert shell.credentials.urls() == () and person.tokens() == []
    answer = httpx2.get(
        f"{base}/api/v1/runs", headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=60
    )
    assert answer.status_code == 401


def test_a_second_login_ends_the_first_token(shell: Shell, settings: Settings, base: str) -> None:
    person = Person(settings, base)
    prefixes = []
    for _ in range(2):
        with shell.start("login", base) as process:
            person.approve(code_of(process), "run:read")
            _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        prefixes.append([entry["prefix"] for entry in person.tokens()])
    assert [len(found) for found in prefixes] == [1, 1] and prefixes[0] != prefixes[1]


def test_a_denied_login_stores_nothing(shell: Shell, settings: Settings, base: str) -> None:
    with shell.start("login", base) as process:
        Person(settings, base).deny(code_of(process))
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1 and "denied in the browser" in err
    assert not shell.credentials.path.exists()


def test_an_interrupted_login_stores_nothing(shell: Shell, base: str) -> None:
    with shell.start("login", base) as process:
        code_of(process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "cancelled" in err and "Traceback" not in err
    assert not shell.credentials.path.exists()


def test_without_a_sign_in_whoami_names_the_way(shell: Shell, base: str) -> None:
    shell.environment["PLIMSOLL_URL"] = base
    assert "run plimsoll login" in shell("whoami", code=1)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("http://192.0.2.1",), "plain http"),
        (("https://u:p@a.example",), "no user, password"),
        (("https://a.example", "--cacert", "/missing.pem"), "/missing.pem"),
        (("https://a.example", "--cacert", "a", "--fingerprint", "b"), "choose one"),
        (("http://127.0.0.1:9", "--fingerprint", "AB"), "https://"),
    ],
)
def test_what_login_refuses(shell: Shell, arguments: tuple[str, ...], text: str) -> None:
    assert text in shell("login", *arguments, code=2)


def test_a_server_that_is_away(shell: Shell) -> None:
    assert "does not answer" in shell("login", "http://127.0.0.1:9", code=1)


def test_the_client_slows_down_and_survives_an_outage(settings: Settings, base: str) -> None:
    person = Person(settings, base)
    with Transport(base) as transport:
        authorization = begin(transport, "laptop", ("run:read",))
        pauses: list[float] = []

        def pause(seconds: float) -> None:
            """No time passes, so that the server finds every request too early."""
            pauses.append(seconds)
            if len(pauses) == 4:
                person.approve(authorization.user_code, "run:read")

        token = wait(transport, authorization, pause)
    assert pauses == [1, 1, 6, 11]
    with Plimsoll(base, token) as client:
        assert list(client.runs()) == []


def test_the_client_stops_when_the_code_has_expired(settings: Settings, base: str) -> None:
    with Transport(base) as transport:
        authorization = begin(transport, "laptop", ("run:read",))
        Person(settings, base).deny(authorization.user_code)
        with pytest.raises(Refused, match="access_denied"):
            wait(transport, authorization, lambda seconds: None)


@pytest.fixture
def secured(settings: Settings, tmp_path: Path) -> Iterator[tuple[str, Pair, Path]]:
    """The API with a certificate that no authority signed: its URL, the pair and the certificate's file."""
    made = make(("127.0.0.1",), datetime.now(UTC))
    key, certificate = tmp_path / "server.pem", tmp_path / "certificate.pem"
    key.write_bytes(made.key + made.chain)
    certificate.write_bytes(made.chain)
    own = settings.model_copy(update={"tls_cert": key, "tls_key": key})
    with running(server_config(create_app(own), own), "https") as found:
        yield found, made, certificate


@pytest.mark.parametrize("way", ["--fingerprint", "--cacert"])
def test_a_certificate_of_no_authority(
    shell: Shell,
    settings: Settings,
    secured: tuple[str, Pair, Path],
    way: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    base, pair, file = secured
    refused = shell("login", base, code=1)
    assert "is not trusted" in refused and "--fingerprint" in refused
    other = make(("127.0.0.1",), datetime.now(UTC)).fingerprint
    refused = shell("login", base, "--fingerprint", other, code=2)
    assert pair.fingerprint in refused and "nothing was sent" in refused
    assert not shell.credentials.path.exists()
    value = pair.fingerprint.replace(":", "").lower() if way == "--fingerprint" else str(file)
    with shell.start("login", base, way, value) as process:
        code = code_of(process)
        Person(settings.model_copy(update={"tls_cert": file}), base, trust(str(file))).approve(
            code, "run:read"
        )
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    file.unlink()
    stored = shell.credentials.certificate(base)
    assert stored is not None and fingerprint(stored) == pair.fingerprint
    # Every later command and the Python client trust it, without an option.
    assert json.loads(shell("whoami", "--json"))["server"] == base
    monkeypatch.setenv("XDG_CONFIG_HOME", shell.environment["XDG_CONFIG_HOME"])
    for name in ("PLIMSOLL_URL", "PLIMSOLL_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with Plimsoll() as client:
        assert list(client.runs()) == [] and client.presets()
    shell("logout")
    assert shell.credentials.certificate(base) is None
