"""The engines of a bench, each started when it is first needed and kept until the bench stops."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backend.core.definition.words import PROXY_PROGRAM
from backend.core.topology.deployment import EngineSpec
from worker.engine.bare import BareHost
from worker.engine.host import HostDaemon
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import ADDRESSES_ON_WIRE, engine_names, program_address
from worker.engine.protocol import Engine, EngineUnavailable
from worker.engine.segment import Segment
from worker.engine.swarm import form, overlay_namespace
from worker.host.commands import namespace_file
from worker.host.ledger import Ledger
from worker.images.bootstrap import ImageArchive, root_file_system

log = logging.getLogger(__name__)

REMOTE = EngineSpec("lab", True)
"""The other host: an engine of its own, which serves nothing and from which clients reach the first."""


@dataclass(frozen=True)
class InstallPaths:
    """Where an installation keeps its things."""

    install_id: str
    runtime: Path
    var: Path


@dataclass(frozen=True)
class EngineHandle:
    """One engine that stands: what is needed to put servers and clients on it and to look at its wire.

    `bare` gives the same host without Docker, made when it is first asked for; None where there is none.
    """

    key: str
    engine: Engine
    bare: Callable[[], Engine] | None
    pid: int
    netns: str | Path
    cgroup: str
    address: str
    publish_on: str
    userland_proxy: bool
    versions: Mapping[str, str]
    inspect: Callable[[str], dict[str, Any]]
    overlay_netns: Callable[[str], Path | None]


class EnginePool:
    """Engines by key. `node` is thread-safe: different engines come up side by side, one only once."""

    def __init__(
        self,
        install: InstallPaths,
        ledger: Ledger,
        programs: Mapping[str, Path],
        host_socket: Path,
        say: Callable[[str], None],
    ) -> None:
        self._install = install
        self._ledger = ledger
        self._programs = programs
        self._host_socket = host_socket
        self._say = say
        self._segment = Segment(install.install_id, ledger)
        self._engines: dict[str, LabEngine] = {}
        self._bare: dict[str, BareHost] = {}
        self._host: HostDaemon | None = None
        self._handles: dict[str, EngineHandle] = {}
        self._guard = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self.image: ImageArchive | None = None
        self._bare_lock = threading.Lock()
        self._swarm: tuple[EngineHandle, EngineHandle] | None = None

    def handle(self, spec: EngineSpec) -> EngineHandle:
        """The engine of this specification, started where it does not stand or does not answer."""
        return self._standing(spec.key, spec)

    def remote(self) -> EngineHandle:
        """The other host on the wire."""
        return self._standing("remote", REMOTE)

    def standing(self) -> dict[str, EngineHandle]:
        """Every engine that stands now, by key."""
        return dict(self._handles)

    def unusable(self, key: str) -> str:
        """Why nothing can be run on an engine that was started; empty where it can, or was not started."""
        handle = self._handles.get(key)
        if handle is None:
            return ""
        if not namespace_file(handle.netns).exists():
            return "has lost its network namespace"
        if key in self._engines and self._segment.is_lost():
            return "has lost the wire to the others"
        return "" if handle.engine.answers() else "does not answer"

    def bridge_netfilter(self) -> dict[str, str]:
        """Whether bridged packets pass iptables, by engine."""
        return {key: engine.bridge_netfilter() for key, engine in self._engines.items()}

    def discard(self, key: str) -> None:
        """Take one engine down; its next use starts it afresh."""
        with self._lock(key):
            self._take_down(key)

    def stop(self) -> None:
        """Take everything down; repeatable."""
        for key in sorted(self._handles | self._engines, key=("remote", "swarm").count):
            self.discard(key)
        self._segment.stop()

    def _lock(self, key: str) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(key, threading.Lock())

    def _standing(self, key: str, spec: EngineSpec) -> EngineHandle:
        with self._lock(key):
            self._segment.repair()
            handle = self._handles.get(key)
            if handle is None or (why := self.unusable(key)):
                if handle is not None:
                    self._say(f"engine {key} {why}; starting it again")
                self._take_down(key)
                handle = self._start_host() if spec.kind == "host" else self._start_lab(key, spec)
                self._handles[key] = handle
        if key == "swarm":
            self._form(handle)
        return handle

    def _form(self, manager: EngineHandle) -> None:
        """Make the two nodes a swarm, unless these very two are one."""
        remote = self.remote()
        with self._lock("swarm"):
            if self._swarm != (manager, remote):
                form(self._engines["swarm"], self._engines["remote"])
                self._swarm = (manager, remote)

    def _start_lab(self, key: str, spec: EngineSpec) -> EngineHandle:
        assert self.image is not None, "the bench makes the image first"
        names = engine_names(self._install.install_id, self._install.runtime, self._install.var, key)
        settings = LabSettings(spec.userland_proxy, self._program(spec), self._address(key, spec))
        engine = LabEngine(names, self._ledger, settings, self._segment)
        docker = engine.start()
        self._engines[key] = engine
        image = docker.load_image(str(self.image.path), self.image.tag)
        return EngineHandle(
            key=key,
            engine=docker,
            bare=lambda: self._bare_host(key, engine),
            pid=engine.pid,
            netns=names.netns,
            cgroup=names.cgroup,
            address=engine.address,
            publish_on="",
            userland_proxy=spec.userland_proxy,
            versions=docker.versions_with(image),
            inspect=docker.inspect,
            overlay_netns=lambda network: overlay_namespace(engine, network),
        )

    def _bare_host(self, key: str, engine: LabEngine) -> BareHost:
        """The image's files as a folder, run in the engine's namespace outside Docker."""
        assert self.image is not None and engine.docker is not None, "the engine is up and has the image"
        with self._bare_lock:
            if key not in self._bare:
                folder = root_file_system(self.image)
                environment = engine.docker.environment_of(self.image.tag)
                names = engine.names
                self._bare[key] = BareHost(folder, names.netns, names, self._ledger, environment)
            return self._bare[key]

    def _start_host(self) -> EngineHandle:
        assert self.image is not None, "the bench makes the image first"
        daemon = HostDaemon(self._host_socket, self._install.install_id, self._ledger)
        daemon.start()
        image = daemon.load_image(str(self.image.path), self.image.tag)
        self._host = daemon
        return EngineHandle(
            key="host",
            engine=daemon.docker,
            bare=None,
            pid=daemon.pid,
            netns=daemon.netns,
            cgroup=daemon.cgroup,
            address=daemon.address,
            publish_on="127.0.0.1",
            userland_proxy=bool(daemon.userland_proxy),
            versions=daemon.docker.versions_with(image),
            inspect=daemon.docker.inspect,
            overlay_netns=lambda _network: None,
        )

    def _program(self, spec: EngineSpec) -> Path | None:
        if spec.program == PROXY_PROGRAM:
            return None
        if spec.program not in self._programs:
            raise EngineUnavailable(f"the proxy program {spec.program} is not registered on this host")
        return self._programs[spec.program]

    def _address(self, key: str, spec: EngineSpec) -> str:
        if spec.program == PROXY_PROGRAM:
            return ADDRESSES_ON_WIRE[key]
        return program_address(sorted(self._programs).index(spec.program))

    def _take_down(self, key: str) -> None:
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
                self._say(f"the host's own daemon was not left as it was: {error}")
