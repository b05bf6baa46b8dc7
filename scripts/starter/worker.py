"""The worker of this host, and the reaper that removes the remains of a crash."""

from __future__ import annotations

import signal
import ssl
import sys
from collections.abc import Callable
from datetime import UTC, datetime

import httpx2

from scripts.starter import environment
from scripts.starter.layout import Layout
from scripts.starter.once import run_once
from scripts.starter.processes import Service
from scripts.starter.time_limits import limit
from scripts.starter.trust import trust

# The first start builds the image, from Debian's packages if no registry answers.
READY_LIMIT = 1200.0
# Time to abort a trial, queue it again and stop the engines.
STOP_LIMIT = 40.0
REAP_LIMIT = 180.0
CELERY = (
    *("-m", "celery", "-A", "worker.app", "--quiet", "worker", "-P", "solo", "-c", "1"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO"),
)
"""Arguments of Python: a worker that messages wake."""


LEDGER = "ledger.jsonl"
"""What engines have made and not removed; the worker deletes the file when nothing is left."""


def service(layout: Layout, token: Callable[[], str]) -> Service:
    """The worker; SIGQUIT aborts a running trial and returns it to the queue. `token` is one of the API's."""
    variables = environment.of_worker(layout)
    since = datetime.now(UTC)
    return Service(
        name="worker",
        argv=(sys.executable, *CELERY),
        environment=variables,
        cwd=layout.root,
        ready=lambda: online(
            layout.url, token(), variables["PLIMSOLL_HOST_NAME"], since, trust(layout.tls_pins)
        ),
        ready_limit=READY_LIMIT,
        stop_signal=signal.SIGQUIT,
        stop_limit=STOP_LIMIT,
        orphan_signal=signal.SIGQUIT,
        # Engines and measured servers inherit it, and make files that containers' users read.
        umask=0o022,
    )


def online(url: str, token: str, host: str, since: datetime, verify: ssl.SSLContext | bool = True) -> bool:
    """Whether the API lists this host as online, seen after `since`: not by an earlier worker."""
    try:
        response = httpx2.get(
            f"{url}/api/v1/hosts",
            headers={"Authorization": f"Bearer {token}"},
            timeout=limit(5.0),
            trust_env=False,
            verify=verify,
        )
        response.raise_for_status()
        return any(
            entry["name"] == host
            and entry["online"]
            and datetime.fromisoformat(entry["last_seen_at"]) > since
            for entry in response.json()["data"]
        )
    except (httpx2.HTTPError, ValueError, KeyError):
        return False


def reap(layout: Layout) -> None:
    """Remove every container, engine, namespace, mount and process of this installation.

    Runs to its end even when a stop was requested. Raises Refusal.
    """
    if not (layout.var / LEDGER).exists():
        return
    argv = (sys.executable, "-m", "worker.host.reaper", "--all")
    run_once(
        "reaper", argv, environment.of_worker(layout), layout.logs / "reaper.log", REAP_LIMIT, cwd=layout.root
    )
