"""Docker's description of each template's container, against the checked-in settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from backend.core.definition.factors import Level
from backend.core.topology.deployment import reverse_proxy_spec, server_spec
from backend.core.topology.paths import PATHS
from backend.core.workload.services import SERVICES
from backend.core.workload.services.model import Listen
from tests.live.conftest import ROOT, levels_of
from tests.live.lab import Lab
from worker.engine import templates
from worker.engine.protocol import ContainerSpec, NetworkSpec
from worker.host.environment import memory_of_host

GOLDEN = ROOT / "tests" / "golden" / "container_settings.json"
NETWORK = NetworkSpec("plimsoll-bench", bridge="plm0")
KEYS = (
    "Binds",
    "CapAdd",
    "CapDrop",
    "CgroupnsMode",
    "CpusetCpus",
    "DeviceCgroupRules",
    "Devices",
    "IpcMode",
    "LogConfig",
    "NanoCpus",
    "NetworkMode",
    "PidMode",
    "PidsLimit",
    "PortBindings",
    "Privileged",
    "ReadonlyRootfs",
    "RestartPolicy",
    "SecurityOpt",
    "Sysctls",
    "UTSMode",
    "UsernsMode",
    "VolumesFrom",
)


def server(image: str, network: str, path: str, published: int, **levels: Level) -> ContainerSpec:
    """A server by its template for one cell."""
    spec = server_spec(levels_of(path, True, **levels))
    service = SERVICES[spec.service]
    listen = Listen("0.0.0.0", service.port, socket=path == "unix_socket")
    return templates.server(
        image, spec, service, listen, network, published, "127.0.0.1" if published else ""
    )


def containers(image: str) -> Mapping[str, ContainerSpec]:
    """One container of every template; the owner of a shared namespace comes first."""
    network = NETWORK.name
    memory = server(image, network, "published_loopback", 20001)
    front = reverse_proxy_spec(levels_of("nginx_stream", service="pong"))
    assert front is not None
    pong = server_spec(levels_of("nginx_stream", service="pong"))
    limits: dict[str, Level] = {"server_cpus": 1, "server_cpuset": "0"}
    return {
        "server in memory, published": memory,
        "server in its layer, with limits": server(
            image, network, "container_address", 0, storage="layer", **limits
        ),
        "server on a volume": server(image, network, "container_address", 0, storage="volume"),
        "server of iperf3, published": server(
            image, network, "published_loopback", 20002, tool="iperf3", service="iperf3_server"
        ),
        "server in the engine's network": server(image, "host", "host_network", 0),
        "server with a Unix socket": server(image, "none", "unix_socket", 0),
        "client in the engine's network": templates.client(image, "test-client-host", "host"),
        "client beside the server": templates.client(image, "test-client-sibling", network),
        "client in the server's namespace": templates.client(
            image, "test-client-shared", f"container:{memory.name}"
        ),
        "client with the server's socket": templates.client(
            image, "test-client-socket", "host", {"/sockets": "test-shared"}
        ),
        "front": templates.reverse_proxy(image, front, pong, ("sleep", "600"), {}),
    }


def settings_of(found: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that restrict a container, without those that differ from run to run."""
    settings: dict[str, Any] = {key: found["HostConfig"].get(key) or None for key in KEYS}
    if settings["NetworkMode"].startswith("container:"):
        settings["NetworkMode"] = "container:"
    mounts = sorted((m["Type"], m["Destination"]) for m in found["Mounts"])
    return settings | {"User": found["Config"]["User"], "Mounts": [list(mount) for mount in mounts]}


def test_container_settings_match_the_golden_file(lab: Lab) -> None:
    lab.up("on")
    docker = lab.docker("on")
    docker.ensure_network(NETWORK)
    found = {}
    for name, spec in containers(lab.image.tag).items():
        docker.create(spec)
        inspected = docker.inspect(spec.name)
        found[name] = settings_of(inspected)
        assert 0 < inspected["HostConfig"]["Memory"] <= memory_of_host() // 2, name
        assert all("noexec" in options for options in inspected["HostConfig"]["Tmpfs"].values()), name
    docker.remove_everything()
    assert found == json.loads(GOLDEN.read_text()), json.dumps(found, indent=2)


def test_every_path_has_a_server_template() -> None:
    """Every path has a valid template, and only storage in the layer needs a writable root."""
    for path in PATHS:
        for storage in ("memory", "layer", "volume"):
            spec = server("bench:test", "some-network", path, 0, storage=storage)
            assert spec.writable_root is (storage == "layer" and spec.command[0] == "serve-postgres")
            assert "/tmp" in spec.tmpfs
