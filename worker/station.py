"""One worker's station: bench, book and spool together, from the first start to an orderly stop."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping

from celery import Celery

from backend.core.errors import Unavailable
from backend.queue import connect, publish_live, queue_name, wake
from backend.settings import Settings
from worker.book import StoreBook
from worker.engine.names import LAB_PREFIX
from worker.host.leftovers import leftovers
from worker.host.lock import measuring
from worker.host.spool import Spool
from worker.trial.bench import Bench
from worker.trial.carry_out import Claimed, carry_out, drain
from worker.trial.nodes import Places

log = logging.getLogger(__name__)
progress = logging.getLogger("plimsoll.progress")
"""Lines for whoever watches the start; the starter shows them in the terminal."""

RECONCILE_S = 10.0


class Station:
    """Everything that a worker process holds. One trial at a time, in the calling thread."""

    def __init__(self, settings: Settings, app: Celery) -> None:
        self._settings = settings
        self._app = app
        self._spool = Spool(settings.var_dir / "spool")
        self._book = StoreBook(settings)
        self._redis = connect(settings)
        self._bench = Bench(
            Places(settings.install_id, settings.runtime_dir, settings.var_dir),
            progress.info,
            settings.programs,
            settings.host_docker_socket,
        )
        self._environment: dict[str, str] = {}
        self._engines: frozenset[str] = frozenset()
        self._closing = threading.Event()
        self._reconciler = threading.Thread(target=self._reconcile, name="reconciler", daemon=True)
        self.aborting = threading.Event()

    def open(self) -> None:
        """Bring up the engines, announce the host, take over what an earlier worker left."""
        with measuring():
            self._bench.start()
            self._look_around()
            self._book.announce(self._bench.capabilities(), self._environment)
            drain(self._spool, self._book)
            if taken := self._book.take_over():
                progress.info("taking over %d trials of an earlier worker", taken)
        self._reconciler.start()

    def close(self) -> None:
        """Take the engines down; repeatable."""
        self._closing.set()
        self._bench.stop()

    def one_trial(self) -> str:
        """Claim one trial, carry it out and record it; "idle" where there is none."""
        if self.aborting.is_set():
            return "stopping"
        with measuring():
            drain(self._spool, self._book)
            trial = self._book.claim(self._environment, self._found_at_start)
            if trial is None:
                return "idle"
            outcome = carry_out(trial, self._bench, self._book, self._spool, self._live, self.aborting)
            self._book.look(trial)
            self._look_around()
        self._book.tell(trial.run_id)
        log.info("%s %s round %d: %s", trial.trial_id, trial.cell_id, trial.round, outcome)
        return outcome

    def _found_at_start(self) -> dict[str, str]:
        return leftovers(LAB_PREFIX, self._settings.install_id, self._settings.runtime_dir)

    def _look_around(self) -> None:
        """Take the environment anew when other engines stand than before: a run's cells may start some."""
        if (standing := self._bench.engines()) != self._engines:
            self._environment, self._engines = self._bench.environment(), standing

    def _live(self, trial: Claimed, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        publish_live(
            self._redis,
            trial.run_id,
            {
                "trial_id": trial.trial_id,
                "cell_id": trial.cell_id,
                "t": t,
                "rate": rate,
                "cores": dict(cores) if cores is not None else None,
            },
        )

    def _reconcile(self) -> None:
        """Say that this worker lives, and wake it for trials whose message was lost."""
        while not self._closing.wait(RECONCILE_S):
            try:
                waiting = self._book.seen()
            except Unavailable as error:
                log.warning("reconciler: %s", error)
                continue
            if waiting and not self._messages_waiting():
                wake(self._app, self._settings.host_name, waiting)

    def _messages_waiting(self) -> bool:
        try:
            return int(self._redis.llen(queue_name(self._settings.host_name))) > 0
        except Exception as error:  # Redis may be away; then nothing can be sent either
            log.warning("reconciler: Redis does not answer: %s", error)
            return True
