"""One running server in one engine, kept between trials and started again between blocks of rounds.

A server has one owner, its Deployment: what the constructor or `restart` could not bring up whole is
removed again before the error leaves them, and `remove` may be called in any state, more than once.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from backend.core.errors import TrialFailed
from backend.core.topology.deployment import OVERLAYS, ServerSpec
from backend.core.topology.model import Attachment, Link
from backend.core.workload import pgbench
from backend.core.workload.services import SERVICES
from backend.core.workload.services.model import Listen, Service
from backend.core.workload.target import Target
from worker.engine import templates
from worker.engine.protocol import Container, Engine
from worker.host.processes import identify
from worker.sample.cgroup import CpuMeter, Hierarchy, group_of
from worker.sample.links import link_of_server
from worker.sample.listening import listens
from worker.sample.postgres import PostgresStats
from worker.sample.probe_targets import ProbeTargets
from worker.topology.engine_pool import EngineHandle
from worker.topology.networks import NETWORKS, ensure_parent
from worker.workload.command import Pump, bounded
from worker.workload.hooks import Hooks, NoHooks, Stopped

log = logging.getLogger(__name__)

READY_LIMIT_S = 60.0
ASK_ANYWAY_S = 2.0
"""A server that cannot be seen to listen is asked all the same."""
FILL_SECONDS_PER_SCALE = 5.0
OWN_PORT_IN_ENGINE = frozenset((Attachment.HOST_NETWORK, Attachment.BARE))
SOCKETS = frozenset((Attachment.SOCKET, Attachment.BARE_SOCKET))
BARE = frozenset((Attachment.BARE, Attachment.BARE_SOCKET))
PUBLISHING = frozenset((Attachment.USER_BRIDGE, Attachment.ROUTED_BRIDGE))
ANY = "0.0.0.0"
NO_HOOKS = NoHooks()
_START_NUMBERS = itertools.count(1)


def run_in(
    engine: Engine, container: Container, argv: Sequence[str], limit_s: float, hooks: Hooks = NO_HOOKS
) -> tuple[int, str]:
    """Run a command to its end; exit code and all that it printed. Raises Stopped where the hooks say so."""
    execution = engine.execute(container, bounded(argv, limit_s))
    pump = Pump(execution, argv, container.name, limit_s)
    execution.release()
    code = pump.run(hooks)
    return code, pump.text("stdout") + pump.text("stderr")


def unless_stopped(hooks: Hooks) -> None:
    """Raise Stopped where the trial that this work is for should end now."""
    if (why := hooks.stop_wanted()) is not None:
        raise Stopped(why)


class Deployment:
    """A running server that has replied. `port` is unique in its engine.

    `start_id` names this start of it, in any process on any host: the specification's key, a number, the
    container and its first process.
    """

    def __init__(
        self,
        handle: EngineHandle,
        spec: ServerSpec,
        image: str,
        port: int,
        hierarchy: Hierarchy,
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        self.handle = handle
        self.spec = spec
        self.service: Service = SERVICES[spec.service]
        self.network = NETWORKS[spec.attachment]
        self.port = port
        self._hierarchy = hierarchy
        self._lock = threading.Lock()
        self._filled: set[int] = set()
        self._link: list[Link | None] = []
        self._meters = ExitStack()
        self.published = port if spec.attachment in PUBLISHING else 0
        socket = spec.attachment in SOCKETS
        self.listen = Listen(
            ANY, port if spec.attachment in OWN_PORT_IN_ENGINE else self.service.port, socket=socket
        )
        self.maker: Engine = self._choose_maker()
        if self.network.spec is not None:
            if self.network.spec.parent:
                ensure_parent(handle.netns, self.network.spec.parent)
            handle.engine.ensure_network(self.network.spec)
        asked = templates.server(
            image, spec, self.service, self.listen, self.network.name, self.published, handle.publish_on
        )
        # One of this name is left of a removal that failed, and has another port: `create` would answer it.
        self.maker.remove(asked.name)
        self.server = self.maker.create(asked)
        self._bring_up(hooks)

    def _bring_up(self, hooks: Hooks) -> None:
        """Wait for the first reply and open the meters; where that fails, the server is removed."""
        try:
            self._await_reply(hooks)
            self._take_meters()
        except BaseException:
            self._undo()
            raise
        container = self.server
        self.start_id = f"{self.spec.key}/{next(_START_NUMBERS)}/{container.id[:12]}/{container.pid}"

    def _choose_maker(self) -> Engine:
        if self.spec.attachment not in BARE:
            return self.handle.engine
        if self.handle.bare is None:
            raise TrialFailed("provision_failed", "this engine's host runs nothing outside containers")
        return self.handle.bare()

    def _take_meters(self) -> None:
        self._process = identify(self.server.pid)
        self.group = group_of(self._hierarchy, self.server.pid)
        self.meter = CpuMeter(self._hierarchy, self.group)
        self._meters.callback(self.meter.close)
        self.statistics = self._open_statistics()
        if self.statistics is not None:
            self._meters.callback(self.statistics.close)

    def _open_statistics(self) -> PostgresStats | None:
        if self.service.name != "postgres":
            return None
        return PostgresStats(Path(f"/proc/{self.server.pid}/root/tmp"), self.listen.port, user=pgbench.USER)

    @property
    def keeps_data(self) -> bool:
        """Whether `restart` leaves filled tables as they are: what lies in memory goes with the server."""
        return bool(self._filled) and self.spec.setting("storage") != "memory"

    def restart(self, hooks: Hooks = NO_HOOKS) -> None:
        """Stop and start the server, and wait until it replies; its caches are empty then.

        It is another process in another network namespace. Where it does not come up it is removed, as after
        `remove`, and the error says why.
        """
        self._meters.close()
        try:
            self.server = self.maker.restart(self.server.name)
        except BaseException:
            self._undo()
            raise
        if self.spec.setting("storage") == "memory":
            self._filled.clear()
        self._link.clear()
        self._bring_up(hooks)

    def _undo(self) -> None:
        """Remove the server after a failure, whose own error must not be lost to one of the removal."""
        try:
            self.remove()
        except Exception as error:  # whatever it is; the next start removes what has this name
            log.warning("%s could not be removed: %s", self.server.name, error)

    def runs(self) -> bool:
        """Whether the server's first process still is the one that replied."""
        return self._process is not None and self._process.runs()

    def remove(self) -> None:
        """Remove the server; already gone is fine."""
        self._meters.close()
        self.maker.remove(self.server.name)

    @property
    def beside(self) -> Target:
        """The server as a command in its own container reaches it."""
        socket = self.service.socket if self.listen.socket else None
        return Target("127.0.0.1", self.listen.port, socket)

    @property
    def socket_file(self) -> Path | None:
        """The server's Unix socket as its own root shows it, where it listens on one alone."""
        return Path(self.service.socket_file) if self.listen.socket else None

    def link(self, targets: ProbeTargets) -> Link | None:
        """What the server's network device hangs on; looked at once."""
        if not self._link:
            self._link.append(link_of_server(targets))
        return self._link[0]

    @property
    def overlay_netns(self) -> Path | None:
        """The network namespace of the server's overlay network, where it is on one."""
        if self.spec.attachment not in OVERLAYS:
            return None
        return self.handle.overlay_netns(self.network.name)

    def run(self, argv: Sequence[str], limit_s: float, hooks: Hooks = NO_HOOKS) -> tuple[int, str]:
        """Run a command beside the server. Raises Stopped where the hooks say so."""
        return run_in(self.maker, self.server, argv, limit_s, hooks)

    def _await_reply(self, hooks: Hooks) -> None:
        """A server is ready when it answers a request, not when its port is open.

        It is not asked before: a request costs a process in the container, and so the CPU that others need.
        """
        deadline = time.monotonic() + READY_LIMIT_S
        asked = self.service.ready(self.beside)
        while not self.service.replied(*(answer := self._asked(asked, hooks))):
            unless_stopped(hooks)
            if time.monotonic() > deadline:
                words = answer[1].strip()[-300:] or f"{asked[0]} ended with code {answer[0]}"
                raise TrialFailed("server_not_ready", f"{self.spec.service} does not reply: {words}")
            time.sleep(0.05)  # each try is a request of its own; bounded by the deadline

    def _asked(self, argv: Sequence[str], hooks: Hooks) -> tuple[int, str]:
        """The answer to a request once the server listens, or after ASK_ANYWAY_S in any case."""
        anyway = time.monotonic() + ASK_ANYWAY_S
        while time.monotonic() < anyway and not listens(self.server.pid, self.listen.port, self.socket_file):
            unless_stopped(hooks)
            time.sleep(0.02)  # the kernel offers no event for this; bounded by ASK_ANYWAY_S
        return self.run(argv, 5.0, hooks)

    def ensure_database(self, scale: int, hooks: Hooks = NO_HOOKS) -> None:
        """Fill the tables of a scale, once. Raises TrialFailed with the tool's own words, or Stopped.

        Tables that were left half filled are made from the beginning by the next call.
        """
        with self._lock:
            if scale in self._filled:
                return
            name = pgbench.database(scale)
            limit_s = 60.0 + FILL_SECONDS_PER_SCALE * scale
            made = ("-qc", f"drop database if exists {name}", "-c", f"create database {name}", "postgres")
            self._sql("psql", made, 60.0, hooks)
            self._must(pgbench.initialise(scale, self.beside), limit_s, hooks)
            self._sql("psql", ("-qc", "vacuum (freeze, analyze)", "-c", "checkpoint", name), limit_s, hooks)
            self._filled.add(scale)

    def tidy(self, scale: int, hooks: Hooks = NO_HOOKS) -> None:
        """Before a run that writes, outside its window: what pgbench's own vacuum does, and a checkpoint."""
        name = pgbench.database(scale)
        for words in (
            "vacuum pgbench_branches",
            "vacuum pgbench_tellers",
            "truncate pgbench_history",
            "checkpoint",
        ):
            self._sql("psql", ("-qc", words, name), 120.0, hooks)

    def _sql(self, program: str, arguments: Sequence[str], limit_s: float, hooks: Hooks) -> None:
        target = self.beside
        place = ("-h", target.socket or target.address, "-p", str(target.port), "-U", pgbench.USER)
        self._must((program, *place, *arguments), limit_s, hooks)

    def _must(self, argv: Sequence[str], limit_s: float, hooks: Hooks) -> None:
        code, text = self.run(argv, limit_s, hooks)
        if code != 0:
            raise TrialFailed("provision_failed", f"{argv[0]} ended with code {code}: {text.strip()[-300:]}")

    def versions(self) -> Mapping[str, str]:
        """Versions of the engine that the server runs in."""
        return self.handle.versions
