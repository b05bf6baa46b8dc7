"""The running servers and the reverse proxies in front of them; Servers owns them all.

A server is used for one block of rounds of one run. The first trial of a block restarts the servers of all
its cells, so that a random effect of one server start does not last for a whole run (core.plan.restarts).
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from backend.core.definition.factors import Level
from backend.core.errors import HostFault, ServerLost, TrialFailed
from backend.core.plan.restarts import ServedCell
from backend.core.topology.deployment import ServerSpec, reverse_proxy_spec, server_spec
from backend.core.topology.model import PathDefinition
from worker.sample.cgroup import Hierarchy
from worker.topology.clients import Clients, target_of
from worker.topology.deployment import Deployment
from worker.topology.engine_pool import EnginePool
from worker.topology.ports import all_ports, free_port
from worker.topology.reverse_proxy import ReverseProxy
from worker.workload.hooks import Hooks, raise_if_stopped

log = logging.getLogger(__name__)

IN_PARALLEL = 4
MAX_SERVERS = 32
"""Servers that run at the same time; the oldest is removed first."""


@dataclass(frozen=True)
class _Block:
    """The rounds of a run between two restarts of its servers, numbered from 0."""

    run_id: str
    number: int


class Servers:
    """Servers by specification, reverse proxies by server. `image` is set first.

    Thread-safe for different servers.
    """

    def __init__(self, pool: EnginePool, clients: Clients, hierarchy: Hierarchy) -> None:
        self._pool = pool
        self._clients = clients
        self._hierarchy = hierarchy
        self._running: dict[ServerSpec, Deployment] = {}
        self._served: dict[ServerSpec, _Block] = {}
        self._reverse_proxies: dict[tuple[str, str], ReverseProxy] = {}
        self._ports = all_ports()
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()
        self._block = _Block("", 0)
        self._started: _Block | None = None
        self.image = ""

    def start_block(
        self, run_id: str, block: int, cells: Callable[[], Iterable[ServedCell]], hooks: Hooks
    ) -> None:
        """At the first trial of a block of rounds: restart the servers of its cells in parallel.

        Servers that none of them needs are removed. A server that does not start fails its own trials later,
        with the reason. Raises Stopped; a later call then begins again.
        """
        self._block = _Block(run_id, block)
        if self._block == self._started:
            return
        began = time.monotonic()
        wanted: defaultdict[ServerSpec, list[ServedCell]] = defaultdict(list)
        for cell in cells():
            wanted[server_spec(cell.levels, cell.replica)].append(cell)
        for spec in [spec for spec in self._running if spec not in wanted]:
            self.forget(spec)
        tasks = list(wanted.items())[:MAX_SERVERS]
        with ThreadPoolExecutor(IN_PARALLEL) as threads:
            list(threads.map(lambda task: self._try(task[0], task[1], hooks), tasks))
        self._started = self._block
        log.info("%d servers started for block %d in %.1f s", len(tasks), block, time.monotonic() - began)

    def _try(self, spec: ServerSpec, cells: Sequence[ServedCell], hooks: Hooks) -> None:
        try:
            raise_if_stopped(hooks)
            deployment = self.get(spec, hooks, fresh=all(is_fresh(cell.levels) for cell in cells))
            for scale in sorted({int(cell.levels.get("scale", 0)) for cell in cells}):
                if scale:
                    deployment.ensure_database(scale, hooks)
        except (TrialFailed, HostFault) as error:
            log.warning("a server of this run did not start: %s", error)

    def get(self, spec: ServerSpec, hooks: Hooks, *, fresh: bool) -> Deployment:
        """The server of this specification, started in this block.

        A `fresh` server is restarted by each of its trials, and not at the beginning of a block. Raises
        TrialFailed, a HostFault or Stopped; ServerLost where the server has ended since the last call: the
        next call then starts another one.
        """
        with self._lock(spec.key):
            handle = self._pool.handle_of(spec)
            running = self._running.get(spec)
            # An engine that was started again has another handle, and not this server.
            if running is not None and running.handle is handle:
                if fresh or self._served.get(spec) == self._block:
                    if running.runs():
                        return running
                    self.forget(spec)
                    raise ServerLost(f"the {spec.service} server has ended between two trials", before=True)
                if running.runs():
                    self.restart(running, hooks)
                    self._served[spec] = self._block
                    return running
            self.forget(spec)
            if len(self._running) >= MAX_SERVERS:
                self.forget(next(iter(self._running)))
            port = free_port(handle, self._ports, self._taken())
            made = Deployment(handle, spec, self.image, port, self._hierarchy, hooks)
            self._running[spec] = made
            self._served[spec] = self._block
            return made

    def restart(self, deployment: Deployment, hooks: Hooks) -> None:
        """Restart a server with its data; one that does not start is forgotten."""
        self._clients.leave(deployment.spec.key)
        self._remove_reverse_proxies(deployment.spec.key)  # the server may get another address
        try:
            deployment.restart(hooks)
        except BaseException:
            self._running.pop(deployment.spec, None)
            raise

    def _taken(self) -> set[int]:
        """The ports of every running server and reverse proxy."""
        servers, reverse_proxies = list(self._running.values()), list(self._reverse_proxies.values())
        return {server.port for server in servers} | {reverse_proxy.port for reverse_proxy in reverse_proxies}

    def reverse_proxy(
        self, path: PathDefinition, deployment: Deployment, levels: Mapping[str, Level], hooks: Hooks
    ) -> ReverseProxy | None:
        """The reverse proxy of a cell's path, started where it is missing; None where the path has none."""
        spec = reverse_proxy_spec(levels)
        if spec is None or path.upstream is None:
            return None
        key = (deployment.spec.key, f"{spec.key}-{path.name}")
        if key not in self._reverse_proxies:
            upstream = target_of(path, path.upstream, deployment)
            port = free_port(deployment.handle, self._ports, self._taken())
            self._reverse_proxies[key] = ReverseProxy(
                deployment, spec, self.image, port, upstream, self._hierarchy, hooks
            )
        return self._reverse_proxies[key]

    def reverse_proxies_of(self, server: Deployment) -> list[ReverseProxy]:
        """Every running reverse proxy of a server."""
        return [
            reverse_proxy
            for (key, _), reverse_proxy in self._reverse_proxies.items()
            if key == server.spec.key
        ]

    def running(self, spec: ServerSpec) -> Deployment | None:
        """The server of this specification that was last started, in any state; None without one."""
        return self._running.get(spec)

    def pids(self) -> dict[str, int]:
        """The first process of every running server, by its specification's key."""
        return {spec.key: running.server.pid for spec, running in self._running.items()}

    def forget_engine(self, engine_key: str) -> None:
        """Remove every server of one engine."""
        for spec in [spec for spec in self._running if spec.engine.key == engine_key]:
            self.forget(spec)

    def close(self) -> None:
        """Remove everything; repeatable."""
        for spec in list(self._running):
            self.forget(spec)

    def forget(self, spec: ServerSpec) -> None:
        """Remove a server with its reverse proxies and the clients in its namespaces."""
        self._remove_reverse_proxies(spec.key)
        self._clients.leave(spec.key)
        deployment = self._running.pop(spec, None)
        if deployment is not None:
            _remove(f"server {spec.key}", deployment.remove)

    def _remove_reverse_proxies(self, server_key: str) -> None:
        for key in [key for key in list(self._reverse_proxies) if key[0] == server_key]:
            _remove(f"reverse proxy {key[1]}", self._reverse_proxies.pop(key).remove)

    def _lock(self, key: str) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(key, threading.Lock())


def _remove(what: str, remove: Callable[[], None]) -> None:
    """Remove something; an error is logged only. Where its engine is gone, so is the thing."""
    try:
        remove()
    except Exception as error:  # of any kind: the engine may just be ending
        log.warning("%s could not be removed: %s", what, error)


def is_fresh(levels: Mapping[str, Level]) -> bool:
    """Whether every trial of a cell restarts its server."""
    return bool(levels.get("fresh_server", False))
