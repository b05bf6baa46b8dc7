"""A swarm of two engines, each in the network of a host of its own: the overlay is VXLAN on their link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live.machine import wait_for
from worker.engine import swarm
from worker.engine.docker_engine import DockerEngine
from worker.engine.host_bridge import host_device
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import OVERLAY_NETWORK, InstallPaths, engine_names
from worker.engine.segment import Segment
from worker.host.commands import in_namespace, run
from worker.host.ledger import Ledger
from worker.host.reaper import remove_namespace
from worker.images.bootstrap import ImageArchive, ensure_image

pytestmark = pytest.mark.full
ADDRESSES = {"lnka": "198.19.2.1", "lnkb": "198.19.2.2"}
BRIDGE, SUBNET, DOCKER0 = "plmlink0", "198.18.255.0/24", "docker0"
ENCAPSULATION = (50, 66)
"""Bytes that VXLAN over IPv4 adds: outer Ethernet, IP, UDP and VXLAN headers. A VXLAN device counts
a received packet without its inner Ethernet header (vxlan_rcv, drivers/net/vxlan/vxlan_core.c)."""


@dataclass
class Host:
    """A host's own network namespace, and an engine of Plimsoll's in it."""

    netns: Path
    engine: LabEngine

    @property
    def docker(self) -> DockerEngine:
        assert self.engine.docker is not None
        return self.engine.docker

    def inside(self, *argv: str) -> str:
        return run(in_namespace(self.netns, argv))

    def state(self) -> tuple[str, ...]:
        """Rules, devices, addresses, routes and listening sockets of the host."""
        sockets = re.sub(r"users:\S+", "", self.inside("ss", "-Hlntu"))
        links = re.sub(r"@if\d+", "", self.inside("ip", "-br", "address"))
        return (self.inside("iptables-save"), links, self.inside("ip", "route"), sockets,
                self.inside("cat", "/proc/sys/net/ipv4/ip_forward"))  # fmt: skip

    def carried(self, device: str, netns: Path | None = None) -> tuple[int, int]:
        """Bytes and packets that a device has received."""
        text = run(in_namespace(netns or self.netns, ["cat", "/proc/net/dev"]))
        (line,) = (line for line in text.splitlines() if line.strip().startswith(f"{device}:"))
        received = line.partition(":")[2].split()
        return int(received[0]), int(received[1])


@pytest.fixture
def hosts(tmp_path: Path, install: InstallPaths) -> Iterator[tuple[Host, Host]]:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    image = ensure_image(install, ledger, print)
    segment = Segment("linked", ledger)
    found: list[Host] = []
    try:
        for name, address in ADDRESSES.items():
            remove_namespace(name)
            run(["ip", "netns", "add", name])
            run(["ip", "-n", name, "link", "set", "lo", "up"])
            segment.join(name, address)
            run(["ip", "-n", name, "link", "add", DOCKER0, "type", "bridge"])  # of the host's own daemon
            found.append(Host(netns := Path("/run/netns", name), engine_of(name, netns, ledger, tmp_path)))
        before = [host.state() for host in found]
        for host in found:
            start(host, image)
        yield found[0], found[1]
        swarm.leave(found[1].engine, found[0].engine)
        for host in found:
            host.engine.stop()
        wait_for(lambda: [host.state() for host in found] == before, "hosts as they were")
    finally:
        for host in found:
            host.engine.stop()
        for name in ADDRESSES:
            segment.leave(name)
            remove_namespace(name)
        segment.stop()


def engine_of(name: str, netns: Path, ledger: Ledger, folder: Path) -> LabEngine:
    paths = InstallPaths(name, Path(f"/run/plimsoll-{name}"), folder / name)
    settings = LabSettings(userland_proxy=True, address=ADDRESSES[name], host_netns=netns)
    return LabEngine(engine_names(paths, "link"), ledger, settings, segment=None)


def start(host: Host, image: ImageArchive) -> None:
    host.engine.start().images.load(str(image.path), image.tag)
    swarm.make_gateway_bridge(host.engine, BRIDGE, SUBNET)


def test_the_overlay_of_two_hosts_is_vxlan_on_their_link(
    hosts: tuple[Host, Host], install: InstallPaths, tmp_path: Path
) -> None:
    server, client = hosts
    rules = [host.inside("iptables-save") for host in hosts]
    swarm.join(client.engine, swarm.begin(server.engine))
    swarm.form(server.engine, client.engine)
    networks = server.docker.client.networks
    network = networks.create(OVERLAY_NETWORK, driver="overlay", attachable=True, internal=True)
    tag = ensure_image(install, Ledger(tmp_path / "none.jsonl"), print).tag
    at = {"image": tag, "network": OVERLAY_NETWORK, "detach": True}
    served = server.docker.client.containers.run(command=["pong", "-listen", "0.0.0.0:8080"], **at)
    served.reload()
    address = served.attrs["NetworkSettings"]["Networks"][OVERLAY_NETWORK]["IPAddress"]
    waiting = client.docker.client.containers.run(command=["sleep", "300"], **at)
    url = f"http://{address}:8080/"
    assert (
        waiting.exec_run(
            ["curl", "-s", "-o", "/dev/null", "--retry", "20", "--retry-connrefused", url]
        ).exit_code
        == 0
    )
    spaces = [swarm.overlay_namespace(host.engine, OVERLAY_NETWORK) for host in hosts]
    assert all(spaces), "each host keeps a namespace for the overlay"
    before = [
        (host.carried("lan0"), host.carried("vxlan0", space))
        for host, space in zip(hosts, spaces, strict=True)
    ]
    answer = waiting.exec_run(["wrk", "-c4", "-t2", "-d2", url])
    assert answer.exit_code == 0
    sent = int(re.search(r"(\d+) requests in", answer.output.decode()).group(1))  # type: ignore[union-attr]
    for host, space, (link, vxlan) in zip(hosts, spaces, before, strict=True):
        link_bytes, link_packets = (b - a for a, b in zip(link, host.carried("lan0"), strict=True))
        inner_bytes, packets = (b - a for a, b in zip(vxlan, host.carried("vxlan0", space), strict=True))
        assert packets > 1.5 * sent / 2, "the load's packets pass the VXLAN device of both hosts"
        assert packets <= link_packets <= packets * 1.1 + 100, "and nothing else is on the link"
        added = (link_bytes - inner_bytes) / packets
        assert ENCAPSULATION[0] <= added <= ENCAPSULATION[1], added
        assert "4789" in host.inside("ss", "-Hlnu")
    assert [host.inside("iptables-save") for host in hosts] == rules, "no rule of a host has changed"
    own = {BRIDGE, *(host_device(host.engine.names.key, "bridge") for host in hosts)}
    assert {DOCKER0} | own == {
        line.split()[0]
        for host in hosts
        for line in host.inside("ip", "-br", "link", "show", "type", "bridge").splitlines()
    }
    for container in (waiting, served):
        container.remove(force=True)
    network.remove()
