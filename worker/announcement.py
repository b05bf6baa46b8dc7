"""The environment of this host as its server knows it: read again, and announced when it changed."""

from __future__ import annotations

import logging
from typing import Any, Protocol

from backend.core.errors import HostFault
from worker.trial.queue import HostQueue

log = logging.getLogger(__name__)


class Described(Protocol):
    """The testbed, as far as its environment is read."""

    def engines(self) -> frozenset[str]:
        """The engines that run now."""

    def environment(self) -> dict[str, str]:
        """All facts of the environment. Raises a HostFault where a part does not answer."""

    def changing_environment(self) -> dict[str, str]:
        """The facts that may change while the same engines run."""

    def capabilities(self) -> dict[str, Any]:
        """What this host can run."""


class Announcement:
    """The environment that trials are claimed with: `announce` once, `announce_changes` before each claim."""

    def __init__(self, queue: HostQueue) -> None:
        self._queue = queue
        self.environment: dict[str, str] = {}
        self._engines: frozenset[str] = frozenset()
        self._announced: dict[str, str] | None = None
        self._unread = ""

    def refresh(self, testbed: Described) -> None:
        """Read the environment again when other engines run than before.

        A run's cells may start some; an upgrade of Docker, or a restart of the host's daemon, replaces them.
        """
        try:
            if testbed.engines() != self._engines:
                self.environment = testbed.environment()
                self._engines = testbed.engines()
        except HostFault as error:
            if str(error) != self._unread:
                log.warning("the environment could not be read again: %s", error)
            self._unread = str(error)

    def announce(self, testbed: Described) -> None:
        """Tell the server what this host can run, and its environment. Raises Unavailable."""
        self._queue.announce(testbed.capabilities(), self.environment)
        self._announced = self.environment

    def announce_changes(self, testbed: Described) -> None:
        """Read the environment again, and announce another one: runs that begin now have its facts.

        Kernel settings and the like are read each time, the rest only when the engines changed.
        """
        self.refresh(testbed)
        self.environment = self.environment | testbed.changing_environment()
        if self._announced is not None and self._announced != self.environment:
            self.announce(testbed)
