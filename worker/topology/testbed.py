"""The testbed: every engine, server, reverse proxy and client of this host, kept while runs need them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from backend.core.definition.factors import Level
from backend.core.errors import EngineUnavailable, HostFault, ServerLost
from backend.core.plan.restarts import ServedCell
from backend.core.topology.deployment import EngineSpec, ServerSpec, engine_spec, server_spec
from backend.core.topology.model import REMOTE, PathDefinition
from backend.core.topology.paths import PATHS
from backend.core.topology.two_hosts import is_between_hosts, is_overlay_between_hosts
from backend.core.workload.pgbench import database
from worker.engine import templates
from worker.engine.host import inspect_host
from worker.engine.names import LAB_PREFIX, InstallPaths
from worker.engine.programs import missing_program
from worker.engine.templates import max_scale
from worker.host.caches import drop_caches
from worker.host.capabilities import ProbeInput, probe
from worker.host.environment import changing_environment
from worker.host.ledger import Ledger
from worker.host.reaper import sweep
from worker.images.bootstrap import ensure_image, relay_program
from worker.images.recipe import ImageArchive
from worker.images.room import check_start
from worker.sample.cgroup import AbsentGroup, find_hierarchy
from worker.topology.clients import Clients, target_of
from worker.topology.deployment import Deployment
from worker.topology.engine_pool import OWN_DAEMON, EngineHandle, EnginePool
from worker.topology.overlay_end import End, OverlayEnd, Tunnel
from worker.topology.run_environment import environment_of, tool_versions
from worker.topology.servers import Servers, is_fresh
from worker.topology.trial_setup import OtherEnd, TrialSetup, cpuset_of
from worker.topology.two_hosts import CLIENT_NAME, OVERLAY_CLIENT, ClientPlace, HostLink, link_to
from worker.workload.hooks import NO_HOOKS, Hooks

log = logging.getLogger(__name__)

STARTED_AT_ONCE = (EngineSpec("lab", True), EngineSpec("lab", False))
RELAY = "epoll-relay"
"""A relay in C that comes with the image, registered on every host as an alternative to docker-proxy."""


class Testbed:
    """`start` is all or nothing; `setup` returns what one cell needs, and creates what is missing."""

    def __init__(
        self,
        install: InstallPaths,
        report: Callable[[str], None] = log.info,
        programs: Mapping[str, Path] | None = None,
        host_socket: Path = Path("/var/run/docker.sock"),
    ) -> None:
        self._install = install
        self._report = report
        self._ledger = Ledger(install.var / "ledger.jsonl")
        self._programs = dict(programs or {})
        self._host_socket = host_socket
        self._pool = EnginePool(install, self._ledger, self._programs, host_socket, report)
        self._tools: dict[str, str] = {}
        self._capabilities: dict[str, Any] = {}
        self._hierarchy = find_hierarchy()
        self._clients = Clients(self._pool, self._hierarchy)
        self._servers = Servers(self._pool, self._clients, self._hierarchy)
        self._overlay = OverlayEnd(f"{LAB_PREFIX}{install.install_id}-vxlan", self._ledger)
        self._image: ImageArchive | None = None
        self._reached_on = ""

    # --- start and stop -------------------------------------------------------------------------

    def start(self) -> None:
        """Remove what a crash left, make the image, start the engines that most cells need.

        Raises EngineUnavailable in one sentence where the host lacks something.
        """
        if (program := missing_program()) is not None:
            raise EngineUnavailable(f"{program} is not installed; install Docker Engine and iptables")
        for remains in sweep(self._ledger):
            self._report(f"removed what an earlier start left: {remains}")
        check_start(self._install)
        self._report("starting two lab engines, userland-proxy on and off")
        try:
            with ThreadPoolExecutor(len(STARTED_AT_ONCE)) as threads:
                engines = [threads.submit(self._start_engine, spec) for spec in STARTED_AT_ONCE]
                image = self._make_image()
                self._report("probing what this host can run")
                self._capabilities = self._probe()
            handles = [engine.result() for engine in engines]
            self._tools = tool_versions(handles[0], image.tag)
        except BaseException:
            self.stop()
            raise
        self._report("lab engines are ready")

    def _start_engine(self, spec: EngineSpec) -> EngineHandle:
        try:
            return self._pool.handle(spec)
        except Exception as error:
            if not self._pool.image.done():  # it takes minutes, after which the start fails
                why = f"lab engine {spec.key} cannot start: {error}"
                self._report(f"{why}; the image is still made, for the next start")
            raise

    def _make_image(self) -> ImageArchive:
        """Make the image, for which the engines wait; where that fails, they fail with the same error."""
        try:
            image = ensure_image(self._install, self._ledger, self._report)
            self._programs[RELAY] = relay_program(image)
        except BaseException as error:
            self._pool.image.set_exception(error)
            raise
        self.use_image(image)
        return image

    def use_image(self, image: ImageArchive) -> None:
        """Run every server and client from this image; `start` builds the installation's own."""
        self._image = image
        self._pool.image.set_result(image)
        self._servers.image = image.tag

    def stop(self) -> None:
        """Stop and remove everything; repeatable."""
        self._overlay.remove()
        self._servers.close()
        self._clients.close()
        self._pool.stop()
        self._ledger.clear_if_empty()

    def _probe(self) -> dict[str, Any]:
        _, state = inspect_host(self._host_socket, self._install.install_id)
        return probe(ProbeInput(self._install.install_id, self._ledger, self._programs, state, max_scale()))

    # --- what a run needs -----------------------------------------------------------------------

    def prepare(
        self,
        run_id: str,
        block: int,
        cells: Callable[[], Iterable[ServedCell]],
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        """At the first trial of a block of rounds: restart the servers of its cells. Raises Stopped."""
        self._servers.start_block(run_id, block, cells, hooks)

    def setup(
        self,
        levels: Mapping[str, Level],
        client_path: PathDefinition | None = None,
        replica: int = 0,
        hooks: Hooks = NO_HOOKS,
    ) -> TrialSetup:
        """Everything that a cell needs, with its server of this replica.

        `client_path` sends the client along another path, as tests do. Raises TrialFailed, a HostFault or
        Stopped.
        """
        path = client_path or PATHS[str(levels["path"])]
        own = dict(levels) | {"path": path.name}
        deployment = self._served(server_spec(own, replica), own, hooks)
        reverse_proxy = self._servers.reverse_proxy(path, deployment, own, hooks)
        assert self._image is not None, "start() makes the image"
        client = self._clients.location(path, deployment, self._image.tag)
        target = (
            reverse_proxy.target if reverse_proxy is not None else target_of(path, path.address, deployment)
        )
        return TrialSetup(
            path=path,
            deployment=deployment,
            client=client,
            target=target,
            reverse_proxies=self._servers.reverse_proxies_of(deployment),
            reverse_proxy=reverse_proxy,
            client_group=self._clients.group(client.handle, cpuset_of(own)),
            hierarchy=self._hierarchy,
            remote_pid=self._pool.remote().pid if path.vantage in REMOTE else None,
        )

    def _served(self, spec: ServerSpec, levels: Mapping[str, Level], hooks: Hooks) -> Deployment:
        """The server of a cell with its data, restarted where each trial needs a fresh one."""
        fresh = is_fresh(levels)
        deployment = self._servers.get(spec, hooks, fresh=fresh)
        if fresh:
            drop_caches()
            self._servers.restart(deployment, hooks)
        self._ready_data(deployment, levels, hooks)
        return deployment

    # --- client and server on two hosts ---------------------------------------------------------

    def link_to(self, addresses: Sequence[str]) -> HostLink:
        """This host's end of the link to another host, of which these are the addresses.

        Raises TrialFailed where no route leads to any of them.
        """
        return link_to(self._pool.handle(OWN_DAEMON), addresses)

    def reached_setup(
        self,
        levels: Mapping[str, Level],
        link: HostLink,
        *,
        vxlan: int | None = None,
        replica: int = 0,
        hooks: Hooks = NO_HOOKS,
    ) -> TrialSetup:
        """Everything that a cell needs on the server's host, where the client is on the link's other host.

        The target is a literal address and port of this host, or of the server on an overlay: then `vxlan` is
        its number. Raises as `setup` does.
        """
        path = PATHS[str(levels["path"])]
        self._reached_on = link.end.address
        deployment = self._served(self._spec(levels, replica), levels, hooks)
        if vxlan is not None:
            self._make_end(End.SERVER, Tunnel(vxlan, link.end.address, link.peer), deployment.server.pid)
            deployment.on_overlay(End.SERVER.address, self._overlay.path)
        return TrialSetup(
            path=path,
            deployment=deployment,
            client=None,
            target=target_of(path, path.address, deployment),
            reverse_proxies=(),
            reverse_proxy=None,
            client_group=AbsentGroup(),
            hierarchy=self._hierarchy,
            remote_pid=None,
            other_end=OtherEnd(link.peer, link.end.device),
        )

    def client_place(self, levels: Mapping[str, Level]) -> ClientPlace:
        """Where this host runs the client of a server on another host: on its own network, or on none until
        `on_overlay`."""
        assert self._image is not None, "start() makes the image"
        handle = self._pool.handle(OWN_DAEMON)
        named = (OVERLAY_CLIENT, "none") if is_overlay_between_hosts(levels) else (CLIENT_NAME, "host")
        container = handle.engine.create(templates.client(self._image.tag, *named))
        group = self._clients.group(handle, cpuset_of(levels))
        return ClientPlace(handle, container, group, self._hierarchy, dict(self._tools))

    def on_overlay(self, place: ClientPlace, tunnel: Tunnel) -> ClientPlace:
        """The place with its container on this host's end of an overlay. Raises TrialFailed."""
        self._make_end(End.CLIENT, tunnel, place.container.pid)
        return replace(place, overlay_netns=self._overlay.path)

    def _make_end(self, end: End, tunnel: Tunnel, pid: int) -> None:
        self._overlay.make(self._pool.handle(OWN_DAEMON).netns, tunnel, end)
        self._overlay.attach(pid, end)

    def leave_overlay(self) -> None:
        """Remove this host's end of an overlay; repeatable."""
        self._overlay.remove()

    def _spec(self, levels: Mapping[str, Level], replica: int) -> ServerSpec:
        """The server of a cell; with the address on which it was last reached, where another host does."""
        spec = server_spec(levels, replica)
        return replace(spec, address=self._reached_on) if is_between_hosts(levels) else spec

    def _ready_data(self, deployment: Deployment, levels: Mapping[str, Level], hooks: Hooks) -> None:
        if deployment.service.name != "postgres":
            return
        scale = int(levels["scale"])
        deployment.ensure_database(scale, hooks)
        if levels.get("script", "select_only") != "select_only":
            deployment.maintain(scale, hooks)
        if deployment.statistics is not None:
            deployment.statistics.use(database(scale))

    def discard(self, levels: Mapping[str, Level]) -> None:
        """Stop an engine after a failure that it may have caused; the next use starts it again."""
        key = engine_spec(levels).key
        # The engine first: without an answer, each removal in it would wait for its time limit.
        self._pool.discard(key)
        self._servers.forget_engine(key)
        if PATHS[str(levels["path"])].vantage in REMOTE:
            self._pool.discard("remote")

    def missing(self, levels: Mapping[str, Level], replica: int = 0) -> HostFault | None:
        """The fault where the cell's engine or server is gone; None where both are there."""
        remote = PATHS[str(levels["path"])].vantage in REMOTE
        for key in (engine_spec(levels).key, *(("remote",) if remote else ())):
            if why := self._pool.unusable(key):
                return EngineUnavailable(f"the engine {key} {why}")
        deployment = self._servers.running(self._spec(levels, replica))
        if deployment is not None and not deployment.runs():
            return ServerLost(f"the {deployment.spec.service} server has ended")
        return None

    def renew(self, levels: Mapping[str, Level], replica: int = 0) -> None:
        """Remove a cell's server; its next trial starts a new one."""
        self._servers.forget(self._spec(levels, replica))

    # --- what is reported of the host -----------------------------------------------------------

    @property
    def tools(self) -> Mapping[str, str]:
        """Versions of the tools in the image, as they print them."""
        return self._tools

    def program(self, name: str) -> Path:
        """The file of a registered alternative to docker-proxy."""
        return self._programs[name]

    def servers(self) -> dict[str, int]:
        """The first process of every running server, by its specification's key."""
        return self._servers.pids()

    def engines(self) -> frozenset[str]:
        """The keys of the engines that run now, marked where daemon or programs are others by now."""
        outdated = self._pool.outdated()
        return frozenset(f"{key} (outdated)" if key in outdated else key for key in self._pool.running())

    def capabilities(self) -> dict[str, Any]:
        """What this host can run, as plans read it."""
        return dict(self._capabilities)

    def environment(self) -> dict[str, str]:
        """Host, engines, image and tools, by name. Engines whose programs were replaced start again first."""
        self._pool.renew_outdated()
        tag = self._image.tag if self._image is not None else ""
        return environment_of(self._pool, self._tools, tag)

    def changing_environment(self) -> dict[str, str]:
        """The part of the host's environment that can change while the engines stay the same."""
        return changing_environment()
