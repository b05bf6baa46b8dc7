"""The API with the built page."""

from __future__ import annotations

import http.client
import ssl
import sys
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from scripts.starter import confinement, environment, migration
from scripts.starter.layout import Layout
from scripts.starter.liveness import Health
from scripts.starter.once import run_once
from scripts.starter.processes import Service
from scripts.starter.stopping import Stop
from scripts.starter.time_limits import limit
from scripts.starter.trust import trust

RESTORE_LIMIT = 3600.0


def restore(layout: Layout, stop: Stop, backup: Path, replace: bool) -> str:
    """Restore a backup into the database before anything uses it; returns what it says. Raises Refusal."""
    migration.forget(layout)
    options = ("--replace",) if replace else ()
    argv = (sys.executable, "-m", "backend.cli.main", "restore", str(backup), *options)
    log = layout.logs / "restore.log"
    return run_once(
        "restore", argv, environment.of_migration(layout), log, RESTORE_LIMIT, cwd=layout.root, stop=stop
    )


def service(layout: Layout, listener: int) -> Service:
    """The API, as its own user; `listener` is the descriptor of its listening socket."""
    return Service(
        name="api",
        argv=confinement.confined(layout, ("-m", "backend.api.serve", "--fd", str(listener))),
        inherited=(listener,),
        environment=environment.of_api(layout),
        orphan_signal=None,
        ready=lambda: ready(layout.url, trust(layout.tls_pins)),
        ready_limit=60.0,
        stop_limit=10.0,
        health=Health(lambda: answers(layout.url, trust(layout.tls_pins))),
    )


def answers(url: str, verify: ssl.SSLContext | bool = True) -> bool:
    """Whether the API's process answers.

    This runs all the time on the measured host: an httpx2 client, which first reads the certificates of all
    authorities, takes some 30 ms of CPU, and this under 1 ms.
    """
    parts = urlsplit(url)
    context = verify if isinstance(verify, ssl.SSLContext) else None
    connection = (
        http.client.HTTPSConnection(parts.netloc, timeout=limit(4.0), context=context)
        if parts.scheme == "https"
        else http.client.HTTPConnection(parts.netloc, timeout=limit(4.0))
    )
    try:
        connection.request("GET", f"{parts.path}/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def ready(url: str, verify: ssl.SSLContext | bool = True) -> bool:
    """Whether the API reports that it and its services are ready."""
    try:
        return (
            httpx2.get(f"{url}/readyz", timeout=limit(5.0), trust_env=False, verify=verify).status_code == 200
        )
    except httpx2.HTTPError:
        return False
