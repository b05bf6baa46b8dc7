"""The Celery worker of one Docker host: `celery -A worker.app worker -P solo -c 1`.

One process, one trial at a time, in a thread of its own: Celery's thread only receives messages. SIGTERM
finishes the running trial and stops; SIGQUIT ends it, returns it to the queue, and stops.
"""

from __future__ import annotations

import logging
import signal
import sys
from types import FrameType
from typing import Any

from celery.signals import worker_init, worker_ready, worker_shutdown
from celery.worker import state

from backend.queue import TASK, make_celery, queue_name
from backend.settings import Settings
from worker.runtime import WorkerRuntime

log = logging.getLogger(__name__)

settings = Settings()
app = make_celery(settings)
app.conf.task_default_queue = queue_name(settings.host_name)
app.conf.worker_hijack_root_logger = False
runtime = WorkerRuntime(settings)


@worker_init.connect
def _open(**_: Any) -> None:
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        runtime.open()
    except Exception as error:
        log.debug("start failed", exc_info=True)
        print(f"plimsoll worker: {error}", file=sys.stderr, flush=True)
        runtime.close()
        raise SystemExit(1) from error


@worker_ready.connect
def _listen_for_quit(**_: Any) -> None:
    """Replace Celery's handler of SIGQUIT, which would end the process without cleaning up."""
    signal.signal(signal.SIGQUIT, _abort)


def _abort(_number: int, _frame: FrameType | None) -> None:
    runtime.abort()
    state.should_stop = 0


@worker_shutdown.connect
def _close(**_: Any) -> None:
    runtime.close()


@app.task(name=TASK)
def trial(*_: Any, **__: Any) -> None:
    """Check for trials; the content of the message is not used."""
    runtime.wake()
