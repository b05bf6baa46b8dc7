"""A server that answers as a test says, and keeps what it was sent; with TLS where a certificate is given."""

from __future__ import annotations

import gzip
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PROBLEM = "application/problem+json"


@dataclass
class Reply:
    """One answer; `cut` closes the connection in its place."""

    status: int = 200
    content: Any = field(default_factory=dict)
    media: str = "application/json"
    cut: bool = False
    location: str = ""


@dataclass(frozen=True)
class Sent:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


def problem(status: int, code: str, detail: str = "so it is") -> Reply:
    """An error as Plimsoll answers it."""
    content = {"type": "/problems/x", "title": "No", "status": status, "detail": detail, "code": code}
    return Reply(status, content | {"instance": "/errors/1", "errors": []}, PROBLEM)


class ScriptedServer:
    """The replies in their order, the last one for ever; and the requests so far."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.replies: list[Reply] = [Reply()]
        self.by_path: dict[str, Reply] = {}
        self.sent: list[Sent] = []
        self.connections = 0

    def next(self, path: str) -> Reply:
        """The reply to a request."""
        if path in self.by_path:
            return self.by_path[path]
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@contextmanager
def scripted(certificate: tuple[Path, Path] | None = None) -> Iterator[ScriptedServer]:
    """A server on a port that the kernel chooses."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            found.connections += 1

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            content = self.rfile.read(length)
            if self.headers.get("Content-Encoding") == "gzip":
                content = gzip.decompress(content)
            body = json.loads(content) if content else None
            found.sent.append(Sent(self.command, self.path, dict(self.headers.items()), body))
            reply = found.next(self.path.removeprefix("/api/v1/worker"))
            if reply.cut:
                self.close_connection = True
                return
            text = reply.content if isinstance(reply.content, str) else json.dumps(reply.content)
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.media)
            self.send_header("Content-Length", str(len(text.encode())))
            if reply.location:
                self.send_header("Location", reply.location)
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_POST = do_PUT = do_PATCH = answer

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "http" if certificate is None else "https"
    found = ScriptedServer(f"{scheme}://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
