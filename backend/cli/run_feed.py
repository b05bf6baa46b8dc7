"""What happens to runs: their events and what their hosts report, read by threads.

So a command that follows them can print while nothing happens, and Ctrl-C reaches it at once.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

from backend.client.errors import PlimsollError
from backend.client.transport import Transport

log = logging.getLogger(__name__)

TICK_S: Final = 1.0

Happening = tuple[str, str, Any]
"""The run's id, the kind and the data."""


class RunFeed:
    """The happenings of some runs until all have ended; iterate over it once.

    Kinds: those of the runs' events; "lost" where a stream broke and is resumed, "hosts" with the answer to
    `ask`, "tick" for every run each TICK_S seconds. "error" with an exception is the last of its run.
    """

    def __init__(self, client: Transport, *run_ids: str) -> None:
        self._client = client
        self._open = dict.fromkeys(run_ids)
        self._queue: queue.SimpleQueue[Happening] = queue.SimpleQueue()
        self._asking: set[str] = set()

    def __iter__(self) -> Iterator[Happening]:
        for run_id in self._open:
            _start(self._read, run_id)
        tick_at = time.monotonic() + TICK_S
        while self._open:
            try:
                run_id, kind, data = self._queue.get(timeout=max(0.0, tick_at - time.monotonic()))
                if kind in ("end", "error"):
                    self._open.pop(run_id, None)
                if kind == "hosts":
                    self._asking.discard(run_id)
                if kind != "end" and data is not None:
                    yield run_id, kind, data
            except queue.Empty:
                pass
            if time.monotonic() >= tick_at:
                tick_at = time.monotonic() + TICK_S
                yield from [(run_id, "tick", None) for run_id in self._open]

    def ask(self, run_id: str, hosts: tuple[str, ...]) -> None:
        """Read these hosts of a run, unless its earlier question has no answer yet."""
        if hosts and run_id not in self._asking:
            self._asking.add(run_id)
            _start(self._read_hosts, run_id, hosts)

    def _read(self, run_id: str) -> None:
        try:
            for kind, data in self._client.events(run_id, lambda: self._queue.put((run_id, "lost", {}))):
                self._queue.put((run_id, kind, data))
            self._queue.put((run_id, "end", None))
        except Exception as error:
            self._queue.put((run_id, "error", error))

    def _read_hosts(self, run_id: str, names: tuple[str, ...]) -> None:
        hosts = None
        try:
            hosts = [self._client.get(f"/hosts/{quote(name, safe='')}") for name in names]
        except PlimsollError as error:
            log.debug("the hosts of %s are not known: %s", run_id, error)  # its stream reports a lost server
        except Exception as error:
            self._queue.put((run_id, "error", error))
        self._queue.put((run_id, "hosts", hosts))


def _start(target: Any, *arguments: Any) -> None:
    """Start a thread that does not hold the command when it ends."""
    threading.Thread(target=target, args=arguments, daemon=True).start()
