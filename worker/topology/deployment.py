"""One running server in one engine, kept between trials and restarted between blocks of rounds.

Its Deployment owns the server: where the constructor or `restart` fails, the server is removed before the
error is raised; `remove` may be called in any state, more than once.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from backend.core.errors import TrialFailed
from backend.core.topology.deployment import ServerSpec
from backend.core.topology.model import BARE, OVERLAYS, SOCKETS, Attachment, Link
from backend.core.workload import pgbench
from backend.core.workload.services import SERVICES
from backend.core.workload.services.model import Listen, Service
from backend.core.workload.target import Target
from worker.engine import templates
from worker.engine.protocol import Engine
from worker.host.processes import identify
from worker.host.time_limits import limit
from worker.sample.cgroup import CpuMeter, Hierarchy, group_of
from worker.sample.links import link_of_server
from worker.sample.postgres import PostgresStats
from worker.sample.probe_targets import ProbeTargets
from worker.sample.sockets import listens
from worker.topology.engine_pool import EngineHandle
from worker.topology.networks import ensure_parent, network_of
from worker.workload.command import run_in
from worker.workload.hooks import NO_HOOKS, Hooks, raise_if_stopped

log = logging.getLogger(__name__)

READY_LIMIT_S = 60.0
LISTEN_LIMIT_S = 2.0
"""After this time a server gets its first request even if no listening socket was found."""
FILL_SECONDS_PER_SCALE = 5.0
OWN_PORT_IN_ENGINE = frozenset((Attachment.HOST_NETWORK, Attachment.BARE))
PUBLISHING = frozenset((Attachment.USER_BRIDGE, Attachment.ROUTED_BRIDGE))
ANY = "0.0.0.0"  # in the container's own network namespace  # nosec B104
_START_NUMBERS = itertools.count(1)


class Deployment:
    """A running server that has replied. `port` is unique in its engine.

    `start_id` identifies this start of the server, unique over processes and hosts: the specification's key,
    a number, the container's id and its first pid.
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
        self.network = network_of(spec)
        self.port = port
        self._hierarchy = hierarchy
        self._lock = threading.Lock()
        self._filled: set[int] = set()
        self._link: list[Link | None] = []
        self._overlay: Path | None = None
        self._meters = ExitStack()
        self.published = port if spec.attachment in PUBLISHING else 0
        socket = spec.attachment in SOCKETS
        self.listen = Listen(
            ANY, port if spec.attachment in OWN_PORT_IN_ENGINE else self.service.port, socket=socket
        )
        self.engine: Engine = handle.bare_host() if spec.attachment in BARE else handle.engine
        if self.network.spec is not None:
            if self.network.spec.parent:
                ensure_parent(handle.netns, self.network.spec.parent)
            handle.engine.ensure_network(self.network.spec)
        container = templates.server(
            image, spec, self.service, self.listen, self.network.name, self.published, handle.publish_on
        )
        # After a removal that failed, `create` would return the old container, which has another port.
        self.engine.remove(container.name)
        self.server = self.engine.create(container)
        self._bring_up(hooks)

    def _bring_up(self, hooks: Hooks) -> None:
        """Wait for the first reply and open the meters; where that fails, the server is removed."""
        try:
            self._await_reply(hooks)
            self._open_meters()
        except BaseException:
            self._undo()
            raise
        container = self.server
        self.start_id = f"{self.spec.key}/{next(_START_NUMBERS)}/{container.id[:12]}/{container.pid}"

    def _open_meters(self) -> None:
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

    def restart(self, hooks: Hooks = NO_HOOKS) -> None:
        """Stop and start the server, and wait until it replies; its caches are empty then.

        The new process has a new network namespace. Where the server does not start it is removed, as by
        `remove`, and the error gives the reason.
        """
        self._meters.close()
        try:
            self.server = self.engine.restart(self.server.name)
        except BaseException:
            self._undo()
            raise
        if self.spec.setting("storage") == "memory":
            self._filled.clear()
        self._link.clear()
        self._overlay = None
        self._bring_up(hooks)

    def _undo(self) -> None:
        """Remove the server after a failure; an error of the removal is logged, not raised."""
        try:
            self.remove()
        except Exception as error:  # of any kind; the next start removes the container by its name
            log.warning("%s could not be removed: %s", self.server.name, error)

    def runs(self) -> bool:
        """Whether the server's first process is still the one that replied."""
        return self._process is not None and self._process.runs()

    def remove(self) -> None:
        """Remove the server; already gone is fine."""
        self._meters.close()
        self.engine.remove(self.server.name)

    @property
    def local_target(self) -> Target:
        """The server's address for a command in its own container."""
        socket = self.service.socket if self.listen.socket else None
        return Target("127.0.0.1", self.listen.port, socket)

    @property
    def socket_file(self) -> Path | None:
        """The server's Unix socket, as a path in its own root, where it listens on nothing else."""
        return Path(self.service.socket_file) if self.listen.socket else None

    def link(self, targets: ProbeTargets) -> Link | None:
        """What the server's network device is attached to; read once for each start."""
        if not self._link:
            self._link.append(link_of_server(targets))
        return self._link[0]

    @property
    def overlay_netns(self) -> Path | None:
        """The network namespace of the server's overlay network, where it is on one."""
        if self.spec.attachment not in OVERLAYS:
            return None
        return self._overlay or self.handle.overlay_netns(self.network.name)

    def on_overlay(self, address: str, netns: Path) -> None:
        """Until it restarts, the server is on an overlay of two hosts, with this address."""
        self.server = replace(self.server, address=address)
        self._overlay = netns
        self._link.clear()

    def run(self, argv: Sequence[str], limit_s: float, hooks: Hooks = NO_HOOKS) -> tuple[int, str]:
        """Run a command in the server's container: exit code and output. Raises TrialFailed or Stopped."""
        return run_in(self.engine, self.server, argv, limit_s, hooks)

    def _await_reply(self, hooks: Hooks) -> None:
        """Wait until the server answers a request; an open port is not enough.

        Requests begin when the port is open: each costs a process in the container, and other servers start
        at the same time.
        """
        deadline = time.monotonic() + limit(READY_LIMIT_S)
        request = self.service.ready(self.local_target)
        while not self.service.replied(*(answer := self._request(request, hooks))):
            raise_if_stopped(hooks)
            if time.monotonic() > deadline:
                output = answer[1].strip()[-300:] or f"{request[0]} ended with code {answer[0]}"
                raise TrialFailed("server_not_ready", f"{self.spec.service} does not reply: {output}")
            time.sleep(0.05)  # each try is a request of its own; bounded by the deadline

    def _request(self, argv: Sequence[str], hooks: Hooks) -> tuple[int, str]:
        """The answer to a request once the server listens, or after LISTEN_LIMIT_S in any case."""
        limit = time.monotonic() + LISTEN_LIMIT_S
        while time.monotonic() < limit and not listens(self.server.pid, self.listen.port, self.socket_file):
            raise_if_stopped(hooks)
            time.sleep(0.02)  # the kernel offers no event for this; bounded by LISTEN_LIMIT_S
        return self.run(argv, 5.0, hooks)

    def ensure_database(self, scale: int, hooks: Hooks = NO_HOOKS) -> None:
        """Fill the tables of a scale, once. Raises TrialFailed with the tool's output, or Stopped.

        After an interruption the next call creates the tables again from the beginning.
        """
        with self._lock:
            if scale in self._filled:
                return
            name = pgbench.database(scale)
            limit_s = 60.0 + FILL_SECONDS_PER_SCALE * scale
            create = ("-qc", f"drop database if exists {name}", "-c", f"create database {name}", "postgres")
            self._sql(create, 60.0, hooks)
            self._must(pgbench.initialise(scale, self.local_target), limit_s, hooks)
            self._sql(("-qc", "vacuum (freeze, analyze)", "-c", "checkpoint", name), limit_s, hooks)
            self._filled.add(scale)

    def maintain(self, scale: int, hooks: Hooks = NO_HOOKS) -> None:
        """Before the window of a trial that writes: what pgbench's own vacuum does, and a checkpoint."""
        name = pgbench.database(scale)
        for statement in (
            "vacuum pgbench_branches",
            "vacuum pgbench_tellers",
            "truncate pgbench_history",
            "checkpoint",
        ):
            self._sql(("-qc", statement, name), 120.0, hooks)

    def _sql(self, arguments: Sequence[str], limit_s: float, hooks: Hooks) -> None:
        target = self.local_target
        server = ("-h", target.socket or target.address, "-p", str(target.port), "-U", pgbench.USER)
        self._must(("psql", *server, *arguments), limit_s, hooks)

    def _must(self, argv: Sequence[str], limit_s: float, hooks: Hooks) -> None:
        code, text = self.run(argv, limit_s, hooks)
        if code != 0:
            raise TrialFailed("provision_failed", f"{argv[0]} ended with code {code}: {text.strip()[-300:]}")
