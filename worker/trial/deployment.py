"""One server that stands in one engine, kept between trials.

Nothing is made twice: each step looks before it acts, and what is made here is removed with its engine.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
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
from worker.measure.cgroup import CpuMeter, Hierarchy, group_of
from worker.measure.links import link_of_server
from worker.measure.places import WirePlaces
from worker.measure.postgres import PostgresStats
from worker.trial.command import Pump, bounded
from worker.trial.hooks import NoHooks
from worker.trial.networks import NETWORKS, ensure_parent
from worker.trial.nodes import Node

READY_LIMIT_S = 60.0
FILL_SECONDS_PER_SCALE = 5.0
OWN_PORT_IN_ENGINE = frozenset((Attachment.HOST_NETWORK, Attachment.BARE))
SOCKETS = frozenset((Attachment.SOCKET, Attachment.BARE_SOCKET))
BARE = frozenset((Attachment.BARE, Attachment.BARE_SOCKET))
PUBLISHING = frozenset((Attachment.BENCH_BRIDGE, Attachment.ROUTED_BRIDGE))
ANY = "0.0.0.0"


def run_in(engine: Engine, container: Container, argv: Sequence[str], limit_s: float) -> tuple[int, str]:
    """Run a command to its end; exit code and all that it printed."""
    execution = engine.execute(container, bounded(argv, limit_s))
    pump = Pump(execution, argv, container.name, limit_s)
    execution.release()
    code = pump.run(NoHooks())
    return code, pump.text("stdout") + pump.text("stderr")


class Deployment:
    """A running server that has replied. `port` is unique in its engine."""

    def __init__(self, node: Node, spec: ServerSpec, image: str, port: int, hierarchy: Hierarchy) -> None:
        self.node = node
        self.spec = spec
        self.service: Service = SERVICES[spec.service]
        self.network = NETWORKS[spec.attachment]
        self._hierarchy = hierarchy
        self._lock = threading.Lock()
        self._filled: set[int] = set()
        self._link: list[Link | None] = []
        self.published = port if spec.attachment in PUBLISHING else 0
        socket = spec.attachment in SOCKETS
        self.listen = Listen(
            ANY, port if spec.attachment in OWN_PORT_IN_ENGINE else self.service.port, socket=socket
        )
        self.maker: Engine = self._choose_maker()
        if self.network.spec is not None:
            if self.network.spec.parent:
                ensure_parent(node.netns, self.network.spec.parent)
            node.engine.ensure_network(self.network.spec)
        self.server = self.maker.create(
            templates.server(
                image, spec, self.service, self.listen, self.network.name, self.published, node.publish_on
            )
        )
        try:
            self._await_reply()
            self._take_meters()
        except BaseException:
            self.maker.remove(self.server.name)
            raise

    def _choose_maker(self) -> Engine:
        if self.spec.attachment not in BARE:
            return self.node.engine
        if self.node.bare is None:
            raise TrialFailed("provision_failed", "this engine's host runs nothing outside containers")
        return self.node.bare()

    def _take_meters(self) -> None:
        self._process = identify(self.server.pid)
        self.group = group_of(self._hierarchy, self.server.pid)
        self.meter = CpuMeter(self._hierarchy, self.group)
        self.statistics = self._open_statistics()

    def _open_statistics(self) -> PostgresStats | None:
        if self.service.name != "postgres":
            return None
        return PostgresStats(Path(f"/proc/{self.server.pid}/root/tmp"), self.listen.port, user=pgbench.USER)

    def restart(self) -> None:
        """Stop and start the server, and wait until it replies: its caches are empty then."""
        self._close_meters()
        self.server = self.maker.restart(self.server.name)
        if self.spec.setting("storage") == "memory":
            self._filled.clear()  # what lay in memory went with the server
        self._await_reply()
        self._take_meters()

    def runs(self) -> bool:
        """Whether the server's first process still is the one that replied."""
        return self._process is not None and self._process.runs()

    def remove(self) -> None:
        """Remove the server; already gone is fine."""
        self._close_meters()
        self.maker.remove(self.server.name)

    def _close_meters(self) -> None:
        self.meter.close()
        if self.statistics is not None:
            self.statistics.close()

    @property
    def beside(self) -> Target:
        """The server as a command in its own container reaches it."""
        socket = self.service.socket if self.listen.socket else None
        return Target("127.0.0.1", self.listen.port, socket)

    @property
    def socket_file(self) -> Path | None:
        """The server's Unix socket as its own root shows it, where it listens on one alone."""
        return Path(self.service.socket_file) if self.listen.socket else None

    def link(self, places: WirePlaces) -> Link | None:
        """What the server's network device hangs on; looked at once."""
        if not self._link:
            self._link.append(link_of_server(places))
        return self._link[0]

    @property
    def overlay_netns(self) -> Path | None:
        """The network namespace of the server's overlay network, where it is on one."""
        if self.spec.attachment not in OVERLAYS:
            return None
        return self.node.overlay_netns(self.network.name)

    def run(self, argv: Sequence[str], limit_s: float) -> tuple[int, str]:
        """Run a command beside the server."""
        return run_in(self.maker, self.server, argv, limit_s)

    def _await_reply(self) -> None:
        """A server is ready when it answers a request, not when its port is open."""
        deadline = time.monotonic() + READY_LIMIT_S
        asked = self.service.ready(self.beside)
        while not self.service.replied(*(answer := self.run(asked, 5.0))):
            if time.monotonic() > deadline:
                words = answer[1].strip()[-300:] or f"{asked[0]} ended with code {answer[0]}"
                raise TrialFailed("server_not_ready", f"{self.spec.service} does not reply: {words}")
            time.sleep(0.05)  # each try is a request of its own; bounded by the deadline

    def ensure_database(self, scale: int) -> None:
        """Fill the tables of a scale, once. Raises TrialFailed with the tool's own words."""
        with self._lock:
            if scale in self._filled:
                return
            name = pgbench.database(scale)
            limit_s = 60.0 + FILL_SECONDS_PER_SCALE * scale
            self._sql("dropdb", ("--if-exists", name), 60.0)
            self._sql("createdb", (name,), 60.0)
            self._must(pgbench.initialise(scale, self.beside), limit_s)
            self._sql("psql", ("-qc", "vacuum (freeze, analyze)", name), limit_s)
            self._sql("psql", ("-qc", "checkpoint", name), 120.0)
            self._filled.add(scale)

    def tidy(self, scale: int) -> None:
        """Before a run that writes, outside its window: what pgbench's own vacuum does, and a checkpoint."""
        name = pgbench.database(scale)
        for words in (
            "vacuum pgbench_branches",
            "vacuum pgbench_tellers",
            "truncate pgbench_history",
            "checkpoint",
        ):
            self._sql("psql", ("-qc", words, name), 120.0)

    def _sql(self, program: str, arguments: Sequence[str], limit_s: float) -> None:
        target = self.beside
        place = ("-h", target.socket or target.address, "-p", str(target.port), "-U", pgbench.USER)
        self._must((program, *place, *arguments), limit_s)

    def _must(self, argv: Sequence[str], limit_s: float) -> None:
        code, text = self.run(argv, limit_s)
        if code != 0:
            raise TrialFailed("provision_failed", f"{argv[0]} ended with code {code}: {text.strip()[-300:]}")

    def versions(self) -> Mapping[str, str]:
        """Versions of the engine that the server runs in."""
        return self.node.versions
