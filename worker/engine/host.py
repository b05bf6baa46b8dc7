"""The host's own Docker daemon, used as it is.

Existing things are not touched: everything created here carries this installation's label, is published on
127.0.0.1 only, and is removed by that label. The daemon's settings are detected, never assumed or changed.
"""

from __future__ import annotations

import dataclasses
import json
import os
import socket
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from backend.core.errors import EngineUnavailable, HostCommandFailed
from worker.engine.docker_engine import DockerEngine
from worker.engine.docker_errors import docker_errors
from worker.engine.protocol import Container, ContainerSpec
from worker.host.capabilities import HostState
from worker.host.commands import in_namespace, run
from worker.host.ledger import Entry, Ledger
from worker.host.processes import children_of
from worker.host.reaper import remove_cgroup

LOOPBACK = "127.0.0.1"
PID_FILE = Path("/var/run/docker.pid")
UNASSIGNED = "192.0.2.1"
"""RFC 5737: an unassigned address, used only to read the host's default route."""
CREDENTIALS = struct.Struct("3i")
INIT = 1
SETTING = "PLIMSOLL_HOST_DOCKER_SOCKET"
OTHER_SOCKETS = (
    ("run/user/*/docker.sock", "rootless Docker"),
    ("home/*/.docker/desktop/docker.sock", "Docker Desktop"),
    ("run/podman/podman.sock", "Podman"),
    ("run/user/*/podman/podman.sock", "rootless Podman"),
)
"""Where other engines listen, below /, and what each is."""


class OneAddressEngine(DockerEngine):
    """A Docker Engine that publishes ports on one address only, by default 127.0.0.1."""

    def __init__(self, socket_path: str, owner: str, address: str = LOOPBACK) -> None:
        super().__init__(socket_path, owner)
        self._address = address

    def create(self, spec: ContainerSpec) -> Container:
        """As in DockerEngine. Raises EngineUnavailable for any other address than its own."""
        if spec.publish_on not in ("", self._address):
            raise EngineUnavailable(
                f"{spec.name}: on the host's own Docker ports are published on {self._address} only, "
                f"not on {spec.publish_on}"
            )
        return super().create(dataclasses.replace(spec, publish_on=self._address))


class HostDaemon:
    """The daemon behind one socket. Raises EngineUnavailable in one sentence where it cannot be used.

    `owner` is the installation's id. `address` is the host's primary address; `userland_proxy` is None
    where the setting is unknown.
    """

    def __init__(self, socket_path: Path, owner: str, ledger: Ledger | None = None) -> None:
        self.socket_path = socket_path
        self.key = f"plm{owner}-host"
        self._ledger = ledger
        self._loaded: str | None = None
        self.docker = OneAddressEngine(str(socket_path), self.key)
        self.pid = _daemon_behind(socket_path)
        try:
            if not self.docker.answers():
                raise EngineUnavailable(f"the daemon behind {socket_path} does not answer; start Docker")
            self.version = self.docker.version()["docker"]
            with docker_errors(f"reading the settings of the daemon behind {socket_path}"):
                information: dict[str, Any] = self.docker.client.info()
        except EngineUnavailable:
            self.docker.close()
            raise
        self.userland_proxy = _userland_proxy(self.pid, self.netns, information)
        self.address = _primary_address(self.netns)

    def reached_on(self, address: str) -> OneAddressEngine:
        """The same daemon, with ports published on an address by which another host reaches this one."""
        return OneAddressEngine(str(self.socket_path), self.key, address)

    @property
    def netns(self) -> Path:
        """The file of the daemon's network namespace."""
        return Path(f"/proc/{self.pid}/ns/net")

    @property
    def cgroup(self) -> str:
        """Parent of the cgroups that are made beside the daemon's own, such as the client's."""
        return f"/{self.key}"

    def answers(self) -> bool:
        """Whether the API replies now."""
        return self.docker.answers()

    def start(self) -> None:
        """Remove what an earlier start left, and write to the ledger that more will be created."""
        for entry in self._entries():
            self._note(entry)
        self.docker.remove_everything()

    def load_image(self, path: str, tag: str) -> str:
        """Load an image archive unless the tag exists; `stop` removes an image that was loaded."""
        if self.docker.images.id_of(tag) is None:
            self._loaded = tag
            self._note(Entry("host_image", str(self.socket_path), tag))
        return self.docker.images.load(path, tag)

    def stop(self) -> None:
        """Remove containers, networks, volumes, the loaded image and the cgroup; repeatable.

        What a daemon that does not answer may still hold stays in the ledger for the next start.
        """
        answers = self.docker.answers()
        if answers:
            self.docker.remove_everything()
            if self._loaded is not None:
                with docker_errors(f"removing the image {self._loaded}"):
                    self.docker.client.images.remove(self._loaded)
        remove_cgroup(self.key)
        if answers and self._ledger is not None:
            for entry in self._entries():
                self._ledger.gone(entry)
        self._loaded = None
        self.docker.close()

    def _entries(self) -> Iterable[Entry]:
        yield Entry("host_engine", str(self.socket_path), self.key)
        if self._loaded is not None:
            yield Entry("host_image", str(self.socket_path), self._loaded)

    def _note(self, entry: Entry) -> None:
        if self._ledger is not None:
            self._ledger.making(entry)


def inspect_host(socket_path: Path, owner: str) -> tuple[HostDaemon | None, HostState]:
    """The host's daemon where it can be used, and its state for plans; never raises."""
    try:
        daemon = HostDaemon(socket_path, owner)
    except EngineUnavailable as error:
        return None, HostState(reason=str(error))
    daemon.docker.close()  # the next call connects again
    if daemon.userland_proxy is None:
        reason = (
            "the userland-proxy setting of the host's Docker cannot be read from its firewall rules; "
            "run iptables-save or nft as root in its network namespace"
        )
        return daemon, HostState(reason=reason)
    return daemon, HostState(userland_proxy=daemon.userland_proxy)


def _daemon_behind(path: Path) -> int:
    """The process id of the dockerd that serves a socket."""
    if not path.exists():
        raise EngineUnavailable(f"there is no Docker daemon at {path}; {_remedy()}")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(str(path))
            raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    except OSError as error:
        raise EngineUnavailable(f"the daemon behind {path} does not answer: {error.strerror}") from error
    pid, user, _ = CREDENTIALS.unpack(raw)
    if pid == INIT:  # systemd listens for the daemon, and hands it the socket
        pid, user = _of_pid_file()
    if (program := _program(pid)) != "dockerd":
        found = f"{program} (process {pid})" if program else "a process that cannot be seen here"
        raise EngineUnavailable(
            f"{found} serves {path}, and not dockerd; set {SETTING} to the socket of this host's dockerd"
        )
    if user != 0 or os.geteuid() != 0:
        raise EngineUnavailable(
            f"the daemon behind {path} is rootless; only a daemon of root can be measured"
        )
    return int(pid)


def _of_pid_file() -> tuple[int, int]:
    """Process id and user of the daemon that has written the usual file; 0 and 0 without one."""
    try:
        pid = int(PID_FILE.read_text())
        return pid, Path(f"/proc/{pid}").stat().st_uid
    except (OSError, ValueError):
        return 0, 0


def _remedy() -> str:
    """What to do where no daemon is at the socket: it depends on the daemons that are elsewhere."""
    if address := os.environ.get("DOCKER_HOST"):
        return (
            f"DOCKER_HOST names {address}, which is not used: start Docker on this host as root, or set "
            f"{SETTING} to its socket"
        )
    for pattern, kind in OTHER_SOCKETS:
        if found := sorted(str(socket_path) for socket_path in Path("/").glob(pattern)):
            return (
                f"{found[0]} is the socket of {kind}, which cannot be measured: start Docker on this host as "
                f"root, or set {SETTING} to its socket"
            )
    return f"start Docker on this host, or set {SETTING} to its socket"


def _program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _userland_proxy(pid: int, netns: Path, information: dict[str, Any]) -> bool | None:
    """As the daemon reports it (29.5 and later), or from its child processes or its rules; None: unknown."""
    backend = information.get("FirewallBackend") or {}
    reported = dict(backend.get("Info") or [])
    if "EnableUserlandProxy" in reported:
        return bool(reported["EnableUserlandProxy"] == "true")
    if any(_program(child) == "docker-proxy" for child in children_of(pid)):
        return True
    for tool in ("iptables-save", "iptables-nft-save", "iptables-legacy-save"):
        try:
            found = proxy_by_rules(run(in_namespace(netns, [tool, "-t", "nat"])))
        except HostCommandFailed:
            continue
        if found is not None:
            return found
    return None


def proxy_by_rules(rules: str) -> bool | None:
    """Whether userland-proxy is on by the nat rules: then the OUTPUT jump excludes 127.0.0.0/8."""
    for line in rules.splitlines():
        if line.startswith("-A OUTPUT") and line.endswith("-j DOCKER"):
            return "! -d 127.0.0.0/8" in line
    return None


def _primary_address(netns: Path) -> str:
    """The source address of the host's default route, or the first address that is on no bridge."""
    try:
        (route,) = json.loads(run(in_namespace(netns, ["ip", "-j", "-4", "route", "get", UNASSIGNED])))
        return str(route["prefsrc"])
    except (HostCommandFailed, KeyError, ValueError):
        links = json.loads(run(in_namespace(netns, ["ip", "-j", "-d", "-4", "address", "show"])))
    for link in links:
        kind = link.get("linkinfo", {}).get("info_kind", "")
        for address in link.get("addr_info", []):
            if kind != "bridge" and address["scope"] == "global":
                return str(address["local"])
    return LOOPBACK
