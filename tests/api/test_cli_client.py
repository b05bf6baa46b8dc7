"""The command's HTTP client follows a run over interrupted event streams."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from backend.client import transport
from backend.client.transport import Transport

STREAMS = (
    b'event: trial\nid: 1\ndata: {"state": "done"}\n\n',
    b'event: run\nid: 2\ndata: {"state": "done"}\n\nevent: live\ndata: {"t": 1}\n\n',
)


class Api(BaseHTTPRequestHandler):
    """Serves the streams one after the other and notes where each was resumed."""

    resumed: list[str | None]

    def do_GET(self) -> None:
        self.resumed.append(self.headers["Last-Event-ID"])
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(STREAMS[len(self.resumed) - 1])

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    Api.resumed = []
    with HTTPServer(("127.0.0.1", 0), Api) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join(60)


def test_a_stream_that_ends_before_its_run_is_resumed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "PAUSE_S", 0.0)
    lost: list[int] = []
    with Transport(url, trust_env=False) as client:
        events = client.events("run_x", lambda: lost.append(len(Api.resumed)))
        assert [kind for kind, _ in events] == ["trial", "run", "live"]
    assert Api.resumed == [None, "1"]
    assert lost == [1], "it is said before the stream is opened again"
