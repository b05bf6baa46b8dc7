"""The TCP sockets of a namespace by sock_diag: both families at once, or one after the other."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest

from worker.sample import sock_diag
from worker.sample.sock_diag import tcp_sockets
from worker.sample.sockets import STATES


@pytest.fixture
def connected() -> Iterator[set[tuple[int, int]]]:
    """A connection of each family over the loopback: (port, inode) of both its ends."""
    made: list[socket.socket] = []
    for address in ("127.0.0.1", "::1"):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        server = socket.create_server((address, 0), family=family)
        client = socket.create_connection(server.getsockname()[:2])
        made += [server, client, server.accept()[0]]
    yield {(one.getsockname()[1], os.fstat(one.fileno()).st_ino) for one in made}
    for one in made:
        one.close()


def found() -> set[tuple[int, int]]:
    try:
        return {(one.port, one.inode) for one in tcp_sockets(os.getpid(), STATES)}
    except PermissionError:
        pytest.skip("entering a network namespace takes CAP_SYS_ADMIN")


def test_both_families_are_dumped_at_once(connected: set[tuple[int, int]]) -> None:
    assert connected <= found()


def test_a_kernel_without_the_old_request_gets_two_requests(
    connected: set[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sock_diag, "TCPDIAG_GETSOCK", 99)
    assert connected <= found()
