"""The two kinds of overlay between the same two hosts: Docker's, of a swarm, and that of two workers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.live.lab import Lab, said
from worker.engine import swarm
from worker.engine.docker_engine import DockerEngine
from worker.engine.names import HOST_LINK, LINK_ADDRESSES
from worker.engine.protocol import Container, NetworkSpec
from worker.engine.templates import TMPFS
from worker.host.commands import in_namespace, run
from worker.topology.overlay_end import End, OverlayEnd, Tunnel, new_number

SERVER, CLIENT = "swarm", "remote"
"""The engines of both hosts, by key."""
OF_SWARM, OF_WORKERS = "a swarm's", "two workers'"
NETWORK = NetworkSpec("compared-overlay", "overlay")
TEMPORARY = {"/tmp": f"{TMPFS},size=67108864"}
"""iperf3 keeps its streams' buffers in files."""
STATE = ("timer", "topology", "root", "bridge_id", "link", "local")
"""Parts of the names of what is no setting of a device, but its state or an address."""
WATCH = """
import collections, json, socket, struct, sys
seen = collections.Counter()
link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
link.bind((sys.argv[1], 0))
end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
end.bind(sys.argv[2])
link.settimeout(0.2)
print("ready", flush=True)
end.setblocking(False)
while True:
    try:
        frame, (_, protocol, *_) = link.recvfrom(1 << 17)
    except TimeoutError:
        try:
            end.recv(10)
            break
        except BlockingIOError:
            continue
    if protocol != 0x800 or frame[23] != 17 or frame[36:38] != b"\\x12\\xb5":
        continue
    flags, number = struct.unpack("!II", frame[42:50])
    inner = frame[50:]
    about = {
        "number": number >> 8,
        "flags": hex(flags),
        "tos": frame[15],
        "fragment": hex(frame[20] & 0xE0),
        "ttl": frame[22],
        "checksum": frame[40:42] != b"\\0\\0",
        "added": struct.unpack("!H", frame[16:18])[0] + 14 - len(inner),
        "length": struct.unpack("!H", frame[38:40])[0] - 16 == len(inner),
    }
    seen[json.dumps(about, sort_keys=True)] += 1
print(json.dumps(seen))
"""
"""Describes every VXLAN packet on a device: what the outer headers say, and how many bytes they add."""


@dataclass(frozen=True)
class Side:
    """A container on an overlay, its engine, and the network namespace of the overlay on its host."""

    docker: DockerEngine
    container: Container
    overlay: Path
    host: str

    def carried(self) -> tuple[dict[str, int], dict[str, int]]:
        """Bytes and packets, sent and received, of the host's link and of the VXLAN device."""
        return counted(self.host, HOST_LINK), counted(self.overlay, "vxlan0")


@dataclass(frozen=True)
class Overlay:
    """One overlay with a container at each end; `address` is the server's."""

    kind: str
    number: int
    server: Side
    client: Side
    address: str

    def ask(self, *argv: str) -> str:
        """The output of a command in the client's container. Raises AssertionError where it fails."""
        code, text = said(self.client.docker, self.client.container, argv)
        assert code == 0, text
        return text


def counted(netns: str | Path, device: str) -> dict[str, int]:
    """Counters of one device."""
    (link,) = json.loads(run(in_namespace(netns, ["ip", "-j", "-s", "link", "show", device])))
    found = link["stats64"]
    return {f"{way} {unit}": found[way][unit] for way in ("rx", "tx") for unit in ("bytes", "packets")}


def settings(side: Side) -> dict[str, dict[str, object]]:
    """The settings of an overlay's devices by kind, without what differs from namespace to namespace."""
    found = {}
    for link in json.loads(run(in_namespace(side.overlay, ["ip", "-j", "-d", "link"]))):
        data = link.get("linkinfo", {}).get("info_data", {})
        kept = {name: value for name, value in data.items() if not any(word in name for word in STATE)}
        for name in ("mtu", "qdisc", "gso_max_size", "num_tx_queues"):
            kept[name] = link[name]
        found[link.get("linkinfo", {}).get("info_kind", "loopback")] = kept
    return found


@contextmanager
def both_overlays(lab: Lab, *command: str) -> Iterator[tuple[Overlay, Overlay]]:
    """Both overlays between two hosts of the lab, a swarm's first; the server of each runs this command."""
    lab.up(SERVER, CLIENT)
    swarm.form(lab.engines[SERVER], lab.engines[CLIENT])
    lab.docker(SERVER).ensure_network(NETWORK)
    ends = {key: OverlayEnd(f"plmengtest-{key}-vxlan", lab.ledger) for key in (SERVER, CLIENT)}
    try:
        yield _of_swarm(lab, command), _of_workers(lab, command, ends)
    finally:
        for end in ends.values():
            end.remove()
        for key in (CLIENT, SERVER):
            for name in ("swarm", "workers"):
                lab.docker(key).remove(f"compared-{name}")
        lab.docker(SERVER).remove_everything()


def _of_swarm(lab: Lab, command: tuple[str, ...]) -> Overlay:
    sides = []
    for key, argv in ((SERVER, command), (CLIENT, ("sleep", "infinity"))):
        container = lab.docker(key).create(lab.spec("compared-swarm", NETWORK.name, *argv, tmpfs=TEMPORARY))
        overlay = swarm.overlay_namespace(lab.engines[key], NETWORK.name)
        assert overlay is not None
        sides.append(Side(lab.docker(key), container, overlay, lab.names(key).netns))
    server, client = sides
    (device,) = json.loads(run(in_namespace(server.overlay, ["ip", "-j", "-d", "link", "show", "vxlan0"])))
    address = server.container.address
    assert address is not None
    return Overlay(OF_SWARM, device["linkinfo"]["info_data"]["id"], server, client, address)


def _of_workers(lab: Lab, command: tuple[str, ...], ends: dict[str, OverlayEnd]) -> Overlay:
    number, sides = new_number(), []
    for key, other, end, argv in (
        (SERVER, CLIENT, End.SERVER, command),
        (CLIENT, SERVER, End.CLIENT, ("sleep", "infinity")),
    ):
        container = lab.docker(key).create(lab.spec("compared-workers", "none", *argv, tmpfs=TEMPORARY))
        tunnel = Tunnel(number, LINK_ADDRESSES[key], LINK_ADDRESSES[other])
        ends[key].make(lab.names(key).netns, tunnel, end)
        ends[key].attach(container.pid, end)
        sides.append(Side(lab.docker(key), container, ends[key].path, lab.names(key).netns))
    server, client = sides
    return Overlay(OF_WORKERS, number, server, client, End.SERVER.address)


@contextmanager
def watched(overlay: Overlay, folder: Path) -> Iterator[dict[str, int]]:
    """The kinds of VXLAN packets of one overlay on the server's link, with their number, after the block."""
    socket_path = folder / "end"
    socket_path.unlink(missing_ok=True)
    found: dict[str, int] = {}
    argv = in_namespace(overlay.server.host, [sys.executable, "-c", WATCH, HOST_LINK, str(socket_path)])
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as watcher:
        assert watcher.stdout is not None and watcher.stdout.readline() == "ready\n"
        yield found
        ending = f"import socket; socket.socket(1, 2).sendto(b'end', {str(socket_path)!r})"
        run([sys.executable, "-c", ending])
        for text, count in json.loads(watcher.stdout.read()).items():
            about = json.loads(text)
            if about.pop("number") == overlay.number:
                found[json.dumps(about)] = found.get(json.dumps(about), 0) + count
