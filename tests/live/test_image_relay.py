"""The relay of the real image, run on the host by dockerd's contract for a userland proxy."""

from __future__ import annotations

import fcntl
import os
import random
import resource
import select
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from worker.engine.names import InstallPaths
from worker.host.ledger import Ledger
from worker.images.bootstrap import ensure_image, relay_program

LIMIT_S = 10.0
ABOVE_THE_CONTRACT = 20
NO_FIN = struct.pack("ii", 1, 0)
"""SO_LINGER with no time: close sends a reset."""
TICKS = os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="module")
def program(install: InstallPaths) -> Path:
    """The relay, extracted from the image's archive."""
    ledger = Ledger(install.var / "ledger.jsonl")
    return relay_program(ensure_image(install, ledger, print))


@dataclass
class Relay:
    """A running relay: its output on the status pipe, and its address."""

    process: subprocess.Popen[bytes]
    said: str
    port: int

    def cpu_s(self) -> float:
        """Its CPU time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def descriptors(self) -> int:
        """How many files it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def relay(
    program: Path,
    to: int,
    *more: str,
    host: str = "127.0.0.1",
    port: int | None = None,
    listener: socket.socket | None = None,
) -> Iterator[Relay]:
    """The relay in front of 127.0.0.1:`to`, after its one line of status; killed at the end.

    The pipe becomes its descriptor 3 and, where given, the listener its descriptor 4.
    """
    port = port or free_port()
    argv = [str(program), "-proto", "tcp", "-host-ip", host, "-host-port", str(port)]
    argv += ["-container-ip", "127.0.0.1", "-container-port", str(to), *more]
    reading, writing = os.pipe()
    given = [writing, *([listener.fileno()] if listener else [])]
    kept = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, ABOVE_THE_CONTRACT) for descriptor in given]

    def descriptors() -> None:
        for place, descriptor in enumerate(kept, start=3):
            os.dup2(descriptor, place)

    install = range(3, 3 + len(kept))
    process = subprocess.Popen(
        argv, pass_fds=install, preexec_fn=descriptors, env={}, stderr=subprocess.DEVNULL
    )
    try:
        for descriptor in (writing, *kept):
            os.close(descriptor)
        yield Relay(process, read_to_end(reading), port)
    finally:
        os.close(reading)
        process.kill()
        process.wait()


def read_to_end(descriptor: int) -> str:
    """Everything that is written to the pipe until its other end is closed."""
    said = b""
    while select.select([descriptor], [], [], LIMIT_S)[0]:
        chunk = os.read(descriptor, 4096)
        if not chunk:
            return said.decode()
        said += chunk
    raise AssertionError(f"the status pipe stays open after {said!r}")


@contextmanager
def pair(relay: Relay, server: socket.socket, address: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    """A client's end and the container's end of one relayed connection."""
    server.settimeout(LIMIT_S)
    with socket.create_connection((address, relay.port), LIMIT_S) as client:
        accepted, _ = server.accept()
        accepted.settimeout(LIMIT_S)
        with accepted:
            yield [client, accepted]


def await_true(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)  # polling another process; bounded by the deadline


def received(end: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count and (chunk := end.recv(1 << 20)):
        data += chunk
    return data


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """A listening socket on the loopback in place of the container."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


@pytest.fixture
def running(program: Path, server: socket.socket) -> Iterator[Relay]:
    """A relay in front of `server`."""
    with relay(program, server.getsockname()[1]) as found:
        assert found.said == "0\n"
        yield found


def test_bytes_are_relayed_in_both_directions(running: Relay, server: socket.socket) -> None:
    with pair(running, server) as (client, container):
        client.sendall(b"ping")
        assert container.recv(100) == b"ping"
        container.sendall(b"pong")
        assert client.recv(100) == b"pong"


@pytest.mark.full
@pytest.mark.parametrize("first", [0, 1], ids=["client", "container"])
def test_an_end_that_stops_sending_still_receives(running: Relay, server: socket.socket, first: int) -> None:
    before = running.descriptors()
    with pair(running, server) as ends:
        quiet, other = ends[first], ends[1 - first]
        quiet.sendall(b"last words")
        quiet.shutdown(socket.SHUT_WR)
        assert received(other, 100) == b"last words"
        used = running.cpu_s()
        time.sleep(0.3)  # long enough that a loop without rest would show in the CPU time
        assert running.cpu_s() - used < 0.1
        other.sendall(b"answer")
        assert quiet.recv(100) == b"answer"
        other.close()
        assert quiet.recv(100) == b""
        await_true(lambda: running.descriptors() == before)


@pytest.mark.full
def test_large_simultaneous_transfers_are_complete(running: Relay, server: socket.socket) -> None:
    data = [random.Random(seed).randbytes(16 << 20) for seed in (1, 2)]
    with pair(running, server) as ends:
        senders = [threading.Thread(target=ends[n].sendall, args=(data[n],)) for n in (0, 1)]
        arrived: dict[int, bytes] = {}
        readers = [
            threading.Thread(target=lambda n=n: arrived.update({n: received(ends[n], len(data[1 - n]))}))
            for n in (0, 1)
        ]
        for thread in (*senders, *readers):
            thread.start()
        for thread in (*senders, *readers):
            thread.join(LIMIT_S)
    assert arrived == {0: data[1], 1: data[0]}


@pytest.mark.full
def test_a_paused_reader_costs_no_cpu_and_loses_nothing(running: Relay, server: socket.socket) -> None:
    data = random.Random(3).randbytes(32 << 20)
    with pair(running, server) as (client, container):
        sender = threading.Thread(target=client.sendall, args=(data,))
        sender.start()
        time.sleep(0.5)  # all buffers on the way fill up
        used = running.cpu_s()
        time.sleep(0.5)
        assert running.cpu_s() - used < 0.1
        assert received(container, len(data)) == data
        sender.join(LIMIT_S)


@pytest.mark.full
@pytest.mark.parametrize("first", [0, 1], ids=["client", "container"])
def test_a_reset_ends_its_pair_and_no_other(running: Relay, server: socket.socket, first: int) -> None:
    with pair(running, server) as (client, container):
        before = running.descriptors()
        with pair(running, server) as ends:
            ends[first].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_FIN)
            ends[first].close()
            assert ends[1 - first].recv(1) == b""
            ends[1 - first].close()
            await_true(lambda: running.descriptors() == before)
        client.sendall(b"still here")
        assert container.recv(100) == b"still here"


@pytest.mark.full
def test_a_refused_connection_closes_the_client_and_the_relay_continues(program: Path) -> None:
    with relay(program, free_port()) as found:
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", found.port), LIMIT_S) as client:
                assert client.recv(1) == b""
        assert found.process.poll() is None


@pytest.mark.full
def test_without_descriptors_clients_are_refused_and_the_relay_recovers(
    program: Path, server: socket.socket
) -> None:
    server.settimeout(LIMIT_S)
    with relay(program, server.getsockname()[1]) as found, ExitStack() as crowd:
        resource.prlimit(found.process.pid, resource.RLIMIT_NOFILE, (16, 16))
        before = found.descriptors()
        address = ("127.0.0.1", found.port)
        clients = [crowd.enter_context(socket.create_connection(address, LIMIT_S)) for _ in range(24)]
        assert select.select(clients, [], [], LIMIT_S)[0]
        used = found.cpu_s()
        time.sleep(0.3)
        assert found.cpu_s() - used < 0.1
        crowd.close()
        with ExitStack() as accepted:
            while select.select([server], [], [], 0.2)[0]:
                accepted.enter_context(server.accept()[0])
        await_true(lambda: found.descriptors() == before)
        with pair(found, server) as (client, container):
            client.sendall(b"again")
            assert container.recv(100) == b"again"


@pytest.mark.full
def test_a_used_port_is_reported_on_the_status_pipe(program: Path, server: socket.socket) -> None:
    taken = server.getsockname()[1]
    with relay(program, free_port(), port=taken) as found:
        assert found.said == f"1\nlisten tcp 127.0.0.1:{taken}: Address already in use"
        assert found.process.wait(LIMIT_S) == 1


@pytest.mark.full
@pytest.mark.parametrize(
    ("argument", "value", "why"),
    [
        ("-proto", "udp", "relays tcp only, not udp"),
        ("-proto", "sctp", "relays tcp only, not sctp"),
        ("-container-ip", "localhost", "not an IP address: localhost"),
    ],
)
def test_unsupported_arguments_are_refused(program: Path, argument: str, value: str, why: str) -> None:
    with relay(program, free_port(), argument, value) as found:
        assert found.said == f"1\n{why}"


@pytest.mark.full
def test_a_listening_socket_may_be_inherited(program: Path, server: socket.socket) -> None:
    with socket.create_server(("127.0.0.1", 0)) as given:
        port = int(given.getsockname()[1])
        to = server.getsockname()[1]
        with relay(program, to, "-use-listen-fd", port=port, listener=given) as found:
            assert found.said == "0\n"
            with pair(found, server) as (client, container):
                client.sendall(b"ping")
                assert container.recv(100) == b"ping"


@pytest.mark.full
def test_both_families_can_be_published_on_one_port(program: Path, server: socket.socket) -> None:
    to = server.getsockname()[1]
    with relay(program, to, host="0.0.0.0") as four, relay(program, to, host="::", port=four.port) as six:
        assert (four.said, six.said) == ("0\n", "0\n")
        with pair(four, server) as (client, container):
            client.sendall(b"four")
            assert container.recv(100) == b"four"
        with pair(six, server, "::1") as (client, container):
            client.sendall(b"six")
            assert container.recv(100) == b"six"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_signals_of_dockerd_end_it(running: Relay, number: signal.Signals) -> None:
    running.process.send_signal(number)
    assert running.process.wait(LIMIT_S) == 0
