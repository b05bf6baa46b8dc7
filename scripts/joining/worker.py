"""The worker of a joined host, and the reaper that removes the remains of a crash."""

from __future__ import annotations

import math
import signal
import sys

import redis

from backend.worker_protocol import EXIT_REJECTED, READY_FILE
from scripts.joining.enrolment import Enrolled, EnrolmentFiles
from scripts.joining.environment import of_worker, redis_url
from scripts.starter.layout import Layout
from scripts.starter.once import run_once
from scripts.starter.processes import Service
from scripts.starter.time_limits import limit
from scripts.starter.worker import CELERY, REAP_LIMIT, STOP_LIMIT

__all__ = ["STOP_LIMIT", "reap", "redis_answers", "service"]


def redis_answers(enrolled: Enrolled, files: EnrolmentFiles) -> bool:
    """Whether the server's Redis lets this host in; False also where the server has none for hosts."""
    if not enrolled.redis_url:
        return False
    url = redis_url(enrolled, files)
    client = redis.Redis.from_url(url, socket_timeout=limit(3), socket_connect_timeout=limit(3), retry=None)
    try:
        return bool(client.ping())
    except (redis.RedisError, OSError):
        return False
    finally:
        client.close()


def service(layout: Layout, enrolled: Enrolled, files: EnrolmentFiles) -> Service:
    """The worker, woken by Redis or polling; SIGQUIT aborts a running trial and returns it to the queue."""
    ready = layout.runtime / READY_FILE
    ready.unlink(missing_ok=True)
    return Service(
        name="worker",
        argv=(sys.executable, *(CELERY if enrolled.redis_url else ("-m", "worker.remote"))),
        environment=of_worker(layout, enrolled, files),
        cwd=layout.root,
        ready=ready.exists,
        ready_limit=math.inf,  # it waits for its server, however long that is away
        stop_signal=signal.SIGQUIT,
        stop_limit=STOP_LIMIT,
        orphan_signal=signal.SIGQUIT,
        # Engines and measured servers inherit it, and make files that containers' users read.
        umask=0o022,
        final=frozenset({EXIT_REJECTED}),
    )


def reap(layout: Layout, enrolled: Enrolled, files: EnrolmentFiles) -> None:
    """Remove every container, engine, namespace, mount and process of this installation.

    Runs to its end even when a stop was requested. Raises Refusal.
    """
    argv = (sys.executable, "-m", "worker.host.reaper", "--all")
    variables = of_worker(layout, enrolled, files)
    run_once("reaper", argv, variables, layout.logs / "reaper.log", REAP_LIMIT, cwd=layout.root)
