"""The HTTP server of the API: `python -m backend.api.serve [--fd N]`, with settings from the environment.

With `--fd` it serves a listening socket that its parent opened and keeps: no other program can take the port
while this process restarts, and connections wait in the socket's queue.
"""

from __future__ import annotations

import argparse
import logging
import socket
from contextlib import suppress
from typing import Any

import uvicorn
from fastapi import FastAPI

from backend.api.app import app_factory
from backend.api.bounded_http import BoundedHttp
from backend.api.tls import ReloadingCertificate
from backend.settings import Settings
from backend.worker_protocol import KEEP_ALIVE_S

logger = logging.getLogger(__name__)

GRACE_S = 5
"""Time for open requests to end; event streams and long polls end at once."""
RELOAD_S = 5
"""Interval in which the files of certificate and key are checked."""


def server_config(app: Any, settings: Settings) -> uvicorn.Config:
    """The configuration of uvicorn: it believes no forwarded header, which `client_address` reads."""
    certificate = None if settings.tls_cert is None else ReloadingCertificate(settings)
    return uvicorn.Config(
        app,
        host=settings.listen_host.strip("[]"),
        port=settings.port,
        http=BoundedHttp,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        ws="none",
        ssl_context_factory=None if certificate is None else lambda _config, _default: certificate.context,
        callback_notify=None if certificate is None else certificate.reload,
        timeout_notify=RELOAD_S,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
    )


class ApiServer(uvicorn.Server):
    """uvicorn that ends what lasts as long as its client wants, before it waits for open connections.

    Without that, one open event stream costs the whole grace of every stop, and an error in the log.
    """

    def __init__(self, app: FastAPI, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End event streams and long polls, whose clients resume them; then stop as uvicorn does."""
        self._app.state.subscriptions.close()
        self._app.state.long_polls.close()
        await super().shutdown(sockets)


def main(arguments: list[str] | None = None) -> None:
    """Serve until SIGTERM, or Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m backend.api.serve", description=__doc__)
    parser.add_argument("--fd", type=int)
    descriptor: int | None = parser.parse_args(arguments).fd
    settings = Settings()
    app = app_factory()
    server = ApiServer(app, server_config(app, settings))
    if settings.is_unencrypted:
        logger.warning(
            "%s is not encrypted: others on the network can read passwords and results", settings.base_url
        )
    # A socket made from the number alone finds its own family. uvicorn's own --fd takes it for AF_UNIX, and
    # asyncio then does not set TCP_NODELAY.
    with suppress(KeyboardInterrupt):  # uvicorn raises it again after its orderly stop
        server.run(sockets=None if descriptor is None else [socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    main()
