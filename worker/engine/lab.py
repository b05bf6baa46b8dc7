"""A lab engine: a private containerd and dockerd in a private network namespace.

`userland-proxy` cannot be changed in a running daemon, so each setting is an engine of its own. The host's
Docker is never touched: network namespace, data root, exec root, sockets, configuration file, containerd
namespace and cgroup parent are separate. `--containerd` is always given, because dockerd otherwise uses a
system containerd that it finds.
"""

from __future__ import annotations

import json
import logging
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from backend.core.errors import EngineUnavailable, HostCommandFailed
from worker.engine.daemons import containerd_config, end_process
from worker.engine.docker_engine import DockerEngine
from worker.engine.host_bridge import OWN_NETWORK, host_device, make_default_bridge
from worker.engine.host_files import identity_key_removed
from worker.engine.names import LINK_ADDRESSES, EngineNames
from worker.engine.programs import check_program
from worker.engine.segment import Segment
from worker.host.commands import in_namespace, run
from worker.host.ledger import Entry, Ledger
from worker.host.reaper import (
    NAMESPACES,
    remove_engine_remains,
    remove_host_link,
    remove_namespace,
    unmount_below,
)
from worker.host.time_limits import late, limit

log = logging.getLogger(__name__)

START_LIMIT_S = 60.0
FOLDER_LIMIT_S = 10.0
HOST_ADDRESS = LINK_ADDRESSES["on"]


@dataclass(frozen=True)
class LabSettings:
    """What is fixed in one lab engine: dockerd's `--userland-proxy`, the program that it starts for a
    published port (None: its own docker-proxy), and the engine's address on the link between the engines.
    """

    userland_proxy: bool
    program: Path | None = None
    address: str = HOST_ADDRESS


class LabEngine:
    """One private engine. `start` leaves nothing behind when it fails; `stop` undoes it in reverse order."""

    def __init__(
        self, names: EngineNames, ledger: Ledger, settings: LabSettings, segment: Segment | None
    ) -> None:
        """Without a segment it uses the host's network, to build images: dockerd makes no rule, changes no
        setting of the kernel, and has a bridge of its own."""
        self.names = names
        self.settings = settings
        self._ledger = ledger
        self._segment = segment
        self._undo = ExitStack()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self.docker: DockerEngine | None = None

    @property
    def pid(self) -> int:
        """Process id of dockerd; its network namespace is the engine's."""
        return self._processes["dockerd"].pid

    @property
    def userland_proxy(self) -> bool:
        """Whether its dockerd starts a program for each published port."""
        return self.settings.userland_proxy

    @property
    def address(self) -> str:
        """Its own address on the link between the engines."""
        return self.settings.address

    @property
    def netns_path(self) -> Path:
        """The file of its network namespace."""
        return NAMESPACES / self.names.netns

    def start(self) -> DockerEngine:
        """Start and wait until the API answers. Raises EngineUnavailable with the daemon's last log line."""
        if self.settings.program is not None:
            check_program(self.settings.program)
        try:
            self._remove_remains()
            self._make_folders()
            if self._segment is not None:
                self._make_namespace(self._segment)
            else:
                self._make_bridge_in_host()
            self._launch("containerd", self._containerd_argv())
            self._await("containerd", self.names.containerd_socket.exists)
            with identity_key_removed(self._ledger):
                self._launch("dockerd", self._dockerd_argv())
                self.docker = DockerEngine(str(self.names.docker_socket))
                self._undo.callback(self.docker.close)
                self._await("dockerd", self.docker.answers)
            self.docker.remove_everything()
        except BaseException:
            self.stop()
            raise
        return self.docker

    def stop(self) -> None:
        """Remove containers, stop both daemons, unmount, delete namespace and cgroup; repeatable."""
        if self.docker is not None:
            self._remove_containers(self.docker)
        self._undo.close()
        self._undo = ExitStack()
        self._processes.clear()
        self.docker = None

    def _remove_containers(self, docker: DockerEngine) -> None:
        """Through the daemon where it answers; else kill both daemons, which might not end otherwise."""
        try:
            if docker.answers():
                docker.remove_everything()
                return
        except EngineUnavailable as error:
            log.warning("%s: its containers are removed with their processes: %s", self.names.key, error)
        for process in self._processes.values():
            process.kill()

    def bridge_netfilter(self) -> str:
        """Whether bridged packets pass iptables in this engine's namespace: "1", "0" or "unknown".

        It differs between the settings: since 27.3 dockerd turns it on only where userland-proxy is off.
        """
        name = "/proc/sys/net/bridge/bridge-nf-call-iptables"
        try:
            return run(in_namespace(self.names.netns, ["cat", name])).strip()
        except HostCommandFailed:
            return "unknown"

    def _making(self, entry: Entry, undo: Callable[[], object]) -> None:
        """Write to the ledger before something is made; `undo` removes it in `stop`."""
        self._ledger.making(entry)

        def undone() -> None:
            undo()
            self._ledger.gone(entry)

        self._undo.callback(undone)

    def _remove_remains(self) -> None:
        """Remove what exists under this engine's names; an installation without a ledger may have left it."""
        remove_engine_remains(self.names.runtime, self.names.key)
        unmount_below(self.names.data)
        if (NAMESPACES / self.names.netns).exists():
            remove_namespace(self.names.netns)

    def _make_folders(self) -> None:
        names = self.names
        self._making(
            Entry("mount_root", str(names.runtime), names.key),
            lambda: remove_engine_remains(names.runtime, names.key),
        )
        self._making(Entry("mounts", str(names.data)), lambda: unmount_below(names.data))
        for folder in (names.runtime, names.exec_root, names.data):
            _make_folder(folder)
        names.data.chmod(0o711)
        for folder in (names.runtime.parent, names.data.parent):
            folder.chmod(0o700)  # sockets, and file systems of containers; containers never go through here
        # An engine that starts with the state of an old swarm waits for managers that are gone.
        shutil.rmtree(names.data / "docker" / "swarm", ignore_errors=True)
        (names.runtime / "containerd.toml").write_text(containerd_config(names), encoding="utf-8")
        (names.runtime / "daemon.json").write_text(
            json.dumps({"userland-proxy": self.userland_proxy}), encoding="utf-8"
        )

    def _make_namespace(self, segment: Segment) -> None:
        netns = self.names.netns
        segment.start()
        self._making(Entry("netns", netns), lambda: remove_namespace(netns))
        run(["ip", "netns", "add", netns])
        run(["ip", "-n", netns, "link", "set", "lo", "up"])
        self._undo.callback(segment.leave, netns)
        segment.join(netns, self.address)

    @property
    def _bridge(self) -> str:
        """The name of its default bridge in the host's own network."""
        return host_device(self.names.key, "bridge")

    def _make_bridge_in_host(self) -> None:
        device, netns = self._bridge, str(OWN_NETWORK)
        self._making(Entry("host_link", device, netns), lambda: remove_host_link(device, netns))
        make_default_bridge(device, OWN_NETWORK)

    def _launch(self, name: str, argv: list[str]) -> None:
        entry = Entry("process", f"{self.names.key}/{name}", str(self.names.runtime))
        self._ledger.making(entry)
        output = (self.names.data / f"{name}.log").open("wb")
        with output:
            process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )
        self._processes[name] = process

        def end() -> None:
            end_process(process)
            self._ledger.gone(entry)

        self._undo.callback(end)

    def _await(self, name: str, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + limit(START_LIMIT_S)
        process = self._processes[name]
        while not ready():
            if process.poll() is not None:
                output = (self.names.data / f"{name}.log").read_text(errors="replace").strip()
                last = output.splitlines()[-1] if output else "it printed nothing"
                raise EngineUnavailable(f"{name} of engine {self.names.key} did not start: {last}")
            if time.monotonic() > deadline:
                raise EngineUnavailable(
                    f"{name} of engine {self.names.key} did not answer {late(START_LIMIT_S)}"
                )
            time.sleep(0.05)  # polling a socket that another process makes; bounded by the deadline

    def _containerd_argv(self) -> list[str]:
        return self._inside(["containerd", "--config", str(self.names.runtime / "containerd.toml")])

    def _dockerd_argv(self) -> list[str]:
        names = self.names
        network = (
            ["--bip", "198.18.0.1/24", "--default-address-pool", "base=198.18.64.0/18,size=24"]
            if self._segment is not None
            else [
                f"--bridge={self._bridge}",
                "--iptables=false",
                "--ip6tables=false",
                "--ip-forward=false",
            ]
        )
        if self.settings.program is not None:
            network += ["--userland-proxy-path", str(self.settings.program)]
        return self._inside(
            [
                "dockerd",
                *("--config-file", str(names.runtime / "daemon.json")),
                *("--containerd", str(names.containerd_socket)),
                *("--containerd-namespace", names.key),
                *("--containerd-plugins-namespace", f"{names.key}p"),
                *("--data-root", str(names.data / "docker")),
                *("--exec-root", str(names.exec_root)),
                *("--pidfile", str(names.runtime / "docker.pid")),
                *("--host", f"unix://{names.docker_socket}"),
                *("--cgroup-parent", names.cgroup),
                *("--exec-opt", "native.cgroupdriver=cgroupfs"),
                *network,
            ]
        )

    def _inside(self, argv: list[str]) -> list[str]:
        return argv if self._segment is None else in_namespace(self.names.netns, argv)


def _make_folder(folder: Path) -> None:
    """Make a folder and its parents; repeated because another engine that stops removes empty ones."""
    deadline = time.monotonic() + limit(FOLDER_LIMIT_S)
    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileNotFoundError:
            if time.monotonic() > deadline:
                raise
        else:
            return
