"""The Celery worker of one Docker host: `celery -A worker.app worker -P solo -c 1`.

One process, one trial at a time, in a thread of its own: Celery's thread only receives messages. SIGTERM
finishes the running trial and stops; SIGQUIT ends it, returns it to the queue, and stops.
"""

from __future__ import annotations

import logging
import signal
import warnings
from types import FrameType
from typing import Any

from celery.platforms import SecurityWarning
from celery.signals import setup_logging, worker_init, worker_ready, worker_shutdown
from celery.worker import state

from backend.core.errors import PlimsollError, WorkerRejected
from backend.logs.configuration import configure_logs
from backend.queue import TASK, make_celery, queue_name
from backend.settings import Settings
from backend.worker_protocol import EXIT_REJECTED, READY_FILE
from worker.runtime import WorkerRuntime

log = logging.getLogger(__name__)

# The worker is root on purpose: it makes namespaces and engines. It accepts JSON only, not pickle.
warnings.filterwarnings("ignore", category=SecurityWarning)
settings = Settings()
ready = settings.runtime_dir / READY_FILE
app = make_celery(settings)
app.conf.task_default_queue = queue_name(settings.host_name)
try:
    runtime = WorkerRuntime(settings)
except PlimsollError as error:
    raise SystemExit(f"the worker cannot start: {error}") from error


@setup_logging.connect
def _configure_logs(**_: Any) -> None:
    """Configure the logs in Celery's place; it leaves them alone where this signal has a receiver."""
    configure_logs(settings)


@worker_init.connect
def _open(**_: Any) -> None:
    configure_logs(settings)  # Celery sends setup_logging only after this signal
    runtime.on_rejected = _end
    try:
        runtime.open()
        if settings.server_url is not None:
            ready.touch()
    except WorkerRejected as error:
        log.critical("%s", error)
        runtime.close()
        raise SystemExit(EXIT_REJECTED) from error
    except Exception as error:
        log.debug("start failed", exc_info=True)
        log.critical("%s", error)
        runtime.close()
        raise SystemExit(1) from error


@worker_ready.connect
def _listen_for_quit(**_: Any) -> None:
    """Replace Celery's handler of SIGQUIT, which would end the process without cleaning up."""
    signal.signal(signal.SIGQUIT, _abort)


def _abort(_number: int, _frame: FrameType | None) -> None:
    runtime.abort()
    state.should_stop = 0


def _end() -> None:
    """Celery's thread reads it after each wait for messages, which takes a second at most."""
    state.should_stop = EXIT_REJECTED


@worker_shutdown.connect
def _close(**_: Any) -> None:
    ready.unlink(missing_ok=True)
    runtime.close()


@app.task(name=TASK)
def trial(*_: Any, **__: Any) -> None:
    """Check for trials; the content of the message is not used."""
    runtime.wake()
