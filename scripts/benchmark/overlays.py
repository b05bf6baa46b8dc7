"""Rates of two workers' overlay over those of a swarm's, between the same two hosts.

Both hosts are network namespaces of this machine, with a Docker daemon in each (docs/decisions/0074). A block
is some ten milliseconds of load on one connection, and the overlays take turns block by block: what else runs
on the machine then disturbs both alike. A round's rate is that of its median block.
"""

from __future__ import annotations

import multiprocessing
import socket
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from backend.core.statistics.paired import paired_ratio
from tests.live.lab import PORT, new_lab
from tests.live.overlays import OF_SWARM, Overlay, both_overlays
from tests.machine_lock import machine_lock
from worker.engine.names import InstallPaths
from worker.sample.namespaces import inside

ROUNDS, BLOCKS = 80, 60
REQUESTS = 200
STREAM_BYTES = 16 * 2**20
STREAM_PORT = 5201
INSTALL = "livetest"
"""Of the live tests, whose image it uses."""
REQUEST = b"GET /ping HTTP/1.1\r\nHost: server\r\n\r\n"
Block = Callable[[], None]


@contextmanager
def requests(overlay: Overlay) -> Iterator[Block]:
    """A block of requests to the server's container, one after the other on one connection."""
    with _connected(overlay, PORT) as client:
        client.sendall(REQUEST)
        size = len(client.recv(65536))

        def block() -> None:
            for _ in range(REQUESTS):
                client.sendall(REQUEST)
                missing = size
                while missing > 0:
                    missing -= len(client.recv(missing))

        yield block


@contextmanager
def stream(overlay: Overlay) -> Iterator[Block]:
    """A block of bytes to a program in the server's network namespace, which acknowledges it."""
    address = (overlay.address, STREAM_PORT)
    listener = inside(overlay.server.container.pid, lambda: socket.create_server(address))
    assert listener is not None
    with listener, _connected(overlay, STREAM_PORT) as client:
        server, _ = listener.accept()
        reader = multiprocessing.get_context("fork").Process(target=_read, args=(server,), daemon=True)
        reader.start()
        data = bytes(STREAM_BYTES)

        def block() -> None:
            client.sendall(data)
            client.recv(1)

        yield block
        reader.kill()
        reader.join()


def _read(server: socket.socket) -> None:
    buffer = bytearray(2**20)
    while True:
        missing = STREAM_BYTES
        while missing > 0:
            missing -= server.recv_into(buffer, min(missing, len(buffer)))
        server.sendall(b".")


def _connected(overlay: Overlay, port: int) -> socket.socket:
    """A connection from the client container's network namespace to the server's address on the overlay."""
    found = inside(
        overlay.client.container.pid, lambda: socket.create_connection((overlay.address, port), timeout=20)
    )
    assert found is not None, f"no connection on {overlay.kind} overlay"
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return found


LOADS = {"requests": requests, "stream": stream}


def measure(root: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """The ratio of rates with its 95 % interval, by load. Nothing of it stays on the machine."""
    install = InstallPaths(INSTALL, Path(f"/run/plimsoll-{INSTALL}"), root / "var" / "live-tests")
    with machine_lock(say), new_lab(install) as lab, both_overlays(lab) as overlays:
        return {name: _compared(overlays, load, say) for name, load in LOADS.items()}


def _compared(
    overlays: tuple[Overlay, ...], load: Callable[[Overlay], Any], say: Callable[[str], None]
) -> dict[str, Any]:
    with ExitStack() as stack:
        blocks = {overlay.kind: stack.enter_context(load(overlay)) for overlay in overlays}
        for block in blocks.values():
            block()
        found: dict[str, list[float]] = {kind: [] for kind in blocks}
        for _ in range(ROUNDS):
            for kind, seconds in _round(blocks).items():
                found[kind].append(1 / seconds)
            say(", ".join(f"{kind} {values[-1]:.4g} blocks/s" for kind, values in found.items()))
    (by_workers,) = (values for kind, values in found.items() if kind != OF_SWARM)
    estimate = paired_ratio(found[OF_SWARM], by_workers)
    return {
        "rounds": ROUNDS,
        "blocks_a_round": BLOCKS,
        "median_blocks_per_second": {kind: statistics.median(values) for kind, values in found.items()},
        "ratio": round(estimate.ratio, 4),
        "interval": None if estimate.interval is None else [round(bound, 4) for bound in estimate.interval],
    }


def _round(blocks: dict[str, Block]) -> dict[str, float]:
    """Seconds of the median block; which overlay is first changes from block to block."""
    taken: dict[str, list[float]] = {kind: [] for kind in blocks}
    for number in range(BLOCKS):
        kinds = list(blocks) if number % 2 else list(blocks)[::-1]
        for kind in kinds:
            began = time.perf_counter()
            blocks[kind]()
            taken[kind].append(time.perf_counter() - began)
    return {kind: statistics.median(seconds) for kind, seconds in taken.items()}
