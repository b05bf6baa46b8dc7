"""The engine protocol over a real Docker API, through docker-py."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import docker
from docker.errors import APIError, NotFound

from backend.core.errors import EngineUnavailable
from worker.engine.docker_arguments import checked, container_arguments, network_arguments
from worker.engine.docker_errors import container_errors, docker_errors
from worker.engine.docker_images import DockerImages
from worker.engine.execution import GATE, DockerExecution
from worker.engine.protocol import USER, Container, ContainerSpec, NetworkSpec
from worker.host.host_docker import OWNER_LABEL
from worker.host.time_limits import limit

log = logging.getLogger(__name__)

API_TIMEOUT_S = 60
QUICK_TIMEOUT_S = 15
"""For requests that a healthy daemon answers at once; loading, building and removing may take longer."""
PING_TIMEOUT_S = 10
STOP_LIMIT_S = 30


class DockerEngine:
    """A Docker Engine behind one Unix socket."""

    def __init__(self, socket_path: str, owner: str = "lab") -> None:
        self._socket_path = socket_path
        self._owner = owner
        self._connected: docker.DockerClient | None = None
        self._connected_quick: docker.DockerClient | None = None
        self._networks = threading.Lock()
        self.images = DockerImages(lambda: self.client, self._connect)
        self._versions: dict[str, str] = {}

    @property
    def client(self) -> docker.DockerClient:
        """The client, created on first use: it negotiates the API version with the engine."""
        if self._connected is None:
            self._connected = self._connect(round(limit(API_TIMEOUT_S)))
        return self._connected

    @property
    def quick(self) -> docker.DockerClient:
        """The client for requests that a healthy daemon answers at once."""
        if self._connected_quick is None:
            self._connected_quick = self._connect(round(limit(QUICK_TIMEOUT_S)))
        return self._connected_quick

    def _connect(self, timeout_s: int) -> docker.DockerClient:
        return docker.DockerClient(base_url=f"unix://{self._socket_path}", timeout=timeout_s, version="auto")

    def close(self) -> None:
        """Close the clients' connections; repeatable."""
        for client in (self._connected, self._connected_quick):
            if client is not None:
                client.close()

    def answers(self) -> bool:
        """Whether the API replies now."""
        if not Path(self._socket_path).exists():
            return False
        try:
            with docker_errors("asking whether it answers"):
                api = self.quick.api
                reply = api.get(f"{api.base_url}/_ping", timeout=limit(PING_TIMEOUT_S))
                if reply.ok:
                    self._refresh_versions(reply.headers.get("Server", ""))
        except EngineUnavailable as error:
            log.info("%s: %s", self._socket_path, error)
            return False
        return bool(reply.ok)

    def _refresh_versions(self, server: str) -> None:
        """Read the versions again where the reply names another one, as "Docker/20.10.24 (linux)"."""
        if self._versions and server and f"/{self._versions['docker']} " not in f"{server} ":
            self._versions.update(self.version())

    def versions_with(self, image_id: str) -> Mapping[str, str]:
        """`version` and the image's id; `answers` keeps the returned mapping up to date."""
        self._versions = self.version() | {"image id": image_id}
        return self._versions

    @docker_errors("reading its version")
    def version(self) -> dict[str, str]:
        """Versions of engine, API, containerd, runc and kernel."""
        raw: Mapping[str, Any] = self.client.version()
        parts = {part["Name"].lower(): part["Version"] for part in raw.get("Components", [])}
        return {"docker": raw["Version"], "docker_api": raw["ApiVersion"], "kernel": raw["KernelVersion"]} | {
            name: parts[name] for name in ("containerd", "runc") if name in parts
        }

    @docker_errors("making a network")
    def ensure_network(self, spec: NetworkSpec) -> None:
        """Make the network unless one of that name exists.

        Raises EngineUnavailable where the engine refuses, or where the name belongs to somebody else.
        """
        arguments = network_arguments(spec, self._owner)
        with self._networks:  # two calls at once would create two networks of one name
            for known in self.client.networks.list(names=[spec.name]):
                if known.name == spec.name:  # the engine's own filter also matches parts of names
                    self._refuse_foreign("network", spec.name, known.attrs.get("Labels"))
                    return
            try:
                self.client.networks.create(**arguments)
            except APIError as error:
                raise EngineUnavailable(f"making the network {spec.name}: {error.explanation}") from error

    @docker_errors("creating a container")
    def create(self, spec: ContainerSpec) -> Container:
        """Create and start a container; an existing one of that name is returned as it is."""
        arguments = container_arguments(spec, self._owner)
        for volume in spec.volumes.values():
            self._ensure_volume(volume)
        try:
            self.client.containers.create(**arguments)
        except APIError as error:
            if error.status_code != 409:
                raise EngineUnavailable(f"creating {spec.name}: {error.explanation}") from error
            self._refuse_foreign("container", spec.name, self.inspect(spec.name)["Config"]["Labels"])
        try:
            self.client.api.start(spec.name)
        except APIError as error:
            self.remove(spec.name)
            raise EngineUnavailable(f"starting {spec.name}: {error.explanation}") from error
        return self.describe(spec.name)

    def _ensure_volume(self, name: str) -> None:
        """Create a named volume unless it exists; it belongs to the containers' user from the beginning."""
        try:
            known: dict[str, Any] = self.client.api.inspect_volume(checked(name))
        except NotFound:
            created = self.client.api.create_volume(name, labels={OWNER_LABEL: self._owner})
            os.chown(created["Mountpoint"], USER, USER)
        else:
            self._refuse_foreign("volume", name, known.get("Labels"))

    def _refuse_foreign(self, kind: str, name: str, labels: Mapping[str, str] | None) -> None:
        """Raise EngineUnavailable for a thing that another program or installation has created."""
        if (labels or {}).get(OWNER_LABEL) != self._owner:
            raise EngineUnavailable(
                f"the {kind} {name} was not created by this installation; remove or rename it"
            )

    @docker_errors("reading a container")
    def describe(self, name: str) -> Container:
        """The running container of that name. Raises EngineUnavailable where it is not running."""
        raw = self.inspect(name)
        if not raw["State"]["Running"]:
            tail = self.client.api.logs(name, tail=3).decode(errors="replace").strip()
            raise EngineUnavailable(f"{name} ended with code {raw['State']['ExitCode']}: {tail}")
        networks = raw["NetworkSettings"]["Networks"].values()
        attached: dict[str, Any] = next((n for n in networks if n.get("IPAddress")), {})
        return Container(
            raw["Id"],
            name,
            int(raw["State"]["Pid"]),
            attached.get("IPAddress"),
            attached.get("Gateway") or None,  # an overlay has none
        )

    @docker_errors("running a command")
    def execute(self, container: Container, argv: Sequence[str]) -> DockerExecution:
        """Prepare a command in a container, held at its gate."""
        command = ["sh", "-c", GATE, "gate", *argv]
        api = self.quick.api
        with container_errors(container.name):
            created = api.exec_create(container.id, command, stdin=True)
            stream = api.exec_start(created["Id"], socket=True)
        return DockerExecution(api, created["Id"], stream)

    @docker_errors("restarting a container")
    def restart(self, name: str) -> Container:
        """Stop a container and start it again; layer and volumes stay, tmpfs is empty."""
        self._refuse_foreign("container", name, self.inspect(name)["Config"]["Labels"])
        try:
            self.client.api.restart(name, timeout=round(limit(STOP_LIMIT_S)))
        except APIError as error:
            raise EngineUnavailable(f"restarting {name}: {error.explanation}") from error
        return self.describe(name)

    @docker_errors("removing a container")
    def remove(self, name: str) -> None:
        """Remove a container, and its volumes where no other container uses them."""
        with contextlib.suppress(NotFound):
            found = self._read(name)
            self._refuse_foreign("container", name, found["Config"]["Labels"])
            self.client.api.remove_container(name, v=True, force=True)
            for mount in found["Mounts"]:
                if mount["Type"] == "volume":
                    with contextlib.suppress(APIError):  # in use by another container of ours
                        self._remove_volume(mount["Name"])

    def _remove_volume(self, name: str) -> None:
        self._refuse_foreign("volume", name, self.client.api.inspect_volume(name).get("Labels"))
        self.client.api.remove_volume(name)

    @docker_errors("removing everything")
    def remove_everything(self) -> None:
        """Remove every container, network and volume that this installation created in this engine."""
        owned: dict[str, Any] = {"label": f"{OWNER_LABEL}={self._owner}"}
        for container in self.client.containers.list(all=True, filters=owned, ignore_removed=True):
            with contextlib.suppress(NotFound):
                container.remove(v=True, force=True)
        things: list[Any] = [
            *self.client.networks.list(filters=owned),
            *self.client.volumes.list(filters=owned),
        ]
        for thing in things:
            try:
                thing.remove()
            except NotFound:
                continue
            except APIError as error:
                # A swarm's network belongs to its manager; a network with a foreign container in it stays.
                if thing.attrs.get("Scope") != "swarm":
                    log.warning("%s was not removed: %s", thing.name, error.explanation)

    @docker_errors("reading a container")
    def inspect(self, name: str) -> dict[str, Any]:
        """Docker's own description of a container, for records and for the golden test."""
        return self._read(name)

    def _read(self, name: str) -> dict[str, Any]:
        """`inspect` with Docker's own errors: a container may be gone when it is removed."""
        found: dict[str, Any] = self.quick.api.inspect_container(checked(name))
        return found
