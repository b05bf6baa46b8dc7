"""uvicorn in a thread, on a port that the kernel chooses."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn


@contextmanager
def running(
    config: uvicorn.Config, scheme: str = "http", listener: socket.socket | None = None
) -> Iterator[str]:
    """Serve on 127.0.0.1, or on a socket whose port the configuration has to know; yields the base URL."""
    with listener or socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            while not server.started:
                assert thread.is_alive()
                time.sleep(0.01)
            yield f"{scheme}://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(60)
