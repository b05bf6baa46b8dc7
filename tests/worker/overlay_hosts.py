"""Hosts and containers as network namespaces on one Ethernet segment, and frames sent by VXLAN."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from worker.engine.segment import Segment
from worker.host.commands import in_namespace, run
from worker.host.ledger import Ledger
from worker.host.reaper import remove_namespace
from worker.topology.overlay_end import End, OverlayEnd, Tunnel

PORT = 9999
SEND = """
import socket, struct, sys
host, number, source, target, text = sys.argv[1:]
def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF
payload = struct.pack("!HHHH", 1234, 9999, 8 + len(text), 0) + text.encode()
ends = socket.inet_aton("198.19.255.3") + socket.inet_aton("198.19.255.2")
head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), 1, 0, 64, 17, 0) + ends
head = head[:10] + struct.pack("!H", checksum(head)) + head[12:]
frame = bytes.fromhex(target) + bytes.fromhex(source) + b"\\x08\\x00" + head + payload
vxlan = struct.pack("!II", 0x08000000, int(number) << 8) + frame
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(vxlan, (host, 4789))
"""
RECEIVE = """
import socket
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(("0.0.0.0", 9999))
print("ready", flush=True)
while (text := receiver.recv(100).decode()) != "end":
    print(text, flush=True)
"""


@dataclass(frozen=True)
class Machine:
    """A host in a network namespace, and a process with one of its own in the place of a container."""

    netns: str
    address: str
    container: subprocess.Popen[bytes]
    overlay: OverlayEnd

    def inside(self, *argv: str) -> str:
        return run(in_namespace(self.netns, argv))

    def in_container(self, *argv: str) -> list[str]:
        return in_namespace(f"/proc/{self.container.pid}/ns/net", argv)

    def up(self, number: int, remote: str, end: End) -> None:
        """Its end of the overlay, with its container on it."""
        self.overlay.make(Path("/run/netns", self.netns), Tunnel(number, self.address, remote), end)
        self.overlay.attach(self.container.pid, end)

    def send(self, to: str, number: int, text: str, source: End | str = End.CLIENT) -> None:
        """Send a UDP packet to the server's container by VXLAN, as any program on the link can."""
        by = (source.hardware_address if isinstance(source, End) else source).replace(":", "")
        target = End.SERVER.hardware_address.replace(":", "")
        self.inside(sys.executable, "-c", SEND, to, str(number), by, target, text)


@contextmanager
def machines(folder: Path, *names: str) -> Iterator[list[Machine]]:
    """Hosts 198.18.7.1, .2 … on one link, of which nothing stays."""
    segment = Segment("ovltest", Ledger(folder / "segment.jsonl"))
    found: list[Machine] = []
    try:
        for index, name in enumerate(names):
            netns, address = f"plmovltest-{name}", f"198.18.7.{index + 1}"
            remove_namespace(netns)
            run(["ip", "netns", "add", netns])
            segment.join(netns, address)
            container = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
            end = OverlayEnd(f"{netns}-vxlan", Ledger(folder / f"{name}.jsonl"))
            found.append(Machine(netns, address, container, end))
        yield found
    finally:
        for machine in found:
            machine.overlay.remove()
            machine.container.kill()
            machine.container.wait()
        segment.stop()
        for name in names:
            remove_namespace(f"plmovltest-{name}")
