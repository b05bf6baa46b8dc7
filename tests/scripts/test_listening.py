"""The port of the API: one socket for all its starts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.starter.listening import open_listener
from scripts.starter.processes import Service, Supervisor
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Refusal, Terminal
from tests.scripts.waiting import eventually

TAKE_PORT = """
import socket, sys
with socket.socket() as other:
    other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    other.bind((sys.argv[1], int(sys.argv[2])))
    other.listen()
"""
SERVE_ONCE = """
import os, socket, sys
with socket.socket(fileno=int(sys.argv[1])) as listener:
    connection, _ = listener.accept()
    connection.sendall(str(os.getpid()).encode())
    connection.close()
"""


def take(address: str, port: int, *user: str) -> subprocess.CompletedProcess[str]:
    """Another program tries to listen on the port."""
    command = [*user, sys.executable, "-c", TAKE_PORT, address, str(port)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False, cwd="/")


def answer(port: int) -> int:
    """The pid of the process that answers."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        return int(connection.recv(64))


def test_the_port_stays_taken_between_two_starts(tmp_path: Path) -> None:
    terminal, stop = Terminal(), Stop()
    with open_listener("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        service = Service(
            name="api",
            argv=(sys.executable, "-c", SERVE_ONCE, str(listener.fileno())),
            environment=dict(os.environ),
            ready=lambda: True,
            inherited=(listener.fileno(),),
        )
        supervisor = Supervisor(tmp_path, terminal, stop, back_off=(0.0,))
        first = supervisor.start(service)
        try:
            assert answer(port) == first.pid
            assert eventually(lambda: first.exit_code is not None)
            as_nobody = ("setpriv", "--reuid", "65534", "--clear-groups", "--") if os.geteuid() == 0 else ()
            for address in ("127.0.0.1", "0.0.0.0"):
                assert "Address already in use" in take(address, port, *as_nobody).stderr
            with socket.create_connection(("127.0.0.1", port), timeout=20) as waiting:
                deadline = time.monotonic() + 20
                while not (found := _received(waiting)) and time.monotonic() < deadline:
                    supervisor.watch()
                assert int(found) != first.pid
        finally:
            supervisor.stop_all()


def _received(connection: socket.socket) -> bytes:
    connection.settimeout(0.1)
    try:
        return connection.recv(64)
    except TimeoutError:
        return b""


def test_a_port_in_use_is_refused() -> None:
    with open_listener("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(Refusal, match=rf"port {port} on 127\.0\.0\.1 is in use .* --port"):
            open_listener("127.0.0.1", port)


def test_an_address_of_another_host_is_refused() -> None:
    with pytest.raises(Refusal, match=r"this host has no address 192\.0\.2\.1; `ip address`"):
        open_listener("192.0.2.1", 8420)


def test_every_address_includes_ipv4() -> None:
    try:
        listener = open_listener("::", 0)
    except Refusal:
        pytest.skip("this host has no IPv6")
    with listener, socket.create_connection(("127.0.0.1", listener.getsockname()[1]), timeout=5):
        pass


def test_children_inherit_it_only_where_named() -> None:
    with open_listener("127.0.0.1", 0) as listener:
        assert not listener.get_inheritable()
