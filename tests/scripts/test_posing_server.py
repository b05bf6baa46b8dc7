"""A program that poses as PostgreSQL on its socket: it gets no password, and is not taken for the server."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError

from backend.cli import backups
from backend.store import grants
from backend.store.backup import programs
from scripts.compose import prepare
from scripts.starter import environment
from scripts.starter.layout import Layout
from scripts.starter.secret_files import secret

CLEARTEXT = struct.pack("!cii", b"R", 8, 3)
OK = struct.pack("!cii", b"R", 8, 0) + struct.pack("!cic", b"Z", 5, b"I")


def of_starter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    layout = Layout(folder, folder / "var", folder, "0a1b2c", 8420)
    layout.var.mkdir(exist_ok=True)
    return environment.database_url(layout, grants.MIGRATE)


def of_compose(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(prepare, "SECRETS", folder / "secrets")
    monkeypatch.setattr(prepare, "POSTGRES_SOCKET", str(folder / "postgres"))
    return prepare._of_database(grants.MIGRATE)["PLIMSOLL_DATABASE_URL"]


def of_backups(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    secret(folder / "secrets", grants.MIGRATE)
    (folder / "install-id").write_text("0a1b2c\n")
    url = backups._local_database(folder)
    assert url is not None
    return url.replace("%2Frun%2Fplimsoll-0a1b2c%2Fpostgres", str(folder / "postgres").replace("/", "%2F"))


@pytest.mark.parametrize("answer", [CLEARTEXT, OK], ids=["asks for the password", "asks for nothing"])
@pytest.mark.parametrize("url_of", [of_starter, of_compose, of_backups])
def test_a_posing_server_gets_no_password(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    url_of: Callable[[Path, pytest.MonkeyPatch], str],
    answer: bytes,
) -> None:
    (tmp_path / "postgres").mkdir()
    received: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "postgres/.s.PGSQL.5432"))
        server.listen()

        def pose() -> None:
            connection, _ = server.accept()
            with connection:
                connection.settimeout(30)
                received.append(connection.recv(4096))
                connection.sendall(answer)
                received.append(connection.recv(4096))

        thread = threading.Thread(target=pose, daemon=True)
        thread.start()
        engine = create_engine(url_of(tmp_path, monkeypatch), connect_args={"connect_timeout": 5})
        with pytest.raises(OperationalError, match="require"):
            engine.connect()
        thread.join(60)
    assert b"plimsoll_migrate" in received[0] and received[1] == b"", "nothing after the server's answer"


def test_pg_dump_requires_the_same() -> None:
    url = "postgresql+psycopg://plimsoll_migrate:x@/plimsoll?host=/run/x&require_auth=scram-sha-256"
    assert programs._environment(url)["PGREQUIREAUTH"] == "scram-sha-256"
