"""The bench: every engine, server, front and client of this host, kept for as long as they are needed."""

from __future__ import annotations

import contextlib
import itertools
import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from backend.core.definition.factors import Level
from backend.core.errors import HostFault, ServerLost, TrialFailed
from backend.core.topology.deployment import EngineSpec, ServerSpec, engine_spec, front_spec, server_spec
from backend.core.topology.model import PathDefinition, Vantage
from backend.core.topology.paths import PATHS
from backend.core.workload.pgbench import database
from worker.engine.host import look
from worker.engine.lab import missing_program
from worker.engine.protocol import EngineUnavailable
from worker.engine.templates import max_scale
from worker.host.caches import drop_caches
from worker.host.capabilities import Inquiry, probe
from worker.host.ledger import Ledger
from worker.host.reaper import sweep
from worker.images.bootstrap import ImageArchive, ensure_image, relay_program
from worker.measure.cgroup import find_hierarchy
from worker.trial.clients import Clients, target_of
from worker.trial.deployment import Deployment
from worker.trial.facts import environment_of, tool_versions
from worker.trial.front import StandingFront
from worker.trial.nodes import Nodes, Places
from worker.trial.ports import free_port
from worker.trial.rig import Rig, cpuset_of

log = logging.getLogger(__name__)

STARTED_AT_ONCE = (EngineSpec("lab", True), EngineSpec("lab", False))
RELAY = "epoll-relay"
"""A relay in C that comes with the image, registered on every host as a program in docker-proxy's place."""
SIDE_BY_SIDE = 4
MAX_STANDING = 32
"""Servers kept at the same time; the ones that the current run does not need go first."""
REMOTE = frozenset((Vantage.REMOTE_HOST, Vantage.REMOTE_CONTAINER))


class Bench:
    """`start` is all or nothing; `rig` answers everything that one cell needs, made where it is missing."""

    def __init__(
        self,
        places: Places,
        say: Callable[[str], None] = log.info,
        programs: Mapping[str, Path] | None = None,
        host_socket: Path = Path("/var/run/docker.sock"),
    ) -> None:
        self._places = places
        self._say = say
        self._ledger = Ledger(places.var / "ledger.jsonl")
        self._programs = dict(programs or {})
        self._host_socket = host_socket
        self._nodes = Nodes(places, self._ledger, self._programs, host_socket, say)
        self._deployments: dict[ServerSpec, Deployment] = {}
        self._fronts: dict[tuple[str, str], StandingFront] = {}
        self._ports = itertools.count(20001)
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()
        self._prepared = ""
        self._tools: dict[str, str] = {}
        self._capabilities: dict[str, Any] = {}
        self._hierarchy = find_hierarchy()
        self._clients = Clients(self._nodes, self._hierarchy)
        self._image: ImageArchive | None = None

    # --- start and stop -------------------------------------------------------------------------

    def start(self) -> None:
        """Remove what a crash left, make the image, bring up the engines that most cells need.

        Raises EngineUnavailable in one sentence where the host lacks something.
        """
        if (program := missing_program()) is not None:
            raise EngineUnavailable(f"{program} is not installed; install Docker Engine and iptables")
        for remains in sweep(self._ledger):
            self._say(f"removed what an earlier start left: {remains}")
        self._image = ensure_image(
            self._places.install_id, self._places.runtime, self._places.var, self._ledger, self._say
        )
        self._nodes.image = self._image
        self._programs[RELAY] = relay_program(self._image)
        self._say("looking at what this host can run")
        self._capabilities = self._probe()
        self._say("starting two lab engines, userland-proxy on and off")
        try:
            with ThreadPoolExecutor(len(STARTED_AT_ONCE)) as pool:
                nodes = list(pool.map(self._nodes.node, STARTED_AT_ONCE))
            self._tools = tool_versions(nodes[0], self._image.tag)
        except BaseException:
            self.stop()
            raise
        self._say("lab engines are ready")

    def stop(self) -> None:
        """Take everything down; repeatable."""
        for spec in list(self._deployments):
            self._forget(spec)
        self._clients.close()
        self._nodes.stop()
        self._ledger.clear_if_empty()

    def _probe(self) -> dict[str, Any]:
        _, state = look(self._host_socket, self._places.install_id)
        return probe(Inquiry(self._places.install_id, self._ledger, self._programs, state, max_scale()))

    # --- what a run needs -----------------------------------------------------------------------

    def prepare(self, run_id: str, cells: Callable[[], Iterable[Mapping[str, Level]]]) -> None:
        """At the first trial of a run: take down what it does not need, bring up the rest side by side.

        A server that does not come up is left to its own trials, which then say why.
        """
        if run_id == self._prepared:
            return
        wanted: defaultdict[ServerSpec, set[int]] = defaultdict(set)
        for levels in cells():
            wanted[server_spec(levels)].add(int(levels.get("scale", 0)))
        for spec in [spec for spec in self._deployments if spec not in wanted]:
            self._forget(spec)
        with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            list(pool.map(self._try, list(wanted.items())[:MAX_STANDING]))
        self._prepared = run_id

    def _try(self, wanted: tuple[ServerSpec, set[int]]) -> None:
        spec, scales = wanted
        try:
            deployment = self._deployment(spec)
            for scale in sorted(scales):
                if scale:
                    deployment.ensure_database(scale)
        except (TrialFailed, HostFault) as error:
            log.warning("a server of this run does not stand yet: %s", error)

    def rig(self, levels: Mapping[str, Level], taken: PathDefinition | None = None) -> Rig:
        """Everything that a cell needs; `taken` sends its client along another path, as tests do.

        Raises TrialFailed or EngineUnavailable.
        """
        path = taken or PATHS[str(levels["path"])]
        own = dict(levels) | {"path": path.name}
        deployment = self._deployment(server_spec(own))
        fresh = bool(own.get("fresh_server", False))
        if fresh:
            self._clients.leave(deployment.spec.key)
            self._leave_fronts(deployment.spec.key)  # the server may come back with another address
            drop_caches()
            deployment.restart()
        self._ready_data(deployment, own)
        front = self._front(path, deployment, own)
        assert self._image is not None, "start() makes the image"
        place = self._clients.place(path, deployment, self._image.tag)
        target = front.target if front is not None else target_of(path, path.address, deployment)
        return Rig(
            path=path,
            deployment=deployment,
            place=place,
            target=target,
            fronts=[f for (server, _), f in self._fronts.items() if server == deployment.spec.key],
            front=front,
            client_group=self._clients.group(place.node, cpuset_of(own)),
            hierarchy=self._hierarchy,
            remote_pid=self._nodes.remote().pid if path.vantage in REMOTE else None,
        )

    def _ready_data(self, deployment: Deployment, levels: Mapping[str, Level]) -> None:
        if deployment.service.name != "postgres":
            return
        scale = int(levels["scale"])
        deployment.ensure_database(scale)
        if levels.get("script", "select_only") != "select_only":
            deployment.tidy(scale)
        if deployment.statistics is not None:
            deployment.statistics.use(database(scale))

    def discard(self, levels: Mapping[str, Level]) -> None:
        """Take an engine down after a failure that it may have caused; the next use starts it afresh."""
        key = engine_spec(levels).key
        for spec in [spec for spec in self._deployments if spec.engine.key == key]:
            self._forget(spec)
        self._nodes.discard(key)
        if PATHS[str(levels["path"])].vantage in REMOTE:
            self._nodes.discard("remote")

    def missing(self, levels: Mapping[str, Level]) -> HostFault | None:
        """What this cell needs and is gone: its engine or its server; None where both are there."""
        key = engine_spec(levels).key
        node = self._nodes.standing().get(key)
        if node is not None and not node.engine.answers():
            return EngineUnavailable(f"the engine {key} does not answer")
        deployment = self._deployments.get(server_spec(levels))
        if deployment is not None and not deployment.runs():
            return ServerLost(f"the {deployment.spec.service} server has ended")
        return None

    def renew(self, levels: Mapping[str, Level]) -> None:
        """Take one cell's server down: its next trial gets a new one."""
        self._forget(server_spec(levels))

    # --- parts ----------------------------------------------------------------------------------

    def _deployment(self, spec: ServerSpec) -> Deployment:
        with self._lock(spec.key):
            node = self._nodes.node(spec.engine)
            standing = self._deployments.get(spec)
            if standing is not None and standing.node is node:
                if not standing.runs():
                    self._forget(spec)
                    raise ServerLost(f"the {spec.service} server has ended between two trials", before=True)
                return standing  # an engine that was started again is another node, without this server
            self._forget(spec)
            if len(self._deployments) >= MAX_STANDING:
                self._forget(next(iter(self._deployments)))
            assert self._image is not None, "start() makes the image"
            made = Deployment(node, spec, self._image.tag, free_port(node, self._ports), self._hierarchy)
            self._deployments[spec] = made
            return made

    def _front(
        self, path: PathDefinition, deployment: Deployment, levels: Mapping[str, Level]
    ) -> StandingFront | None:
        spec = front_spec(levels)
        if spec is None or path.front_to is None:
            return None
        key = (deployment.spec.key, f"{spec.key}-{path.name}")
        if key not in self._fronts:
            assert self._image is not None, "start() makes the image"
            upstream = target_of(path, path.front_to, deployment)
            port = free_port(deployment.node, self._ports)
            self._fronts[key] = StandingFront(
                deployment, spec, self._image.tag, port, upstream, self._hierarchy
            )
        return self._fronts[key]

    def _forget(self, spec: ServerSpec) -> None:
        self._leave_fronts(spec.key)
        self._clients.leave(spec.key)
        deployment = self._deployments.pop(spec, None)
        if deployment is not None:
            with contextlib.suppress(Exception):  # likewise
                deployment.remove()

    def _leave_fronts(self, server_key: str) -> None:
        for key in [key for key in self._fronts if key[0] == server_key]:
            front = self._fronts.pop(key)
            with contextlib.suppress(Exception):  # its engine may be gone, and it with it
                front.remove()

    def _lock(self, key: str) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(key, threading.Lock())

    # --- what is told of the host ---------------------------------------------------------------

    @property
    def tools(self) -> Mapping[str, str]:
        """Versions of the tools in the image, as they print them."""
        return self._tools

    def program(self, name: str) -> Path:
        """The file of a registered program that can stand in docker-proxy's place."""
        return self._programs[name]

    def servers(self) -> dict[str, int]:
        """The first process of every server that stands now, by its specification's key."""
        return {spec.key: deployment.server.pid for spec, deployment in self._deployments.items()}

    def engines(self) -> frozenset[str]:
        """The engines that stand now."""
        return frozenset(self._nodes.standing())

    def capabilities(self) -> dict[str, Any]:
        """What this host can run, as plans read it."""
        return dict(self._capabilities)

    def environment(self) -> dict[str, str]:
        """Host, engines, image and tools, by name."""
        tag = self._image.tag if self._image is not None else ""
        return environment_of(self._nodes, self._tools, tag)
