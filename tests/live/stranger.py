"""A program that is no server of a trial: it counts who connects, and says what nobody may learn."""

from __future__ import annotations

import contextlib
import threading
from types import TracebackType

from tests.live.machine import listener_in

SAYS = "private answer of another program"


class Stranger:
    """Listens on an address in a network namespace until the end of the `with` block."""

    def __init__(self, netns: str, address: str, port: int) -> None:
        self.connections = 0
        self._listener = listener_in(netns, address, port)
        self._thread = threading.Thread(target=self._answer, name=f"stranger-{port}", daemon=True)

    def __enter__(self) -> Stranger:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(2)
        self._listener.close()
        self._thread.join(5)

    def _answer(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                with contextlib.suppress(OSError), connection:
                    connection.sendall(f"HTTP/1.0 200 OK\r\n\r\n{SAYS}\r\n".encode())
