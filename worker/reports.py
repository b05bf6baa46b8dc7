"""What a worker reports of its host, and what it learns in return: conditions, free space, decisions."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

from backend.core.errors import Unavailable, WorkerRejected
from worker.host.conditions import Conditions
from worker.host.spool import Spool
from worker.live import LiveSamples
from worker.trial.queue import HostQueue

log = logging.getLogger(__name__)

HEARTBEAT_S = 10.0
"""How often the worker reports that it runs."""


class Reports:
    """The reports of one worker; `repeat` is the body of a thread of its own."""

    def __init__(
        self, folder: Path, queue: HostQueue, live: LiveSamples, spool: Spool, conditions: Conditions
    ) -> None:
        """`folder` is on the file system whose free space is reported."""
        self._folder = folder
        self._queue = queue
        self._live = live
        self._spool = spool
        self._conditions = conditions

    def repeat(self, closing: threading.Event, rejected: Callable[[WorkerRejected], None]) -> None:
        """Report that this worker runs and its conditions, until `closing`; no error ends the loop."""
        while not closing.wait(HEARTBEAT_S):
            try:
                self.check_services()
                self.send()
            except WorkerRejected as error:
                rejected(error)
            except Unavailable as error:
                log.debug("heartbeat of this worker failed: %s", error)
            except Exception:
                log.exception("heartbeat of this worker failed")

    def send(self) -> None:
        """Report conditions and free space; read what administrators decided about this host."""
        used = shutil.disk_usage(self._folder)
        self._queue.seen(self._conditions.as_json(), {"free_bytes": used.free, "total_bytes": used.total})

    def check_services(self) -> None:
        """Check whether Redis answers, and what is in quarantine."""
        if (silence := self._live.silence()) is not None:
            self._conditions.begin("redis", silence)
        else:
            self._conditions.end("redis")
        if quarantined := self._spool.quarantined():
            newest = quarantined[-1]
            reason = f"{len(quarantined)} records, the newest: {newest.name}: {newest.reason}"
            self._conditions.begin("quarantine", reason, quarantined[0].since)
        else:
            self._conditions.end("quarantine")
