"""A small HTTP server on an address and port of its own, for monitoring; never the public one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from socket import AF_INET6
from typing import Any, Final
from urllib.parse import urlsplit

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from backend.web_address import is_loopback, read_authority

logger = logging.getLogger(__name__)

TIMEOUT_S: Final = 10.0


@dataclass(frozen=True)
class Page:
    """The response to one path."""

    status: int
    media_type: str
    body: bytes


Pages = Mapping[str, Callable[[], Page]]


class PrivateServer:
    """Serves GET requests of a few fixed paths in threads of its own, from `start` to `stop`."""

    def __init__(self, address: str, port: int, pages: Pages) -> None:
        """Bind the port; port 0 takes a free one. Raises OSError."""
        self._server = _Server((address, port), _handler(pages, loopback=is_loopback(address)))
        self._thread = threading.Thread(target=self._server.serve_forever, name="monitoring", daemon=True)

    @property
    def port(self) -> int:
        """The bound port."""
        return int(self._server.server_address[1])

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def stop(self) -> None:
        """Stop serving and free the port."""
        if self._thread.is_alive():
            self._server.shutdown()
        self._server.server_close()


def metrics_page(registry: CollectorRegistry) -> Page:
    """The metrics of a registry in Prometheus' text format."""
    return Page(200, CONTENT_TYPE_LATEST, generate_latest(registry))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        if ip_address(address[0]).version == 6:
            self.address_family = AF_INET6
        super().__init__(address, handler)


def _handler(pages: Pages, *, loopback: bool) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        server_version = "plimsoll"
        sys_version = ""
        timeout = TIMEOUT_S

        def do_GET(self) -> None:
            """Respond with a page."""
            path = urlsplit(self.path).path
            if loopback and not self._names_loopback():
                self._send(Page(421, "text/plain", b"use a loopback name as host\n"))
            elif path not in pages:
                self._send(Page(404, "text/plain", b"not found\n"))
            else:
                self._send(pages[path]())

        def _names_loopback(self) -> bool:
            """Whether Host is a loopback name: a page that a browser shows could rebind any other one."""
            try:
                return is_loopback(read_authority(self.headers.get("Host", "")).host)
            except ValueError:
                return False

        def _send(self, page: Page) -> None:
            self.send_response(page.status)
            self.send_header("Content-Type", page.media_type)
            self.send_header("Content-Length", str(len(page.body)))
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(page.body)

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing for a scrape: there is one every few seconds."""

        def log_error(self, format: str, *args: Any) -> None:
            """Log a broken request without its content."""
            logger.debug("a request on the private port failed")

    return Handler
