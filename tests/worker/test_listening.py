"""Whether a server listens, on real sockets of each kind."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from worker.sample.sockets import listens


@pytest.mark.parametrize(("family", "address"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_a_tcp_socket_is_seen_from_listen_to_close(family: socket.AddressFamily, address: str) -> None:
    with socket.socket(family) as server:
        try:
            server.bind((address, 0))
        except OSError:
            pytest.skip(f"this host has no {address}")
        port = server.getsockname()[1]
        assert not listens(os.getpid(), port, None)
        server.listen()
        assert listens(os.getpid(), port, None)
    assert not listens(os.getpid(), port, None)


def test_a_unix_socket_is_seen_in_the_process_s_own_root(tmp_path: Path) -> None:
    place = tmp_path / ".s.PGSQL.5432"
    assert not listens(os.getpid(), 5432, place)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        assert listens(os.getpid(), 5432, place)


def test_a_process_that_has_ended_listens_on_nothing() -> None:
    assert not listens(2**22 + 1, 5432, None)
