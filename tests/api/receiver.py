"""A receiver of webhooks on loopback."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(BaseHTTPRequestHandler):
    """Keeps what it receives; behaves as the server's `answer` says."""

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.received.append((self.path, dict(self.headers), self.rfile.read(length)))  # type: ignore[attr-defined]
        self.server.answer(self)  # type: ignore[attr-defined]

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


class ReceiverServer(ThreadingHTTPServer):
    """A receiver on loopback; `answer` writes its response."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiver)
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        self.answer: Callable[[BaseHTTPRequestHandler], None] = lambda handler: respond(handler, 204)


def respond(handler: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


@contextmanager
def receiving() -> Iterator[ReceiverServer]:
    """A receiver that answers 204 until its `answer` is replaced."""
    with ReceiverServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(60)
