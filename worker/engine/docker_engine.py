"""The engine protocol over a real Docker API, through docker-py. The only importer of `docker`."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import docker
import requests
from docker.errors import APIError, DockerException, ImageNotFound, NotFound

from worker.engine.protocol import Container, ContainerSpec, EngineUnavailable

__all__ = ["DockerEngine", "DockerExecution", "EngineUnavailable"]

OWNER_LABEL = "net.plimsoll.owner"
NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,127}")
API_TIMEOUT_S = 60
START_LIMIT_S = 20.0
FRAME = struct.Struct(">BxxxL")
STREAMS = {1: "stdout", 2: "stderr"}
GATE = 'read -r _ && exec "$@"'


class DockerEngine:
    """A Docker Engine behind one Unix socket."""

    def __init__(self, socket_path: str, owner: str = "lab") -> None:
        self._socket_path = socket_path
        self._owner = owner
        self._connected: docker.DockerClient | None = None

    @property
    def _client(self) -> docker.DockerClient:
        """The client, made on first use: it asks the engine which API version both speak."""
        if self._connected is None:
            self._connected = self._connect(API_TIMEOUT_S)
        return self._connected

    def _connect(self, timeout_s: int) -> docker.DockerClient:
        return docker.DockerClient(base_url=f"unix://{self._socket_path}", timeout=timeout_s, version="auto")

    def close(self) -> None:
        """Close the client's connections."""
        if self._connected is not None:
            self._connected.close()

    def answers(self) -> bool:
        """Whether the API replies now."""
        if not Path(self._socket_path).exists():
            return False
        try:
            return bool(self._client.ping())
        except (DockerException, requests.RequestException):
            return False

    def version(self) -> dict[str, str]:
        """Versions of engine, API, containerd and runc, and the kernel it runs on."""
        raw: Mapping[str, Any] = self._client.version()
        parts = {part["Name"].lower(): part["Version"] for part in raw.get("Components", [])}
        return {"docker": raw["Version"], "docker_api": raw["ApiVersion"], "kernel": raw["KernelVersion"]} | {
            name: parts[name] for name in ("containerd", "runc") if name in parts
        }

    def image_id(self, tag: str) -> str | None:
        """The id of a tagged image, or None."""
        try:
            return str(self._client.images.get(tag).id)
        except ImageNotFound:
            return None

    def load_image(self, path: str, tag: str) -> str:
        """Load an image archive unless the tag is there; returns the image id."""
        known = self.image_id(tag)
        if known is not None:
            return known
        with Path(path).open("rb") as archive:
            self._client.images.load(archive)
        loaded = self.image_id(tag)
        if loaded is None:
            raise EngineUnavailable(f"the image archive {Path(path).name} does not hold {tag}")
        return loaded

    def import_base(self, archive: str, tag: str) -> None:
        """Make an image of one layer out of a root file system archive."""
        repository, _, version = tag.partition(":")
        self._client.api.import_image_from_file(archive, repository=repository, tag=version)

    def pull(self, reference: str, limit_s: float) -> bool:
        """Pull an image; False where no registry answers within the limit."""
        repository, _, version = reference.partition(":")
        client = self._connect(int(limit_s))
        try:
            client.images.pull(repository, version)
        except (DockerException, requests.RequestException):
            return False
        finally:
            client.close()
        return True

    def build(self, directory: str, tag: str, base: str, on_line: Any) -> str:
        """Build an image from a Dockerfile with the host's network; returns the image id."""
        stream = self._client.api.build(
            path=directory,
            tag=tag,
            buildargs={"BASE": base},
            network_mode="host",
            rm=True,
            forcerm=True,
            decode=True,
        )
        for event in stream:
            if "error" in event:
                raise EngineUnavailable(f"building {tag} failed: {event['error'].strip()}")
            if "stream" in event and event["stream"].strip():
                on_line(event["stream"].strip())
        built = self.image_id(tag)
        if built is None:
            raise EngineUnavailable(f"building {tag} ended without an image")
        return built

    def save(self, tag: str, path: Path) -> None:
        """Write an image as an archive, whole or not at all."""
        partial = path.with_suffix(".partial")
        with partial.open("wb") as archive:
            for chunk in self._client.images.get(tag).save(named=True):
                archive.write(chunk)
        partial.rename(path)

    def ensure_network(self, name: str, bridge: str) -> None:
        """Make the user-defined bridge network, with this interface name, unless it exists."""
        if self._client.networks.list(names=[name]):
            return
        self._client.networks.create(
            _checked(name),
            driver="bridge",
            options={"com.docker.network.bridge.name": bridge},
            labels={OWNER_LABEL: self._owner},
        )

    def create(self, spec: ContainerSpec) -> Container:
        """Create and start a container; an existing one of that name is answered as it is."""
        _checked(spec.name)
        try:
            container = self._client.containers.create(**self._arguments(spec))
        except APIError as error:
            if error.status_code != 409:
                raise EngineUnavailable(f"creating {spec.name}: {error.explanation}") from error
            container = self._client.containers.get(spec.name)
        try:
            container.start()
        except APIError as error:
            self.remove(spec.name)
            raise EngineUnavailable(f"starting {spec.name}: {error.explanation}") from error
        return self.describe(spec.name)

    def _arguments(self, spec: ContainerSpec) -> dict[str, Any]:
        """The whole of what Docker is asked for: closed by default, opened by nothing in a request."""
        return {
            "image": spec.image,
            "name": spec.name,
            "command": list(spec.command),
            "network": spec.network,
            "labels": {**spec.labels, OWNER_LABEL: self._owner},
            "ports": {f"{port}/tcp": host for port, host in spec.published.items()},
            "tmpfs": dict(spec.tmpfs),
            "mem_limit": spec.memory_bytes,
            "pids_limit": spec.pids_limit,
            "shm_size": spec.shm_bytes,
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges"],
            "read_only": True,
            "privileged": False,
            "log_config": docker.types.LogConfig(
                type="json-file", config={"max-size": "1m", "max-file": "1"}
            ),
            "detach": True,
        }

    def describe(self, name: str) -> Container:
        """The running container of that name. Raises EngineUnavailable where it is not running."""
        raw = self._client.api.inspect_container(_checked(name))
        if not raw["State"]["Running"]:
            tail = self._client.api.logs(name, tail=3).decode(errors="replace").strip()
            raise EngineUnavailable(f"{name} ended with code {raw['State']['ExitCode']}: {tail}")
        networks = raw["NetworkSettings"]["Networks"].values()
        attached: dict[str, Any] = next((n for n in networks if n.get("IPAddress")), {})
        return Container(
            raw["Id"], name, int(raw["State"]["Pid"]), attached.get("IPAddress"), attached.get("Gateway")
        )

    def execute(self, container: Container, argv: Sequence[str]) -> DockerExecution:
        """Prepare a command in a container, held at its gate."""
        command = ["sh", "-c", GATE, "gate", *argv]
        created = self._client.api.exec_create(container.id, command, stdin=True)
        stream = self._client.api.exec_start(created["Id"], socket=True)
        return DockerExecution(self._client.api, created["Id"], stream)

    def remove(self, name: str) -> None:
        """Remove a container and its volumes, by name."""
        with contextlib.suppress(NotFound):
            self._client.api.remove_container(_checked(name), v=True, force=True)

    def remove_everything(self) -> None:
        """Remove every container and network that Plimsoll made in this engine."""
        chosen: dict[str, str | list[str] | bool] = {"label": OWNER_LABEL}
        for container in self._client.containers.list(all=True, filters=chosen):
            with contextlib.suppress(NotFound):
                container.remove(v=True, force=True)
        for network in self._client.networks.list(filters=chosen):
            with contextlib.suppress(NotFound):
                network.remove()

    def inspect(self, name: str) -> dict[str, Any]:
        """What Docker itself says of a container, for records and for the golden test."""
        found: dict[str, Any] = self._client.api.inspect_container(_checked(name))
        return found


class DockerExecution:
    """One exec, attached by a hijacked connection."""

    def __init__(self, api: Any, exec_id: str, stream: Any) -> None:
        self._api = api
        self._id = exec_id
        self._stream = stream  # keeps the response, and with it the socket, open
        self._socket: socket.socket = stream._sock
        self._buffer = b""
        self.pid = self._await_pid()

    def _await_pid(self) -> int:
        deadline = time.monotonic() + START_LIMIT_S
        while True:
            state = self._api.exec_inspect(self._id)
            if state["Pid"]:
                return int(state["Pid"])
            if state["ExitCode"] is not None or time.monotonic() > deadline:
                raise EngineUnavailable("a command in a container did not start")
            time.sleep(0.005)  # the engine offers no event for this; bounded by the deadline

    def release(self) -> None:
        """Open the gate: the command starts now."""
        self._socket.sendall(b"go\n")

    def read(self, timeout_s: float) -> list[tuple[str, bytes]] | None:
        """Wait for output: (stream, bytes) pairs, an empty list on timeout, None at the end."""
        ready, _, _ = select.select([self._socket], [], [], timeout_s)
        if not ready:
            return []
        chunk = self._socket.recv(65536)
        if not chunk:
            self._stream.close()
            return None
        self._buffer += chunk
        return list(self._frames())

    def _frames(self) -> Any:
        while len(self._buffer) >= FRAME.size:
            kind, length = FRAME.unpack_from(self._buffer)
            end = FRAME.size + length
            if len(self._buffer) < end:
                return
            yield STREAMS.get(kind, "stdout"), self._buffer[FRAME.size : end]
            self._buffer = self._buffer[end:]

    def exit_code(self) -> int:
        """The exit code, after `read` answered None."""
        deadline = time.monotonic() + START_LIMIT_S
        while (code := self._api.exec_inspect(self._id)["ExitCode"]) is None:
            if time.monotonic() > deadline:
                raise EngineUnavailable("the engine does not tell how a command ended")
            time.sleep(0.005)  # the engine notes the end a moment after the stream closes; bounded
        return int(code)

    def kill(self) -> None:
        """End the command and what it started; already ended is fine."""
        for pid in [*_children(self.pid), self.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _checked(name: str) -> str:
    """Refuse anything that is not a plain name: docker-py would put "../" into the request's path."""
    if not NAME.fullmatch(name) or ".." in name:
        raise ValueError(f"not a container or network name: {name!r}")
    return name
