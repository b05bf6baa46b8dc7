"""The path probe on real sockets of this process, and two readings joined."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from backend.core.sample.observation import Addresses
from backend.core.topology.model import Device, Link, Namespace, Process, Relay
from worker.sample import sockets
from worker.sample.path_probe import ConnectionSample, PathProbe, ProbeReading, SocketSnapshot
from worker.sample.probe_targets import ProbeTargets
from worker.sample.sockets import connections_at, descendants, inodes_of
from worker.sample.vxlan import VxlanReading

ADDRESSES = Addresses(gateway="198.18.64.1", host="198.18.1.1", client=None, server="198.18.64.2")


@pytest.fixture
def server() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A child process that listens on 127.0.0.1 and keeps its connections; its port."""
    program = (
        "import socket\n"
        "s = socket.create_server(('127.0.0.1', 0))\n"
        "print(s.getsockname()[1], flush=True)\n"
        "kept = []\n"
        "while True: kept.append(s.accept()); print('kept', flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        yield child, int(child.stdout.readline())
    finally:
        child.kill()
        child.wait()


def connect(child: subprocess.Popen[bytes], port: int) -> socket.socket:
    """A connection that the server has accepted."""
    made = socket.create_connection(("127.0.0.1", port))
    assert child.stdout is not None
    assert child.stdout.readline() == b"kept\n"
    return made


def here(child: subprocess.Popen[bytes], port: int, socket: Path | None = None) -> ProbeTargets:
    """Targets in this process's own namespaces: it is the engine, its child the server."""
    return ProbeTargets(f"/proc/{os.getpid()}/ns/net", os.getpid(), child.pid, port, socket=socket)


def test_a_sample_has_the_destinations_of_the_client_and_the_peers_of_the_server(
    server: tuple[subprocess.Popen[bytes], int],
) -> None:
    child, port = server
    probe = PathProbe(here(child, port), {Relay.SOCAT: [child.pid]}, reverse_proxy=[child.pid])
    with connect(child, port):
        before = probe.read()
        with connect(child, port):
            sample = probe.sample(os.getpid())
            others = probe.sample(child.pid)
        seen = probe.observation(
            before,
            probe.read(),
            sample,
            addresses=ADDRESSES,
            relay_cpu={},
            connections=1,
            operations=1,
            seconds=1.0,
        )
    assert seen.destinations["127.0.0.1"] >= 2
    # The table shows both ends, but only those sockets are a program's that it has open.
    assert {here_port for _, _, here_port in others.destinations} == {port}
    assert seen.peers == {"127.0.0.1": 1}  # the first one stood before the window
    assert seen.relay_sockets == {Relay.SOCAT: 1}
    assert not seen.reverse_proxy_destinations  # it listens, and connects to nobody
    assert seen.namespace is Namespace.ENGINE
    assert (seen.client, seen.server) == (Process.BARE, Process.BARE)
    assert Device.SERVER_LINK not in seen.bytes  # in the engine's namespace it is counted there
    assert seen.dnat_connections == 0
    assert Device.WIRE not in seen.bytes


def test_a_reverse_proxy_is_seen_by_its_upstream_connections(
    server: tuple[subprocess.Popen[bytes], int],
) -> None:
    child, port = server
    program = (
        "import socket, sys\n"
        f"up = socket.create_connection(('127.0.0.1', {port}))\n"
        "s = socket.create_server(('127.0.0.1', 0))\n"
        "print(s.getsockname()[1], flush=True)\n"
        "kept = s.accept(); print('kept', flush=True); sys.stdin.read()\n"
    )
    argv = [sys.executable, "-c", program]
    reverse_proxy = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert reverse_proxy.stdout is not None
        with connect(reverse_proxy, int(reverse_proxy.stdout.readline())):
            sample = PathProbe(here(child, port), reverse_proxy=[reverse_proxy.pid]).sample(os.getpid())
        assert [(peer, peer_port) for peer, peer_port, _ in sample.sockets.reverse_proxy] == [
            ("127.0.0.1", port)
        ]
    finally:
        reverse_proxy.kill()
        reverse_proxy.wait()


def test_connections_on_a_unix_socket_are_counted_in_the_namespace_of_the_client(
    tmp_path: Path,
) -> None:
    place = tmp_path / "socket"
    program = (
        "import socket, sys\n"
        f"s = socket.socket(socket.AF_UNIX); s.bind({str(place)!r}); s.listen()\n"
        "print('ready', flush=True)\n"
        "kept = s.accept(); print('kept', flush=True); sys.stdin.read()\n"
    )
    argv = [sys.executable, "-c", program]
    server = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        probe = PathProbe(here(server, 1, socket=place))
        assert probe.sample(os.getpid()).sockets.unix == frozenset()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(place))
            assert server.stdout.readline() == b"kept\n"
            found = probe.sample(os.getpid()).sockets.unix
            assert found is not None
            assert len(found) == 1
            assert found <= inodes_of([server.pid])
    finally:
        server.kill()
        server.wait()


def test_short_lived_connections_are_read_from_the_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with ab: the listed connections are closed before the descriptors are read."""
    monkeypatch.setattr(sockets, "inodes_of", lambda _pids: frozenset())
    both = (
        "import socket, threading\n"
        "s = socket.create_server(('127.0.0.1', 0))\n"
        "print(s.getsockname()[1], flush=True)\n"
        "def serve():\n"
        "    while True: s.accept()[0].close()\n"
        "threading.Thread(target=serve, daemon=True).start()\n"
        "while True:\n"
        "    with socket.create_connection(s.getsockname()) as c: c.recv(1)\n"
    )
    busy = subprocess.Popen([sys.executable, "-c", both], stdout=subprocess.PIPE)
    try:
        assert busy.stdout is not None
        port = int(busy.stdout.readline())
        found = ConnectionSample()
        for _ in range(50):
            found = found.joined(PathProbe(here(busy, port)).sample(busy.pid))
        assert ("127.0.0.1", port) in {(peer, peer_port) for peer, peer_port, _ in found.destinations}
    finally:
        busy.kill()
        busy.wait()


def test_both_ways_of_reading_find_the_same(server: tuple[subprocess.Popen[bytes], int]) -> None:
    """sock_diag, and the tables of /proc for a kernel without it."""
    child, port = server
    with connect(child, port), socket.create_server(("::1", 0), family=socket.AF_INET6) as six:
        with socket.create_connection(six.getsockname()[:2]):
            by_table = set(sockets._listed(child.pid, "tcp", "tcp6"))
            by_diag = set(connections_at(child.pid))
        ports = (port, six.getsockname()[1])
        ours = {c for c in by_diag if c.local_port in ports or c.peer_port in ports}
        assert {(c.peer, c.listens) for c in ours} >= {
            ("127.0.0.1", False),
            ("::1", False),
            ("0.0.0.0", True),
        }
        assert ours == {c for c in by_table if c.local_port in ports or c.peer_port in ports}


def test_a_client_that_has_ended_is_unknown(
    server: tuple[subprocess.Popen[bytes], int],
) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    sample = PathProbe(here(*server)).sample(gone.pid)
    assert (sample.namespace, sample.client, sample.destinations) == (None, None, frozenset())


def test_descendants_belong_to_a_program() -> None:
    child = subprocess.Popen(["sleep", "60"])
    try:
        assert child.pid in set(descendants([os.getpid()]))
        left, right = socket.socketpair()
        with left, right:
            assert {os.fstat(left.fileno()).st_ino, os.fstat(right.fileno()).st_ino} <= inodes_of(
                [os.getpid()]
            )
        assert inodes_of([0]) == frozenset()
        assert connections_at(0) == []
    finally:
        child.kill()
        child.wait()


def test_samples_are_joined_until_they_are_complete() -> None:
    first = ConnectionSample(
        destinations=frozenset({("b", 1, 2)}),
        sockets=SocketSnapshot(peers=frozenset({("a", 1, 2)})),
        samples=1,
    )
    second = ConnectionSample(
        namespace=Namespace.OWN,
        destinations=frozenset({("b", 1, 2)}),
        sockets=SocketSnapshot(peers=frozenset({("a", 3, 2)}), relays={Relay.NGINX: frozenset({7})}),
        samples=1,
    )
    both = first.joined(second)
    assert len(both.sockets.peers) == 2
    assert both.namespace is Namespace.OWN
    assert both.sockets.relays == {Relay.NGINX: {7}}
    assert both.complete(1)
    assert not both.complete(2)
    assert both.joined(ConnectionSample(samples=1)).complete(2)  # three samples, and something was seen
    assert not ConnectionSample(samples=9).complete(2)


EMPTY = ProbeReading(
    engine={"lo": (0, 0), "plm0": (0, 0), "lan0": (0, 0)},
    server={"lo": (0, 0), "eth0": (0, 0), "eth1": (0, 0)},
    overlay=VxlanReading(0, 0),
    esp=0,
    dnat=3,
    tcp={},
    sockets=SocketSnapshot(frozenset(), frozenset(), {}, frozenset({1})),
)
FULL = replace(
    EMPTY,
    engine={"lo": (50, 50), "plm0": (100, 200), "lan0": (300, 400)},
    server={"lo": (60, 60), "eth0": (1000, 2000), "eth1": (1, 2)},
    overlay=VxlanReading(1500, 20),
    esp=None,
    dnat=9,
)


def observed(sample: ConnectionSample, **targets: object) -> object:
    probe = PathProbe(replace(ProbeTargets("on", 1, 1, 5432), **targets), link=Link.OVERLAY)  # type: ignore[arg-type]
    return probe.observation(
        EMPTY, FULL, sample, addresses=ADDRESSES, relay_cpu={}, connections=1, operations=1, seconds=1.0
    )


def test_bytes_are_counted_once_by_device() -> None:
    seen = observed(ConnectionSample(), lan="lan0")
    assert seen.bytes == {  # type: ignore[attr-defined]
        Device.ENGINE_LOOPBACK: 50,
        Device.USER_BRIDGE: 300,
        Device.WIRE: 700,
        Device.SERVER_LOOPBACK: 60,
        Device.SERVER_LINK: 3003,
        Device.VXLAN: 1500,
    }
    assert seen.dnat_connections == 6  # type: ignore[attr-defined]
    assert seen.link is Link.OVERLAY  # type: ignore[attr-defined]


def unix(inodes: frozenset[int] | None) -> ConnectionSample:
    return ConnectionSample(sockets=SocketSnapshot(unix=inodes))


def test_earlier_connections_count_only_where_none_is_new() -> None:
    assert observed(unix(frozenset({1}))).socket_connections == 1  # type: ignore[attr-defined]
    assert observed(unix(frozenset({1, 2, 3}))).socket_connections == 2  # type: ignore[attr-defined]
    assert observed(unix(None)).socket_connections is None  # type: ignore[attr-defined]
