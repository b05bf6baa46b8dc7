"""The engines of a testbed, each started on first use and kept until the testbed stops."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path

from backend.core.definition.catalog import PROXY_PROGRAM
from backend.core.errors import EngineUnavailable, TrialFailed
from backend.core.topology.deployment import EngineSpec, ServerSpec
from worker.engine.bare import BareHost
from worker.engine.host import HostDaemon
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import LINK_ADDRESSES, InstallPaths, engine_names, program_address
from worker.engine.programs import installed_files
from worker.engine.protocol import Engine
from worker.engine.segment import Segment
from worker.engine.swarm import form, overlay_namespace
from worker.host.commands import namespace_file
from worker.host.ledger import Ledger
from worker.images.bootstrap import root_file_system
from worker.images.recipe import ImageArchive
from worker.images.room import load_image

log = logging.getLogger(__name__)

InstalledFiles = tuple[tuple[int, ...] | None, ...]

REMOTE = EngineSpec("lab", True)
"""The other host: an engine of its own that runs only clients."""
OWN_DAEMON = EngineSpec("host", True)
"""The host's own daemon, with the setting that it has: its key does not contain the setting."""


@dataclass(frozen=True)
class EngineHandle:
    """One running engine: what is needed to run servers and clients on it and to read its counters.

    `bare` returns the same host without Docker, created on first use; None where there is none.
    """

    key: str
    engine: Engine
    pid: int
    netns: str | Path
    cgroup: str
    address: str
    versions: Mapping[str, str]
    publish_on: str = ""
    bare: Callable[[], Engine] | None = None
    overlay_netns: Callable[[str], Path | None] = lambda _network: None

    def bare_host(self) -> Engine:
        """The same host without Docker. Raises TrialFailed where it has none."""
        if self.bare is None:
            raise TrialFailed("provision_failed", "this engine's host runs nothing outside containers")
        return self.bare()


class EnginePool:
    """Engines by key. `handle` is thread-safe: different engines start in parallel, each one only once.

    `image` is the one that every engine loads; an engine that starts before it is made waits for it.
    """

    def __init__(
        self,
        install: InstallPaths,
        ledger: Ledger,
        programs: Mapping[str, Path],
        host_socket: Path,
        report: Callable[[str], None],
    ) -> None:
        self._install = install
        self._ledger = ledger
        self._programs = programs
        self._host_socket = host_socket
        self._report = report
        self._segment = Segment(install.install_id, ledger)
        self._engines: dict[str, LabEngine] = {}
        self._bare: dict[str, BareHost] = {}
        self._host: HostDaemon | None = None
        self._handles: dict[str, EngineHandle] = {}
        self._started_with: dict[str, tuple[EngineSpec, InstalledFiles]] = {}
        self._guard = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self.image: Future[ImageArchive] = Future()
        self._bare_lock = threading.Lock()
        self._swarm: tuple[EngineHandle, EngineHandle] | None = None
        self._reached: tuple[EngineHandle, EngineHandle] | None = None

    def handle_of(self, server: ServerSpec) -> EngineHandle:
        """The engine of a server; of one that another host reaches, the host's own on that address."""
        base = self.handle(server.engine)
        if not server.address:
            return base
        with self._lock("reached"):
            if self._reached is None or self._reached[0] is not base or self._host is None:
                self._reached = None
            if self._reached is None or self._reached[1].address != server.address:
                assert self._host is not None, "only the host's own daemon is reached by another host"
                engine = self._host.reached_on(server.address)
                reached = replace(base, engine=engine, address=server.address, publish_on=server.address)
                self._reached = (base, reached)
            return self._reached[1]

    def handle(self, spec: EngineSpec) -> EngineHandle:
        """The engine of this specification, started where it does not run or does not answer."""
        return self._running(spec.key, spec)

    def remote(self) -> EngineHandle:
        """The other host on the link between the engines."""
        return self._running("remote", REMOTE)

    def running(self) -> dict[str, EngineHandle]:
        """Every engine that runs now, by key."""
        return dict(self._handles)

    def unusable(self, key: str) -> str:
        """Why an engine that was started cannot be used; empty where it can, or where it was not started."""
        handle = self._handles.get(key)
        if handle is None:
            return ""
        if why := self._outdated(key, handle):
            return why
        if key in self._engines and self._segment.is_lost():
            return "has lost its link to the other engines"
        return "" if handle.engine.answers() else "does not answer"

    def _outdated(self, key: str, handle: EngineHandle) -> str:
        if not namespace_file(handle.netns).exists():
            return "has lost its network namespace"
        if self._started_with[key][1] != installed_files():
            return "runs with programs of Docker that have been replaced"
        return ""

    def outdated(self) -> frozenset[str]:
        """The keys of the engines whose daemon or programs are others by now; asks no daemon."""
        return frozenset(key for key, handle in self.running().items() if self._outdated(key, handle))

    def renew_outdated(self) -> None:
        """Start engines again of which daemon or programs are others by now."""
        for key in sorted(self.outdated()):
            self._running(key, self._started_with[key][0])

    def bridge_netfilter(self) -> dict[str, str]:
        """Whether bridged packets pass iptables, by engine."""
        return {key: engine.bridge_netfilter() for key, engine in self._engines.items()}

    def discard(self, key: str) -> None:
        """Stop one engine; its next use starts it again."""
        with self._lock(key):
            self._stop(key)

    def stop(self) -> None:
        """Stop every engine; repeatable."""
        for key in sorted(self._handles | self._engines, key=("remote", "swarm").count):
            self.discard(key)
        self._segment.stop()

    def _lock(self, key: str) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(key, threading.Lock())

    def _running(self, key: str, spec: EngineSpec) -> EngineHandle:
        with self._lock(key):
            self._segment.repair()
            handle = self._handles.get(key)
            if handle is None or (why := self.unusable(key)):
                if handle is not None:
                    self._report(f"engine {key} {why}; starting it again")
                self._stop(key)
                # Read before: what is replaced while it starts is found at its next use.
                self._started_with[key] = (spec, installed_files())
                handle = self._start_host() if spec.kind == "host" else self._start_lab(key, spec)
                self._handles[key] = handle
        if key == "swarm":
            self._form(handle)
        return handle

    def _form(self, manager: EngineHandle) -> None:
        """Form a swarm of the two engines, unless these two have formed one."""
        remote = self.remote()
        with self._lock("swarm"):
            if self._swarm != (manager, remote):
                form(self._engines["swarm"], self._engines["remote"])
                self._swarm = (manager, remote)

    def _start_lab(self, key: str, spec: EngineSpec) -> EngineHandle:
        names = engine_names(self._install, key)
        settings = LabSettings(spec.userland_proxy, self._program(spec), self._address(key, spec))
        engine = LabEngine(names, self._ledger, settings, self._segment)
        docker = engine.start()
        self._engines[key] = engine
        image = load_image(docker, self.image.result(), names)
        return EngineHandle(
            key=key,
            engine=docker,
            pid=engine.pid,
            netns=names.netns,
            cgroup=names.cgroup,
            address=engine.address,
            versions=docker.versions_with(image),
            bare=lambda: self._bare_host(key, engine),
            overlay_netns=lambda network: overlay_namespace(engine, network),
        )

    def _bare_host(self, key: str, engine: LabEngine) -> BareHost:
        """The image's files as a folder, run in the engine's network namespace outside Docker."""
        assert engine.docker is not None, "the engine runs"
        image = self.image.result()
        with self._bare_lock:
            if key not in self._bare:
                folder = root_file_system(image)
                environment = engine.docker.images.environment(image.tag)
                names = engine.names
                self._bare[key] = BareHost(folder, names.netns, names, self._ledger, environment)
            return self._bare[key]

    def _start_host(self) -> EngineHandle:
        archive = self.image.result()
        daemon = HostDaemon(self._host_socket, self._install.install_id, self._ledger)
        daemon.start()
        image = daemon.load_image(str(archive.path), archive.tag)
        self._host = daemon
        return EngineHandle(
            key="host",
            engine=daemon.docker,
            pid=daemon.pid,
            netns=daemon.netns,
            cgroup=daemon.cgroup,
            address=daemon.address,
            versions=daemon.docker.versions_with(image),
            publish_on="127.0.0.1",
        )

    def _program(self, spec: EngineSpec) -> Path | None:
        if spec.program == PROXY_PROGRAM:
            return None
        if spec.program not in self._programs:
            raise EngineUnavailable(f"the proxy program {spec.program} is not registered on this host")
        return self._programs[spec.program]

    def _address(self, key: str, spec: EngineSpec) -> str:
        if spec.program == PROXY_PROGRAM:
            return LINK_ADDRESSES[key]
        return program_address(sorted(self._programs).index(spec.program))

    def _stop(self, key: str) -> None:
        self._handles.pop(key, None)
        with self._bare_lock:
            bare = self._bare.pop(key, None)
        if bare is not None:
            bare.stop()
        engine = self._engines.pop(key, None)
        if engine is not None:
            engine.stop()
        if key == "host" and self._host is not None:
            host, self._host = self._host, None
            try:
                host.stop()
            except EngineUnavailable as error:
                self._report(f"the host's own daemon was not cleaned up: {error}")
