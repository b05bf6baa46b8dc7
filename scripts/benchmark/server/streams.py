"""Open event streams: how long after a worker's call its events have arrived at each of them."""

from __future__ import annotations

import re
import selectors
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

OPEN_LIMIT_S: Final = 60.0
ARRIVAL_LIMIT_S: Final = 10.0
_ID: Final = re.compile(rb"^id: (\d+)$", re.M)


class Streams:
    """Streams of one run, read in a thread of their own; a context manager that closes them."""

    def __init__(self, url: str, path: str, headers: Sequence[Mapping[str, str]]) -> None:
        """Open one stream for each of the headers, one after another."""
        self._target = urlsplit(url)
        self._selector = selectors.DefaultSelector()
        self._arrived: dict[int, dict[int, float]] = {}
        self._tails: dict[int, bytes] = {}
        self._stop = threading.Event()
        self.number = len(headers)
        self._sockets = [self._open(path, one) for one in headers]
        self._thread = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> Streams:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        self._thread.join()
        for one in self._sockets:
            one.close()

    def _open(self, path: str, headers: Mapping[str, str]) -> socket.socket:
        host, port = self._target.hostname or "", self._target.port or 80
        one = socket.create_connection((host, port), OPEN_LIMIT_S)
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Accept: text/event-stream"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        one.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        status = one.recv(65536)
        if not status.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"a stream was not opened: {status[:300]!r}")
        one.setblocking(False)
        self._arrived[one.fileno()], self._tails[one.fileno()] = {}, b""
        self._selector.register(one, selectors.EVENT_READ)
        return one

    def _read(self) -> None:
        while not self._stop.is_set():
            for key, _ in self._selector.select(0.2):
                assert isinstance(key.fileobj, socket.socket)
                data = key.fileobj.recv(65536)
                at = time.monotonic()
                if not data:
                    self._selector.unregister(key.fileobj)
                    continue
                complete, _, self._tails[key.fd] = (self._tails[key.fd] + data).rpartition(b"\n")
                for found in _ID.findall(complete.replace(b"\r", b"")):
                    self._arrived[key.fd].setdefault(int(found), at)

    def arrivals(self, event_id: int) -> list[float]:
        """When an event arrived at each stream that has it, on the monotonic clock."""
        return [found[event_id] for found in list(self._arrived.values()) if event_id in found]

    def wait_for(self, event_id: int) -> bool:
        """Wait until an event has arrived at every stream; False after a limit."""
        deadline = time.monotonic() + ARRIVAL_LIMIT_S
        while len(self.arrivals(event_id)) < self.number:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)  # another thread reads; bounded
        return True


def figures(streams: Streams, sent: Mapping[int, float], target_s: float) -> dict[str, Any]:
    """Milliseconds from each call to the arrival of its last event, over all streams and events.

    `at_all_p95_ms` is that at the slowest stream of each event.
    """
    delays = [[1000 * (at - began) for at in streams.arrivals(id_)] for id_, began in sent.items()]
    every = [delay for of_event in delays for delay in of_event]
    slowest = [max(of_event) for of_event in delays if of_event]
    p50, p95 = (round(float(value), 1) for value in np.percentile(every, (50, 95)))
    return {
        "streams": streams.number,
        "events": len(sent),
        "missing": len(sent) * streams.number - len(every),
        "p50_ms": p50,
        "p95_ms": p95,
        "at_all_p95_ms": round(float(np.percentile(slowest, 95)), 1),
        "max_ms": round(max(every), 1),
        "later_than_target": sum(delay > 1000 * target_s for delay in every),
    }
