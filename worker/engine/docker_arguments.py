"""The arguments of docker-py for containers and networks: locked down, whatever a request contains."""

from __future__ import annotations

import re
from typing import Any

import docker

from worker.engine.protocol import SHARING, ContainerSpec, NetworkSpec
from worker.host.host_docker import OWNER_LABEL

NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{1,127}")
IMAGE = re.compile(r"[a-z0-9]+([._/-][a-z0-9]+)*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(@sha256:[0-9a-f]{64})?")
LONGEST_IMAGE = 255
NO_NETWORKS = ("host", "none")


def checked(name: str) -> str:
    """The name, if it is a plain one; else ValueError: docker-py would put "../" into the request's path."""
    if not NAME.fullmatch(name) or ".." in name:
        raise ValueError(f"not a container, network or volume name: {name!r}")
    return name


def checked_image(reference: str) -> str:
    """The reference of an image, if it is a plain one; else ValueError, for the same reason."""
    if len(reference) > LONGEST_IMAGE or not IMAGE.fullmatch(reference):
        raise ValueError(f"not the name of an image: {reference[:LONGEST_IMAGE]!r}")
    return reference


def container_arguments(spec: ContainerSpec, owner: str) -> dict[str, Any]:
    """The arguments to create a container."""
    return {
        "image": checked_image(spec.image),
        "name": checked(spec.name),
        "command": list(spec.command),
        "labels": {**spec.labels, OWNER_LABEL: owner},
        "environment": dict(spec.environment),
        "ports": _ports(spec),
        "tmpfs": dict(spec.tmpfs),
        "mounts": [
            docker.types.Mount(target, checked(volume), type="volume")
            for target, volume in spec.volumes.items()
        ],
        "mem_limit": spec.memory_bytes,
        "nano_cpus": spec.cpus * 1_000_000_000 or None,
        "cpuset_cpus": spec.cpuset or None,
        "pids_limit": spec.pids_limit,
        "shm_size": spec.shm_bytes,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "read_only": not spec.writable_root,
        "privileged": False,
        "log_config": docker.types.LogConfig(
            type=docker.types.LogConfig.types.JSON, config={"max-size": "1m", "max-file": "1"}
        ),
        **_attachment(spec.network),
    }


def _ports(spec: ContainerSpec) -> dict[str, int | tuple[str, int]]:
    wanted = {f"{port}/tcp": host for port, host in spec.published.items()}
    wanted |= {f"{port}/udp": host for port, host in spec.published_udp.items()}
    return {name: (spec.publish_on, host) if spec.publish_on else host for name, host in wanted.items()}


def _attachment(network: str) -> dict[str, str]:
    shared = network.removeprefix(SHARING)
    if network in NO_NETWORKS:
        return {"network_mode": network}
    return {"network_mode": f"{SHARING}{checked(shared)}"} if shared != network else {"network": network}


def network_arguments(spec: NetworkSpec, owner: str) -> dict[str, Any]:
    """The arguments to create a network."""
    options = dict(spec.options)
    if spec.bridge:
        options["com.docker.network.bridge.name"] = spec.bridge
    if spec.parent:
        options["parent"] = spec.parent
    if spec.encrypted:
        options["encrypted"] = ""  # the key is enough
    arguments: dict[str, Any] = {
        "name": checked(spec.name),
        "driver": spec.driver,
        "options": options,
        "labels": {OWNER_LABEL: owner},
    }
    if spec.driver == "overlay":
        arguments["attachable"] = True
    if spec.subnet:
        pool = docker.types.IPAMPool(subnet=spec.subnet, gateway=spec.gateway or None)
        arguments["ipam"] = docker.types.IPAMConfig(pool_configs=[pool])
    return arguments
