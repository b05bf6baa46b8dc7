"""The host's own Docker daemon, used as it is.

What it has is not touched: everything made here carries this installation's label, is published on
127.0.0.1 only, and is removed by that label. Its settings are detected, never assumed and never set.
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

from worker.engine.docker_engine import DockerEngine
from worker.engine.docker_errors import docker_errors
from worker.engine.protocol import Container, ContainerSpec, EngineUnavailable
from worker.host.capabilities import HostState
from worker.host.commands import HostCommandFailed, in_namespace, run
from worker.host.ledger import Entry, Ledger
from worker.host.reaper import remove_cgroup

LOOPBACK = "127.0.0.1"
PID_FILE = Path("/var/run/docker.pid")
ELSEWHERE = "192.0.2.1"
"""RFC 5737: an address nobody has, asked for only to learn which way the host would send."""
CREDENTIALS = struct.Struct("3i")


class LoopbackEngine(DockerEngine):
    """A Docker Engine in which ports are published on 127.0.0.1 and nowhere else."""

    def create(self, spec: ContainerSpec) -> Container:
        """As in DockerEngine. Raises EngineUnavailable where another address than 127.0.0.1 is asked for."""
        if spec.publish_on not in ("", LOOPBACK):
            raise EngineUnavailable(
                f"{spec.name}: on the host's own Docker ports are published on {LOOPBACK} only, "
                f"not on {spec.publish_on}"
            )
        return super().create(dataclasses.replace(spec, publish_on=LOOPBACK))


class HostDaemon:
    """The daemon behind one socket. Raises EngineUnavailable in one sentence where it cannot be used.

    `owner` is the installation's id. `address` is the host's primary address; `userland_proxy` is None
    where it cannot be told.
    """

    def __init__(self, socket_path: Path, owner: str, ledger: Ledger | None = None) -> None:
        self.socket_path = socket_path
        self.key = f"plm{owner}-host"
        self._ledger = ledger
        self._loaded: str | None = None
        self.docker = LoopbackEngine(str(socket_path), self.key)
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
        """Remove what an earlier start left, and note that there will be something again."""
        for entry in self._entries():
            self._note(entry)
        self.docker.remove_everything()

    def load_image(self, path: str, tag: str) -> str:
        """Load an image archive unless the tag is there; what was loaded is removed again by `stop`."""
        if self.docker.image_id(tag) is None:
            self._loaded = tag
            self._note(Entry("host_image", str(self.socket_path), tag))
        return self.docker.load_image(path, tag)

    def stop(self) -> None:
        """Remove containers, networks, volumes, the loaded image and the cgroup; repeatable.

        The ledger keeps what a daemon that does not answer may still hold, for the next start to remove.
        """
        answers = self.docker.answers()
        if answers:
            self.docker.remove_everything()
            if self._loaded is not None:
                with docker_errors(f"the image {self._loaded} stays"):
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


def look(socket_path: Path, owner: str) -> tuple[HostDaemon | None, HostState]:
    """The host's daemon where it can be used, and what plans need to know of it; never raises."""
    try:
        daemon = HostDaemon(socket_path, owner)
    except EngineUnavailable as error:
        return None, HostState(reason=str(error))
    daemon.docker.close()  # nothing stays open behind a look; the next call connects again
    if daemon.userland_proxy is None:
        reason = (
            "whether the host's Docker runs with userland-proxy cannot be told from its firewall rules; "
            "run iptables-save or nft as root in its network namespace"
        )
        return daemon, HostState(reason=reason)
    return daemon, HostState(userland_proxy=daemon.userland_proxy)


def _daemon_behind(place: Path) -> int:
    """The process id of the dockerd that serves a socket."""
    if not place.exists():
        raise EngineUnavailable(f"there is no Docker daemon at {place}; start Docker on this host")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(str(place))
            raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    except OSError as error:
        raise EngineUnavailable(f"the daemon behind {place} does not answer: {error.strerror}") from error
    pid, user, _ = CREDENTIALS.unpack(raw)
    if _program(pid) != "dockerd":
        # Where systemd listens for the daemon, the socket's owner is process 1.
        pid = int(PID_FILE.read_text()) if PID_FILE.exists() else 0
        user = Path(f"/proc/{pid}").stat().st_uid if pid and Path(f"/proc/{pid}").exists() else 0
    if _program(pid) != "dockerd":
        raise EngineUnavailable(f"what serves {place} is no dockerd of this host; use its own socket")
    if user != 0 or os.geteuid() != 0:
        raise EngineUnavailable(
            f"the daemon behind {place} is rootless; only a daemon of root can be measured"
        )
    return int(pid)


def _program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _userland_proxy(pid: int, netns: Path, information: dict[str, Any]) -> bool | None:
    """What the daemon says (29.5 and later), what runs below it, or what its rules show; None: unknown."""
    backend = information.get("FirewallBackend") or {}
    said = dict(backend.get("Info") or [])
    if "EnableUserlandProxy" in said:
        return bool(said["EnableUserlandProxy"] == "true")
    if any(_program(child) == "docker-proxy" for child in _children(pid)):
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
    """Whether userland-proxy is on by the nat rules: its daemon leaves 127.0.0.0/8 out of the OUTPUT jump."""
    for line in rules.splitlines():
        if line.startswith("-A OUTPUT") and line.endswith("-j DOCKER"):
            return "! -d 127.0.0.0/8" in line
    return None


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(child) for child in file.read_text().split()]
        except OSError:
            continue
    return found


def _primary_address(netns: Path) -> str:
    """The address that the host would send from, or its first one that no bridge has."""
    try:
        (route,) = json.loads(run(in_namespace(netns, ["ip", "-j", "-4", "route", "get", ELSEWHERE])))
        return str(route["prefsrc"])
    except (HostCommandFailed, KeyError, ValueError):
        links = json.loads(run(in_namespace(netns, ["ip", "-j", "-d", "-4", "address", "show"])))
    for link in links:
        kind = link.get("linkinfo", {}).get("info_kind", "")
        for address in link.get("addr_info", []):
            if kind != "bridge" and address["scope"] == "global":
                return str(address["local"])
    return LOOPBACK
