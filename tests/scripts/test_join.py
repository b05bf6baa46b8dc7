"""Joining and leaving a real API by TLS: what is stored, and what is refused with which remedy."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from backend.store.session import session_scope
from backend.worker_protocol import header
from scripts.joining import join, leave, server, unit
from scripts.joining.enrolment import EnrolmentFiles
from scripts.joining.join import Options
from scripts.joining.join_url import read_join_url
from scripts.starter.certificate import Pair, make
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Refusal, Terminal
from tests.accounts import add_account, browser_headers
from tests.api.running import running


@dataclass
class Host:
    """A host on which scripts/join runs, and the API that it joins."""

    base: str
    admin: dict[str, str]
    pair: Pair
    settings: Settings
    var: Path

    def enrolment(self, **body: Any) -> str:
        """The URL of a new enrolment."""
        answer = httpx2.post(
            f"{self.base}/api/v1/hosts/enrolments",
            json=body,
            headers=self.admin,
            verify=False,
            trust_env=False,
            timeout=60,
        )
        assert answer.status_code == 201, answer.text
        return f"{self.base}/join#{answer.json()['secret']}"

    def options(self, url: str = "", **changed: Any) -> Options:
        given = Options(
            root=Path(__file__).parents[2],
            var=self.var,
            url=url,
            name="far-1",
            fingerprint=self.pair.fingerprint,
            start=False,
        )
        return replace(given, **changed)

    def join(self, url: str = "", **changed: Any) -> int:
        return join.join(self.options(url, **changed), Terminal(), Stop())

    def sql(self, statement: str) -> list[tuple[Any, ...]]:
        with session_scope(self.settings) as session:
            found = session.execute(text(statement))
            return [tuple(row) for row in found] if found.returns_rows else []

    def announce(self) -> int:
        """The status of a request with the stored token."""
        token = EnrolmentFiles(self.var).token_file.read_text().strip()
        answer = httpx2.put(
            f"{self.base}/api/v1/worker/host",
            json={"capabilities": {}, "environment": {}, "install_id": "abc123"},
            headers={"Authorization": f"Bearer {token}", **header()},
            verify=False,
            trust_env=False,
            timeout=60,
        )
        return answer.status_code


@pytest.fixture
def host(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host without systemd, and an API with a certificate of its own for another name."""
    monkeypatch.setattr(server, "PAUSE_S", 0.0)
    monkeypatch.setattr(unit, "SYSTEMD_RUNS", tmp_path / "none")
    pair = make(("bench.example.org",), datetime.now(UTC))
    file = tmp_path / "server.pem"
    file.write_bytes(pair.key + pair.chain)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        served = settings.model_copy(update={"tls_cert": file, "tls_key": file, "port": port})
        admin = browser_headers(served, add_account(served, installation_admin=True))
        with running(server_config(create_app(served), served), "https", listener) as base:
            yield Host(base, {**admin, "Origin": base}, pair, served, tmp_path / "var")


def test_a_host_joins_with_the_certificate_of_a_fingerprint(
    host: Host, capsys: pytest.CaptureFixture[str]
) -> None:
    url = host.enrolment()
    assert host.join(url) == 0
    files = EnrolmentFiles(host.var)
    found = files.read()
    assert found is not None
    assert (found.server, found.host_name, found.fingerprint) == (host.base, "far-1", host.pair.fingerprint)
    stored = [path for path in host.var.rglob("*") if path.is_file()]
    assert {path.name for path in stored} >= {"enrolment.json", "token"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in stored} == {0o600}
    assert stat.S_IMODE(host.var.joinpath("enrolment").stat().st_mode) == 0o700
    secret, token = url.partition("#")[2], files.token_file.read_text().strip()
    assert not [path for path in stored if secret in path.read_text()]
    assert not [path for path in stored if token in path.read_text() and path != files.token_file]
    out = "".join(capsys.readouterr())
    assert secret not in out and token not in out and "far-1 has joined" in out
    assert host.announce() == 200


def test_a_server_with_redis_for_hosts_says_where(host: Host) -> None:
    open_too = host.settings.model_copy(update={"worker_redis_port": 6380, "tls_self_made": True})
    with running(server_config(create_app(open_too), open_too), "https") as base:
        assert replace(host, base=base).join(host.enrolment().replace(host.base, base)) == 0
    files = EnrolmentFiles(host.var)
    found = files.read()
    assert found is not None
    ((token_id,),) = host.sql("SELECT id FROM host_token")
    assert found.redis_url == f"rediss://host.{token_id}@127.0.0.1:6380/0"
    assert files.redis_ca_file.read_bytes() == host.pair.chain


def test_another_release_of_the_server_is_named_with_the_command_that_updates(
    host: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(join, "release", lambda: "0.0.9")
    host.join(host.enrolment())
    printed = capsys.readouterr().out
    assert "this program 0.0.9" in printed and "/scripts/join" in printed


def test_a_second_join_keeps_the_enrolment(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    url = host.enrolment()
    host.join(url)
    token = EnrolmentFiles(host.var).token_file.read_text()
    assert host.join() == host.join(url) == 0
    assert "the enrolment stays unused" in capsys.readouterr().out
    assert EnrolmentFiles(host.var).token_file.read_text() == token
    with pytest.raises(
        Refusal, match=r"has joined https://127\.0\.0\.1:[0-9]+ already: run scripts/leave first"
    ):
        host.join("https://other.example.org/join#ple_secret")
    with pytest.raises(Refusal, match="has joined as far-1: to rename it"):
        host.join(name="far-2")


def test_a_lost_answer_costs_no_enrolment(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host crashed after the server had served its request: the same command joins."""
    url = host.enrolment()
    with monkeypatch.context() as broken:
        broken.setattr(EnrolmentFiles, "write", lambda *_a, **_k: (_ for _ in ()).throw(OSError(28, "full")))
        with pytest.raises(OSError, match="full"):
            host.join(url)
    assert host.join(url) == 0 and host.announce() == 200
    assert host.sql("SELECT count(*) FROM host_token WHERE revoked_at IS NULL") == [(1,)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://bench.example.org/join",
        "https://bench.example.org/join#",
        "https://bench.example.org/join#a b",
        "https://bench.example.org/join#gehäuse",
        f"https://bench.example.org/join#{'x' * 300}",
        "ftp://bench.example.org/join#ple_secret",
        "https://user:word@bench.example.org/join#ple_secret",
        "https://bench.example.org:99999/join#ple_secret",
        "bench.example.org#ple_secret",
    ],
)
def test_a_bad_url_is_refused_without_its_secret(text: str) -> None:
    with pytest.raises(Refusal) as refusal:
        read_join_url(text)
    assert "ple_secret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://bench.example.org:8420/join#ple_x", "https://bench.example.org:8420"),
        (" https://Bench.example.org/join#ple_x\n", "https://bench.example.org"),
        ("https://bench.example.org#ple_x", "https://bench.example.org"),
        ("https://[2001:db8::1]:8420/join#ple_x", "https://[2001:db8::1]:8420"),
    ],
)
def test_the_server_of_a_url(url: str, expected: str) -> None:
    found = read_join_url(url)
    assert (found.server, found.secret) == (expected, "ple_x") and "ple_x" not in repr(found)


def refused(host: Host, url: str, **changed: Any) -> str:
    """The sentence of a refused join, which leaves no enrolment and does not contain the secret."""
    with pytest.raises(Refusal) as refusal:
        host.join(url, **changed)
    assert EnrolmentFiles(host.var).read() is None
    sentence = str(refusal.value)
    assert url.partition("#")[2] not in sentence and "\n" not in sentence
    return sentence


def test_an_enrolment_that_has_ended_is_refused(host: Host) -> None:
    url = host.enrolment()
    host.sql("UPDATE enrolment SET expires_at = clock_timestamp()")
    assert "ask an administrator for a new one" in refused(host, url)


def test_an_enrolment_that_another_host_used_is_refused(host: Host, tmp_path: Path) -> None:
    url = host.enrolment()
    replace(host, var=tmp_path / "other").join(url, name="far-2")
    assert "if this host did not use it, have the host that did revoked" in refused(host, url)


def test_a_name_that_is_taken_is_refused_with_a_remedy(host: Host, tmp_path: Path) -> None:
    replace(host, var=tmp_path / "other").join(host.enrolment())
    url = host.enrolment()
    assert "give --name" in refused(host, url)
    assert host.join(url, name="far-2") == 0


def test_a_bad_name_is_refused_with_its_field(host: Host) -> None:
    assert "/name" in refused(host, host.enrolment(), name="far 1")


def test_an_enrolment_for_another_name_is_refused(host: Host) -> None:
    assert "metal" in refused(host, host.enrolment(host_name="metal"))


def test_another_fingerprint_is_refused_before_anything_is_sent(host: Host) -> None:
    url = host.enrolment()
    wrong = make(("bench.example.org",), datetime.now(UTC)).fingerprint
    sentence = refused(host, url, fingerprint=wrong)
    assert "nothing was sent" in sentence and host.pair.fingerprint in sentence
    assert host.sql("SELECT used_at FROM enrolment") == [(None,)]


def test_a_certificate_that_no_authority_signed_needs_a_fingerprint(host: Host) -> None:
    assert "add --fingerprint with the SHA-256" in refused(host, host.enrolment(), fingerprint="")


def test_a_file_with_the_certificate_works_where_the_name_fits(host: Host, tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_bytes(host.pair.chain)
    assert "certificate" in refused(host, host.enrolment(), fingerprint="", cacert=file)
    file.write_text("none")
    assert "no certificate in PEM" in refused(host, host.enrolment(), fingerprint="", cacert=file)


def test_http_beyond_this_host_is_refused(host: Host) -> None:
    sentence = refused(host, "http://bench.example.org/join#ple_x", fingerprint="")
    assert "plain http can be read on the network" in sentence


def test_a_server_that_does_not_answer_is_named_with_a_remedy(host: Host) -> None:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    sentence = refused(host, f"https://127.0.0.1:{port}/join#ple_x", fingerprint="")
    assert "does not answer" in sentence and "the same command may be repeated" in sentence


def test_another_program_on_that_port_is_named(host: Host) -> None:
    async def other(scope: Any, _receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            status = 200 if "welcome" in scope["path"] else 404
            await send({"type": "http.response.start", "status": status, "headers": []})
            await send({"type": "http.response.body", "body": b"welcome to another program"})

    with running(server_config(other, Settings(tls_cert=None))) as base:
        printed = refused(host, f"{base}/join#ple_x", fingerprint="")
        assert "is not from Plimsoll: welcome to another program" in printed
        printed = refused(host, f"{base}/welcome/join#ple_x", fingerprint="")
        assert "no enrolment's: is it a Plimsoll server?" in printed


def test_a_renewed_certificate_is_replaced(host: Host) -> None:
    host.join(host.enrolment())
    files = EnrolmentFiles(host.var)
    known = files.read()
    assert known is not None
    files.trust(replace(known, fingerprint="00" * 32), None, None)
    assert host.join() == 0
    assert files.read() == known


def test_leaving_revokes_the_token_and_leaves_nothing(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(Path("/run").glob("plimsoll-*"))
    host.join(host.enrolment())
    status = leave.leave(host.options().root, host.var, False, Terminal(), Stop())
    assert status == 0
    assert "has revoked the token of far-1" in capsys.readouterr().out
    assert not host.var.exists() and sorted(Path("/run").glob("plimsoll-*")) == before
    assert host.sql("SELECT count(*) FROM host_token WHERE revoked_at IS NULL") == [(0,)]
    assert host.join(host.enrolment()) == 0, "the name is free again"


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts are root's")
def test_leaving_keeps_a_data_folder_that_is_a_mount_point(
    host: Host, capsys: pytest.CaptureFixture[str]
) -> None:
    host.var.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(host.var)], check=True)
    try:
        host.join(host.enrolment())
        assert leave.leave(host.options().root, host.var, False, Terminal(), Stop()) == 0
        assert list(host.var.iterdir()) == []
        assert f"{host.var} is a mount point and stays, empty" in capsys.readouterr().out
    finally:
        # The lock in it is held until this process ends.
        subprocess.run(["umount", "--lazy", str(host.var)], check=True)


def test_leaving_removes_what_installed_the_packages_of_a_worker_alone(tmp_path: Path) -> None:
    (tmp_path / "var/tools/bin").mkdir(parents=True)
    (tmp_path / "var/requirements.txt").touch()
    (tmp_path / "var/notes.txt").touch()
    (tmp_path / ".venv").mkdir()
    leave.remove_installer(tmp_path)
    assert (tmp_path / "var/tools/bin").exists(), "this .venv is not only a worker's"
    (tmp_path / ".venv" / leave.FOR_WORKER).touch()
    leave.remove_installer(tmp_path)
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["notes.txt"]


def test_leaving_goes_on_where_the_server_does_not_answer(
    host: Host, capsys: pytest.CaptureFixture[str]
) -> None:
    host.join(host.enrolment())
    files = EnrolmentFiles(host.var)
    known = files.read()
    assert known is not None
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    files.trust(replace(known, server=f"https://127.0.0.1:{port}"), None, None)
    assert leave.leave(host.options().root, host.var, False, Terminal(), Stop()) == 0
    printed = capsys.readouterr().err
    assert "the server was not informed, an administrator can revoke far-1" in printed
    assert not host.var.exists()


def test_leaving_keeps_records_that_the_server_has_not_received(host: Host) -> None:
    host.join(host.enrolment())
    (host.var / "spool").mkdir()
    (host.var / "spool/trl_1-f1.json").write_text("{}")
    with pytest.raises(Refusal, match="1 records of trials have not reached the server"):
        leave.leave(host.options().root, host.var, False, Terminal(), Stop())
    assert EnrolmentFiles(host.var).read() is not None and host.announce() == 200
    assert leave.leave(host.options().root, host.var, True, Terminal(), Stop()) == 0


def test_leaving_touches_no_file_of_others(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    host.join(host.enrolment())
    (host.var / "thesis.txt").write_text("mine")
    assert leave.leave(host.options().root, host.var, False, Terminal(), Stop()) == 0
    assert [path.name for path in host.var.iterdir()] == ["thesis.txt"]
    assert "which is not the worker's: thesis.txt" in capsys.readouterr().out


pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="a worker's folders are root's")
