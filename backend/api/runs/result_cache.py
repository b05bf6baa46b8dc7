"""Cache of rendered results: one computation per version of a run, between measured windows.

An ended run's result is computed once. A running run's is computed after new events, at most every
`Settings.result_every_s`; until then, the previous one is served, marked as stale.
"""

from __future__ import annotations

import gzip
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

from backend.api.etag import etag_of
from backend.api.runs.window_budget import WindowBudget

logger = logging.getLogger(__name__)

KEPT_BYTES: Final = 32_000_000
"""Bytes of the results in memory, plain and compressed; the one used longest ago is forgotten first."""
GZIP_LEVEL: Final = 5
BOUND_S: Final = 15.0
"""Maximum delay of a computation; in longer windows it runs nevertheless."""
COST_S: Final = 0.005
COST_OF_TRIAL_S: Final = 0.0002
"""Expected CPU cost of a first computation, per result and per trial (`scripts/bench analysis`)."""

Key = tuple[str, str | None]
"""A run, and one of its cells or None for the complete result; or a group of runs, and a metric;
or an experiment, and a host."""


@dataclass(frozen=True)
class Version:
    """The version of a run that a result shows: the last event and the last exclusion that can change it.

    Of several runs, the `digest` of the versions of all of them.
    """

    event_id: int
    ended: bool
    trials: int
    exclusion: int = 0
    digest: str = ""


@dataclass(frozen=True)
class Rendered:
    """A rendered result, the time of its computation (monotonic seconds) and its cost in CPU seconds."""

    body: bytes
    gzipped: bytes
    etag: str
    version: Version
    at: float
    cost_s: float

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return len(self.body) + len(self.gzipped)

    @property
    def age_s(self) -> float:
        """Seconds since it was computed."""
        return max(0.0, time.monotonic() - self.at)


class Versions:
    """The versions of runs, each read at most once per `for_s` seconds. Thread-safe."""

    def __init__(self, read: Callable[[str], Version], for_s: float) -> None:
        self._read = read
        self._for_s = for_s
        self._known: dict[str, tuple[float, Version]] = {}
        self._lock = threading.Lock()

    def known(self, run_id: str) -> Version | None:
        """The version read within the last `for_s` seconds, or None."""
        at, version = self._known.get(run_id, (-1e9, None))
        return version if time.monotonic() - at < self._for_s else None

    def read(self, run_id: str) -> Version:
        """The version of a run. Raises NotFound."""
        with self._lock:
            version = self.known(run_id)
            if version is None:
                at = time.monotonic()
                version = self._read(run_id)
                self._known = {id_: one for id_, one in self._known.items() if at - one[0] < self._for_s}
                self._known[run_id] = (at, version)
        return version

    def forget(self, run_id: str) -> None:
        """Read the version of a run again at its next use."""
        with self._lock:
            self._known = {id_: one for id_, one in self._known.items() if id_ != run_id}


Build = Callable[[], tuple[Version, bytes]]
"""Reads the version before the result's input: the result may be newer than the version, never older."""


class ResultCache:
    """Cache of results with one computation at a time in the process. Thread-safe."""

    def __init__(
        self,
        budget: WindowBudget,
        every_s: float,
        on_computed: Callable[[Key, Rendered], None] = lambda _key, _rendered: None,
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        """`on_computed` is called with each new result, after it was handed to those who wait for it."""
        self._kept_bytes = kept_bytes
        self._budget = budget
        self._every_s = every_s
        self._on_computed = on_computed
        self._kept: OrderedDict[Key, Rendered] = OrderedDict()
        self._running: dict[Key, Future[Rendered]] = {}
        self._lock = threading.Lock()
        self._computing = threading.Lock()

    def find(self, key: Key, version: Version, build: Build) -> Rendered | Future[Rendered]:
        """The result of this version, a stale one, or the future of one that is being computed.

        A stale one is returned inside a measured window, and while it is younger than `every_s`; the next one
        is then computed in the background as soon as allowed.
        """
        kept = self._last(key)
        if kept is not None and kept.version == version:
            return kept
        if kept is None:
            return self._start(key, version, build, 0.0)
        early_s = 0.0 if version.ended else self._every_s - kept.age_s
        if early_s <= 0 and self._budget.admits(kept.cost_s):
            return self._start(key, version, build, None)
        self._start(key, version, build, max(0.0, early_s))
        return kept

    def kept(self, key: Key, version: Version) -> Rendered | None:
        """The result of this version, if it is in memory."""
        found = self._last(key)
        return found if found is not None and found.version == version else None

    def put(self, key: Key, rendered: Rendered) -> None:
        """Keep a result, and forget others where there are too many bytes."""
        with self._lock:
            self._kept[key] = rendered
            self._kept.move_to_end(key)
            size = sum(one.size for one in self._kept.values())
            while size > self._kept_bytes and len(self._kept) > 1:
                size -= self._kept.popitem(last=False)[1].size

    def _last(self, key: Key) -> Rendered | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
        return found

    def forget(self, run_id: str) -> None:
        """Remove the results of a run."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == run_id]:
                del self._kept[key]

    def _start(self, key: Key, version: Version, build: Build, delay_s: float | None) -> Future[Rendered]:
        """Compute in the background, after `delay_s` and outside measured windows; None: at once."""
        with self._lock:
            future = self._running.get(key)
            if future is not None:
                return future
            future = self._running[key] = Future()

        def work() -> None:
            try:
                rendered = self._compute(key, version, build, delay_s)
            except Exception as error:
                logger.info("the result of %s was not computed: %s", key[0], error)
                self._forget(key)
                future.set_exception(error)
            else:
                self._forget(key)
                future.set_result(rendered)
                self._on_computed(key, rendered)

        # A daemon thread: a delayed computation does not keep the process from ending.
        threading.Thread(target=work, name="result", daemon=True).start()
        return future

    def _forget(self, key: Key) -> None:
        with self._lock:
            del self._running[key]

    def _compute(self, key: Key, version: Version, build: Build, delay_s: float | None) -> Rendered:
        if delay_s is not None:
            threading.Event().wait(delay_s)
            self._budget.wait(self._expected(key, version), BOUND_S)
        with self._computing:
            began = time.thread_time()
            at = time.monotonic()
            found, body = build()
            gzipped = gzip.compress(body, GZIP_LEVEL, mtime=0)
            cost_s = time.thread_time() - began
            rendered = Rendered(body, gzipped, etag_of(body), found, at, cost_s)
        self.put(key, rendered)
        return rendered

    def _expected(self, key: Key, version: Version) -> float:
        with self._lock:
            kept = self._kept.get(key)
        return COST_S + COST_OF_TRIAL_S * version.trials if kept is None else kept.cost_s
