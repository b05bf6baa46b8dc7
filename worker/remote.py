"""The worker of an enrolled host without Redis: `python -m worker.remote`. It polls its server.

SIGTERM and SIGINT finish the running trial and stop; SIGQUIT ends it, returns it to the queue, and stops.
Exits with EXIT_REJECTED where the server accepts this worker no longer, so that nobody restarts it in vain.
"""

from __future__ import annotations

import logging
import signal
import sys
from queue import SimpleQueue
from types import FrameType

from pydantic import ValidationError

from backend.core.errors import PlimsollError, WorkerRejected
from backend.logs.configuration import configure_logs
from backend.settings import Settings
from backend.worker_protocol import EXIT_REJECTED
from worker.runtime import WorkerRuntime

log = logging.getLogger(__name__)

ORDERLY = (signal.SIGTERM, signal.SIGINT)


class Stops:
    """Wakes the main thread: by a signal, or because the worker was rejected.

    A SimpleQueue may be filled in a signal handler at any point of the program; a lock may not.
    """

    def __init__(self) -> None:
        self._stops: SimpleQueue[None] = SimpleQueue()
        self._opened: WorkerRuntime | None = None
        for number in (*ORDERLY, signal.SIGQUIT):
            signal.signal(number, self._on_signal)

    def opened(self, runtime: WorkerRuntime) -> None:
        """From now on a signal ends the worker in order; before, it ends the start."""
        self._opened = runtime

    def stop(self) -> None:
        """Stop the worker; from any thread."""
        self._stops.put(None)

    def wait(self) -> None:
        """Wait for the first of them."""
        self._stops.get()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._opened is None:
            raise SystemExit(0)
        if number == signal.SIGQUIT:
            self._opened.abort()
        self.stop()


def run(runtime: WorkerRuntime, stops: Stops) -> int:
    """Run a worker until it is stopped; returns the exit code."""
    try:
        runtime.on_rejected = stops.stop
        runtime.open()
        stops.opened(runtime)
        stops.wait()
    except WorkerRejected as error:
        log.critical("%s", error)
        return EXIT_REJECTED
    except (PlimsollError, OSError) as error:
        log.debug("start failed", exc_info=True)
        log.critical("%s", error)
        return 1
    finally:
        runtime.close()
    return 0 if runtime.rejected is None else EXIT_REJECTED


def main() -> int:
    """Run until a signal; returns the exit code."""
    try:
        settings = Settings()
        configure_logs(settings)
        if settings.server_url is None:
            raise ValueError("PLIMSOLL_SERVER_URL is not set: scripts/join starts this worker")
        settings.runtime_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
        stops = Stops()
        return run(WorkerRuntime(settings), stops)
    except (PlimsollError, ValidationError, ValueError, OSError) as error:
        print(f"the worker cannot start: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(main())
